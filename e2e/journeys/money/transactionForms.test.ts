import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import type { Package } from "../../data/packages.ts";
import { heading } from "../../data/packageVersions.ts";
import {
  countSales,
  makePromotionCode,
  makeSellablePackage,
  newEmail,
  readSale,
  type Sale,
  sell,
} from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { answerDraftOffer, waitUntilDraftLoaded } from "../../pages/drafts.ts";
import { dropFirstResponse, recordWrites, summaryOf, toast } from "../../pages/forms.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; sales are covered over HTTP.

const rail = (page: Page) => page.locator(".record-rail");
const save = (page: Page) => page.getByRole("button", { name: "Record transaction" });
const text = (page: Page, name: string) => page.locator("form").getByRole("textbox", { name });
const total = (page: Page) => rail(page).getByRole("row", { name: /^Total/ });

const openCreate = async (page: Page) => {
  await page.goto("/transaction/create");
  await expect(heading(page)).toHaveText("New transaction");
};

const pickPackage = async (page: Page, { name }: Pick<Package, "name">) => {
  await page.getByRole("combobox", { name: "Package" }).fill(name);
  await page.getByRole("option", { name }).first().click();
  await expect(page.getByRole("combobox", { name: "Interval" })).toContainText("Monthly");
};

const fill = async (page: Page, pack: Pick<Package, "name">, email = newEmail()) => {
  await text(page, "Email").fill(email);
  await pickPackage(page, pack);
  await text(page, "Reference").fill(`bank-${email}`);
  await expect(total(page)).toContainText("12.00");
  return email;
};

const storedAt = async (page: Page) => {
  await expect(page).toHaveURL(/\/transaction\/view\//);
  return readSale(page, { id: new URL(page.url()).pathname.split("/").at(-1) ?? "" });
};

test("S2.24 FM1 An empty form shows an error at every missing field @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page, "/api/transactions");
  await save(page).click();
  await expect(text(page, "Email")).toBeFocused();
  await expect(summaryOf(page).getByRole("link")).toHaveText([
    /^Email /,
    "Package Choose a package.",
    "Reference Enter a reference, such as the bank's.",
  ]);
  expect(writes).toEqual([]);
  await expect(page.getByText(/In the time zone .+ \(UTC/)).toBeVisible();
});

test("S2.24 A sale is recorded with a code, tax and tags at the price that was shown", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const code = await makePromotionCode(page);
  await openCreate(page);
  const email = await fill(page, pack);
  await expect(rail(page)).toContainText("Creates a customer.");
  await expect(rail(page)).toContainText("Starts a subscription.");
  await page
    .getByRole("combobox", { name: "Interval" })
    .selectOption({ label: "Yearly, 120.00 EUR" });
  await expect(total(page)).toContainText("120.00");
  await text(page, "Promotion codes").fill(code.toLowerCase());
  await text(page, "Promotion codes").press("Enter");
  await expect(total(page)).toContainText("108.00");
  await expect(rail(page)).toContainText(code);
  await page.getByRole("switch", { name: /^Enter tax manually/ }).click();
  await text(page, "Tax").first().fill("20,52");
  await text(page, "Reason for the tax").fill("As on the receipt");
  await text(page, "Reason for the tax").press("Tab");
  await expect(total(page)).toContainText("128.52");
  await text(page, "Tags").fill("fair");
  await page.getByRole("button", { name: "Add tag" }).click();
  await save(page).click();
  const stored = await storedAt(page);
  await expect(toast(page, stored.number)).toBeVisible();
  expect(stored).toMatchObject({ total: 12_852, state: "succeeded", tags: ["fair"] });
  expect(stored.user.email).toBe(email);
  await expect(page.getByRole("row", { name: new RegExp(code) })).toContainText("−12.00");
});

test("S2.24 An unknown code is reported at its field @nightly", async ({ ownerPage: page }) => {
  await openCreate(page);
  await fill(page, await makeSellablePackage(page));
  await text(page, "Promotion codes").fill("NOSUCHCODE");
  await text(page, "Promotion codes").press("Enter");
  await expect(rail(page).getByRole("alert")).toBeVisible();
  await save(page).click();
  await expect(summaryOf(page).getByRole("link", { name: /^Promotion codes/ })).toBeVisible();
  await page.getByRole("button", { name: "Remove NOSUCHCODE" }).click();
  await expect(total(page)).toContainText("12.00");
});

test("S2.24 FM7 A double click, or a retry after a lost response and a reload, records one sale @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await makeSellablePackage(page);
  await openCreate(page);
  const twice = await fill(page, pack);
  await save(page).dblclick();
  await storedAt(page);
  expect(await countSales(product, twice)).toBe(1);

  await openCreate(page);
  const lost = await fill(page, pack);
  await dropFirstResponse(page, "**/api/transactions");
  await save(page).click();
  await expect(summaryOf(page)).toContainText("Can't reach the server");
  await save(page).click();
  const stored = await storedAt(page);
  expect(stored.user.email).toBe(lost);
  expect(await countSales(product, lost)).toBe(1);
  await page.unrouteAll();

  await openCreate(page);
  const gone = await fill(page, pack);
  await dropFirstResponse(page, "**/api/transactions");
  await save(page).click();
  await expect(summaryOf(page)).toContainText("Can't reach the server");
  await waitUntilDraftLoaded(page, () => page.reload());
  await answerDraftOffer(page, "Restore");
  await expect(text(page, "Email")).toHaveValue(gone);
  await expect(total(page)).toContainText("12.00");
  await save(page).click();
  await storedAt(page);
  expect(await countSales(product, gone)).toBe(1);
});

test("S2.24 A possible duplicate is shown first and recorded only after confirmation @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await makeSellablePackage(page);
  const email = newEmail();
  const first = await sell(page, pack, { email });
  await openCreate(page);
  await fill(page, pack, email);
  await expect(page.getByText(`${first.user.name} is an existing customer.`)).toBeVisible();
  const warning = page.getByRole("status").filter({ hasText: "within 24 hours" });
  await expect(warning.getByRole("link", { name: first.number })).toHaveAttribute(
    "href",
    `/transaction/view/${first.id}`,
  );
  await save(page).click();
  await expect(summaryOf(page)).toContainText(
    `${first.number} has the same customer, package and amount`,
  );
  expect(await countSales(product, email)).toBe(1);
  await page.getByRole("checkbox", { name: "This is a separate sale" }).check();
  await save(page).click();
  await storedAt(page);
  expect(await countSales(product, email)).toBe(2);
});

test("S2.24 A code that ended in the meantime is shown, and the price without it must be confirmed @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const code = await makePromotionCode(page);
  await openCreate(page);
  const email = newEmail();
  await text(page, "Email").fill(email);
  await pickPackage(page, pack);
  await text(page, "Reference").fill(`bank-${email}`);
  await text(page, "Promotion codes").fill(code);
  await text(page, "Promotion codes").press("Enter");
  await expect(total(page)).toContainText("10.80");
  const { items } = await callApi<{ items: { id: string; version: number }[] }>(page, {
    path: `/promotions?q=${code}`,
  });
  const [{ id, version } = { id: "", version: 0 }] = items;
  await callApi(page, { method: "POST", path: `/promotions/${id}/pause`, version, body: {} });
  await save(page).click();
  await expect(summaryOf(page)).toContainText(`The code ${code} doesn't apply.`);
  await expect(total(page)).toContainText("12.00");
  await page.getByRole("checkbox", { name: "Record at the price without these codes" }).check();
  await save(page).click();
  expect(await storedAt(page)).toMatchObject({ total: 1200 });
});

test("S2.24 A code that doesn't apply blocks the sale until it is removed @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const code = await makePromotionCode(page);
  const { items } = await callApi<{ items: { id: string; version: number }[] }>(page, {
    path: `/promotions?q=${code}`,
  });
  const [{ id, version } = { id: "", version: 0 }] = items;
  await callApi(page, { method: "POST", path: `/promotions/${id}/pause`, version, body: {} });
  await openCreate(page);
  await fill(page, pack);
  await text(page, "Promotion codes").fill(code);
  await text(page, "Promotion codes").press("Enter");
  const notice = page.getByRole("status").filter({ hasText: "These codes don't apply." });
  await expect(notice).toContainText(code);
  await save(page).click();
  await expect(summaryOf(page)).toContainText(`The code ${code} doesn't apply.`);
  await notice.getByRole("button", { name: "Remove code" }).click();
  await expect(notice).toHaveCount(0);
  await save(page).click();
  expect(await storedAt(page)).toMatchObject({ total: 1200, state: "succeeded" });
});

test("S2.25 Only the note and tags of a transaction can be edited @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const sale = await sell(page, await makeSellablePackage(page));
  await page.goto(`/transaction/edit/${sale.id}`);
  await expect(heading(page)).toHaveText(`Edit ${sale.number}`);
  await expect(page.getByText("Transactions can't be edited.")).toBeVisible();
  await expect(text(page, "Amount")).toHaveValue("12.00 EUR");
  await expect(text(page, "Amount")).not.toBeEditable();
  await text(page, "Note").fill("Asked by phone");
  await text(page, "Tags").fill("phone");
  await text(page, "Tags").press("Enter");

  // Meanwhile another user refunds a part of it.
  await callApi<Sale>(colleaguePage, {
    method: "POST",
    path: `/transactions/${sale.id}/refund`,
    body: { amount: 100, access: "keep", reason: "Requested by customer" },
  });
  await page.getByRole("button", { name: "Save transaction" }).click();
  await expect(toast(page, `${sale.number} saved`)).toBeVisible();
  expect(await readSale(page, sale)).toMatchObject({
    note: "Asked by phone",
    tags: ["phone"],
    refunded: 100,
  });
  const refund = page.getByRole("button", { name: "Refund", exact: true });
  const label = refund.getByText("Refund", { exact: true });
  const [outer, inner] = [await refund.boundingBox(), await label.boundingBox()];
  expect(inner?.width).toBeGreaterThan(30);
  expect(outer?.width).toBeGreaterThan(inner?.width ?? 0);
  await refund.click();
  await expect(
    page.getByRole("alertdialog", { name: `Refund ${sale.number}?` }).getByRole("textbox", {
      name: /^Refund of/,
    }),
  ).toHaveValue("11.00");
});
