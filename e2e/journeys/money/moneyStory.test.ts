import { expect, type Page } from "@playwright/test";
import { heading } from "../../data/packageVersions.ts";
import {
  entitlementsOf,
  makePromotionCode,
  makeSellablePackage,
  markPaymentUnknown,
  newEmail,
  readSale,
  type Sale,
  sell,
} from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { listRegion, openList } from "../../pages/lists.ts";

// @nightly: The gate follows a sale to its refund; this resolution is covered over HTTP.

const seats = "Seats: 5 seats";
const section = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const field = (page: Page, name: string) => page.locator("form").getByRole("textbox", { name });
const state = (page: Page) => page.locator(".page-meta");
const total = (page: Page) => page.locator(".record-rail").getByRole("row", { name: /^Total/ });

/** The list row of a sale, found by the customer's details. */
const find = async (page: Page, search: Parameters<typeof openList>[1], { number }: Sale) => {
  await openList(page, search, "/transaction");
  await listRegion(page).getByRole("link", { name: number }).click();
  await expect(page.locator(".page-facts")).toContainText(number);
};

const storedAt = async (page: Page) => {
  await expect(page).toHaveURL(/\/transaction\/view\//);
  return readSale(page, { id: new URL(page.url()).pathname.split("/").at(-1) ?? "" });
};

/** Records a bank transfer of a year, with a code that takes a tenth off. */
const recordTransfer = async (page: Page, pack: { name: string }, email: string, code: string) => {
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(heading(page)).toHaveText("Transactions");
  await page.keyboard.press("c");
  await expect(heading(page)).toHaveText("New transaction");
  await field(page, "Email").fill(email);
  await page.getByRole("combobox", { name: "Package" }).fill(pack.name);
  await page.getByRole("option", { name: pack.name }).first().click();
  await page
    .getByRole("combobox", { name: "Interval" })
    .selectOption({ label: "Yearly, 120.00 EUR" });
  await field(page, "Promotion codes").fill(code);
  await field(page, "Promotion codes").press("Enter");
  await expect(total(page)).toContainText("108.00");
  await field(page, "Reference").fill(`bank-${email}`);
  await press(page, "Record transaction");
  const sale = await storedAt(page);
  expect(sale).toMatchObject({ total: 10_800, state: "succeeded" });
  return sale;
};

const refundHalf = async (page: Page, pack: { name: string }, { number }: Sale) => {
  await press(page, "Refund");
  const asked = page.getByRole("alertdialog", { name: `Refund ${number}?` });
  await asked.getByRole("textbox", { name: `Refund of ${pack.name}` }).fill("54");
  await expect(asked.getByRole("radio", { name: "Amount" })).toBeChecked();
  await asked.getByRole("radio", { name: /^Keep access until/ }).check();
  await asked.getByRole("button", { name: "Refund 54.00 EUR" }).click();
  await expect(toast(page, "54.00 EUR refunded")).toBeVisible();
  await expect(asked).toHaveCount(0);
};

test("S2.24 S2.26 Support finds a customer, finance records a bank transfer with a code and refunds half of it", async ({
  ownerPage: host,
  signInAs,
}) => {
  const pack = await makeSellablePackage(host);
  const code = await makePromotionCode(host);
  const email = newEmail();
  const before = await sell(host, await makeSellablePackage(host), { email });
  const support = await signInAs("support", "Sam Support");
  const page = await signInAs("finance", "Fina Finance");

  // Support looks at everything, and moves no money.
  await find(support, { q: email }, before);
  await expect(section(support, "Customer")).toContainText(email);
  await expect(support.getByRole("button", { name: "Refund", exact: true })).toHaveCount(0);
  await expect(support.getByRole("link", { name: "Edit" })).toHaveCount(0);

  const sale = await recordTransfer(page, pack, email, code);
  expect(sale.user.id).toBe(before.user.id);
  await expect(page.getByRole("row", { name: new RegExp(code) })).toContainText("−12.00");
  await refundHalf(page, pack, sale);

  await expect(state(page)).toHaveText("Partially refunded");
  await expect(section(page, "Amounts")).toContainText(/Remaining\s*Refundable\s*54\.00 EUR/);
  await expect(section(page, "Entitlements")).toContainText("Active");
  await expect(section(page, "Subscription")).toContainText("Ending");
  const stored = await readSale(page, sale);
  expect(stored).toMatchObject({ refunded: 5400, state: "partially refunded" });
  const years = (count: number) => new Date(Date.now() + count * 365 * 86_400_000);
  expect(await entitlementsOf(page, sale.user)).toEqual([seats, seats]);
  expect(await entitlementsOf(page, sale.user, years(0.9))).toEqual([seats]);
  expect(await entitlementsOf(page, sale.user, years(1.1))).toEqual([]);

  await page.getByRole("link", { name: "Activity" }).click();
  const told = page.locator(".history");
  await expect(told).toContainText("Fina Finance Refunded");
  await expect(told).toContainText("Fina Finance Transaction recorded");
  // Support sees the same state.
  await find(support, { q: email }, sale);
  await expect(state(support)).toHaveText("Partially refunded");
});

test("S2.26 Finance resolves an unknown payment with evidence, which grants access @nightly", async ({
  product,
  ownerPage: host,
  signInAs,
}) => {
  const pack = await makeSellablePackage(host);
  const lost = await sell(host, pack, { state: "pending" });
  await markPaymentUnknown(product, lost);
  const page = await signInAs("finance", "Fina Finance");
  expect(await entitlementsOf(page, lost.user)).toEqual([]);

  await page.goto("/transaction");
  await page
    .getByRole("navigation", { name: "Views" })
    .getByRole("link", { name: /^Unknown/ })
    .click();
  await listRegion(page).getByRole("link", { name: lost.number }).click();
  await expect(state(page)).toHaveText("Unknown");
  await press(page, "Resolve");
  const resolve = page.getByRole("dialog", { name: "How did this payment end?" });
  await resolve.getByRole("radio", { name: /^Paid/ }).check();
  await resolve.getByRole("textbox", { name: "Evidence" }).fill("Statement 11, line 7");
  await resolve.getByRole("button", { name: "Resolve payment" }).click();
  await expect(toast(page, `${lost.number} settled`)).toBeVisible();

  await expect(state(page)).toHaveText("Settled");
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText(
    "by Fina FinanceStatement 11, line 7",
  );
  await expect(section(page, "Entitlements")).toContainText("Active");
  expect(await readSale(page, lost)).toMatchObject({ state: "succeeded" });
  expect(await entitlementsOf(page, lost.user)).toEqual([seats]);
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.locator(".history")).toContainText("Fina Finance Settled");
});
