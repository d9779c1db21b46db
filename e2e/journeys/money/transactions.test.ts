import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { heading } from "../../data/packageVersions.ts";
import {
  dispute,
  makeSellablePackage,
  markPaymentUnknown,
  newEmail,
  readSale,
  refund,
  type Sale,
  sell,
} from "../../data/transactions.ts";
import { test } from "../../fixtures/colleague.ts";
import {
  accessibilityViolations,
  schemes,
  useColorScheme,
  wcag,
} from "../../pages/accessibility.ts";
import { toast } from "../../pages/forms.ts";
import { columnHeader, listRegion, openList } from "../../pages/lists.ts";

// @nightly: Every list shares the behavior that the gate checks on apps; actions are covered over HTTP.

const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/transaction");
const rowOf = (page: Page, { number }: Sale) =>
  listRegion(page).getByRole("row").filter({ hasText: number });
const section = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const dialog = (page: Page, name: string) =>
  page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name }));
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const openView = async (page: Page, { id, number }: Sale, search = "") => {
  await page.goto(`/transaction/view/${id}${search}`);
  await expect(page.locator(".page-facts")).toContainText(number);
};

test("S2.23 LS1 a row says who paid what, how and when, and the newest stands first", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const email = newEmail();
  const sale = await sell(page, pack, { email, reference: `bank-${email}` });
  const back = await refund(page, sale, 200);
  await open(page, { q: email });
  const rows = listRegion(page).getByRole("rowheader");
  await expect(rows).toHaveText([new RegExp(back.number), new RegExp(sale.number)]);
  const row = rowOf(page, sale).filter({ hasText: "Purchase" });
  await expect(row).toContainText(`${pack.name} monthly`);
  await expect(row).toContainText(`bank-${email}`);
  await expect(row).toContainText("Partly refunded");
  await expect(row.getByRole("cell", { name: "12.00 EUR", exact: true })).toBeVisible();
  const refunded = rowOf(page, back).filter({ hasText: "Refund" });
  await expect(refunded.getByRole("cell", { name: "−2.00 EUR", exact: true })).toBeVisible();

  await columnHeader(page, "Created").getByRole("button").click();
  await expect(rows).toHaveText([new RegExp(sale.number), new RegExp(back.number)]);
  await expect(page).toHaveURL(/sort=occurredAt/);
});

test("S2.23 the list is searched by number and reference, filtered by package, and viewed by what waits @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await makeSellablePackage(page);
  const [paid, waiting, lost] = [
    await sell(page, pack),
    await sell(page, pack, { state: "pending" }),
    await sell(page, pack, { state: "pending" }),
  ];
  await markPaymentUnknown(product, lost);
  await open(page, { q: paid.number.toLowerCase() });
  await expect(listRegion(page).getByRole("rowheader")).toHaveCount(1);
  const ours = `package:any:${pack.id}`;
  await open(page, { f: [ours] });
  await expect(listRegion(page).getByRole("rowheader")).toHaveCount(3);
  await expect(
    page.getByRole("button", { name: `Package is ${pack.name}`, exact: true }),
  ).toBeVisible();
  await open(page, { f: [ours, "total:gte:1200", "currency:is:EUR"] });
  await page.getByRole("button", { name: "Amount from 12.00 EUR", exact: true }).click();
  const amount = page.getByRole("dialog", { name: "Filter by Amount" });
  await amount.getByRole("textbox", { name: "Value" }).fill("12.345");
  await amount.getByRole("button", { name: "Apply filter" }).click();
  await expect(amount).toContainText("must have at most 2 decimals, as EUR has");
  await amount.getByRole("textbox", { name: "Value" }).fill("12,01");
  await amount.getByRole("button", { name: "Apply filter" }).click();
  await expect(page).toHaveURL(/total:gte:1201/);
  await expect(listRegion(page).getByRole("rowheader")).toHaveCount(0);
  await open(page, { f: [ours, "state:any:pending"] });
  await expect(listRegion(page).getByRole("rowheader")).toHaveText([new RegExp(waiting.number)]);

  const views = page.getByRole("navigation", { name: "Views" });
  await expect(views.getByRole("link")).toHaveText([
    "All",
    /^Pending\d/,
    /^Unknown\d/,
    /^Failed\d/,
    /^Disputed\d/,
    "Refunds",
  ]);
  await views.getByRole("link", { name: /^Unknown/ }).click();
  await expect(rowOf(page, lost)).toBeVisible();
  await expect(rowOf(page, waiting)).toHaveCount(0);
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(
    menu.getByRole("link", { name: /^Transactions \d+ wait for somebody$/ }),
  ).toBeVisible();
});

test("S2.23 LS7 transactions are exported, and the keyboard previews and refunds one @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const email = newEmail();
  const sale = await sell(page, pack, { email });
  await open(page, { q: email });
  await press(page, "Export");
  const started = page.waitForEvent("download");
  await dialog(page, "Export transactions").getByRole("link", { name: "Download CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  expect(text.trimEnd().split(/\r?\n/)).toHaveLength(2);
  expect(text).toContain(sale.number);
  await page.keyboard.press("Escape");

  await listRegion(page).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  const preview = page.getByRole("dialog", { name: `Preview of ${sale.number}` });
  await expect(preview).toContainText("Paid by the user");
  await page.keyboard.press("Escape");
  await expect(preview).toHaveCount(0);
  await expect(rowOf(page, sale)).toBeFocused();
  await page.keyboard.press(".");
  await page.getByRole("menuitem", { name: "Refund…" }).click();
  await expect(dialog(page, "Refund this transaction")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expect(page).toHaveURL("/transaction/create");
});

test("S2.26 a transaction says how it went, what it cost and what it gave", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const sale = await sell(page, pack, { tax: 228, note: "Paid at the fair" });
  await openView(page, sale);
  await expect(heading(page)).toHaveText("14.28 EUR");
  await expect(page.locator(".page-facts")).toContainText(
    `Purchase of ${pack.name}, monthly by ${sale.user.name}`,
  );
  await expect(page.getByRole("region", { name: "Timeline" }).getByRole("listitem")).toHaveText([
    /^Created/,
    /^Submitted/,
    /^Settled/,
    /^Renews/,
  ]);
  await expect(section(page, "Amounts").getByRole("row")).toHaveText([
    /monthly, version 1\s*list price\s*12\.00 EUR/,
    /Tax\s*2\.28 EUR/,
    /Paid by the user\s*manual\s*14\.28 EUR/,
  ]);
  await expect(section(page, "What it granted")).toContainText("1 feature in 1 app");
  await expect(section(page, "What it granted")).toContainText("Seats");
  await expect(section(page, "User")).toContainText("14.28 EUR");
  await expect(section(page, "Note")).toContainText("Paid at the fair");

  await page.goto(`/transaction/view/${sale.id}?tab=activity`);
  await expect(page.locator(".history")).toContainText("recorded the transaction");
  await page.keyboard.press("e");
  await expect(page).toHaveURL(`/transaction/edit/${sale.id}`);
});

test("S2.26 DG1 half is refunded, and access ends with the period", async ({ ownerPage: page }) => {
  const sale = await sell(page, await makeSellablePackage(page));
  await openView(page, sale);
  await press(page, "Refund");
  const asked = dialog(page, "Refund this transaction");
  await expect(asked.getByRole("textbox", { name: "Amount" })).toHaveValue("12.00");
  await asked.getByRole("button", { name: /^Half/ }).click();
  await expect(asked).toContainText("6.00 goes back");
  await expect(asked).toContainText("6.00 stays and can still be refunded");
  await asked.getByRole("button", { name: "Refund 6.00 EUR" }).click();
  await expect(asked).toContainText("Choose what becomes of access.");
  expect(await readSale(page, sale)).toMatchObject({ refunded: 0 });
  await expect(asked).toContainText("1 feature stops at once.");

  await asked.getByRole("radio", { name: /^Keep it until/ }).check();
  await asked.getByRole("button", { name: "Refund 6.00 EUR" }).dblclick();
  await expect(toast(page, "6.00 EUR given back")).toBeVisible();
  await expect(asked).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Refund", exact: true })).toBeFocused();
  await expect(page.locator(".page-meta")).toHaveText("Partly refunded");
  await expect(section(page, "Amounts")).toContainText(/Left\s*can still be refunded\s*6\.00 EUR/);
  const stored = await readSale(page, sale);
  expect(stored).toMatchObject({ refunded: 600, state: "partially refunded" });
  expect(stored.refunds).toMatchObject([{ total: 600, access: "end with period" }]);
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Ends");

  await press(page, "Refund");
  await asked.getByRole("textbox", { name: "Amount" }).fill("6.01");
  await asked.getByRole("button", { name: "Refund 6.01 EUR" }).click();
  await expect(asked).toContainText("must be at most 6.00");
});

test("S2.26 what is unknown, waiting, disputed or a draft is settled by an act with evidence @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await makeSellablePackage(page);
  const lost = await sell(page, pack, { state: "pending" });
  await markPaymentUnknown(product, lost);
  await openView(page, lost);
  await press(page, "Resolve");
  const resolve = dialog(page, "What became of this payment?");
  await expect(resolve.getByRole("radio")).toHaveCount(2);
  await resolve.getByRole("button", { name: "Resolve payment" }).click();
  await expect(resolve).toContainText("must not be empty");
  await resolve.getByRole("textbox", { name: "Evidence" }).fill("Line 7 of the statement");
  await resolve.getByRole("button", { name: "Resolve payment" }).click();
  await expect(toast(page, `${lost.number} is settled now.`)).toBeVisible();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText(
    "Line 7 of the statement",
  );
  await expect(section(page, "What it granted")).toContainText("In force");

  const disputed = await dispute(page, await sell(page, pack));
  await openView(page, disputed);
  await press(page, "Settle dispute");
  const settle = dialog(page, "How did the dispute end?");
  await settle.getByRole("radio", { name: /^Lost/ }).check();
  await settle.getByRole("textbox", { name: "Evidence" }).fill("The bank's letter");
  await settle.getByRole("button", { name: "Settle dispute" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Charged back");
  await expect(section(page, "Amounts")).toContainText(/Chargeback\s*TX/);

  const draft = await sell(page, pack, { state: "draft", reference: null });
  await openView(page, draft);
  await press(page, "Record");
  const record = dialog(page, "Record this draft?");
  await record.getByRole("radio", { name: /^It is waited for/ }).check();
  await record.getByRole("textbox", { name: "Reference" }).fill(`bank-${draft.number}`);
  await record.getByRole("button", { name: "Record transaction" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Pending");

  const other = await sell(page, pack, { state: "draft", reference: null });
  await openView(page, other);
  await press(page, "Void");
  const voiding = dialog(page, "Void this draft?");
  await voiding.getByRole("textbox", { name: "Reason" }).fill("Entered by mistake");
  await voiding.getByRole("button", { name: "Void draft" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Voided");
  await expect(page.getByRole("button", { name: "Record", exact: true })).toHaveCount(0);
});

test("S2.23 S2.26 the palette finds a transaction by its number @nightly", async ({
  ownerPage: page,
}) => {
  const sale = await sell(page, await makeSellablePackage(page));
  await page.goto("/transaction");
  await expect(heading(page)).toHaveText("Transactions");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
  await page.keyboard.type(sale.number);
  await page.getByRole("option", { name: sale.number }).click();
  await expect(page).toHaveURL(`/transaction/view/${sale.id}`);
});

test("S2.26 an id that no transaction has is not found @nightly", async ({ ownerPage: page }) => {
  await page.goto("/transaction/view/01900000-0000-7000-8000-000000000000");
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
});

for (const scheme of schemes)
  for (const width of [1440, 390])
    test(`S2.23 S2.24 S2.25 S2.26 nobody is shut out of the transactions, in ${scheme}, ${width} wide @nightly`, async ({
      ownerPage: page,
    }) => {
      const sale = await sell(page, await makeSellablePackage(page), { tax: 228 });
      await refund(page, sale, 300);
      await page.setViewportSize({ width, height: 900 });
      for (const path of [
        `/transaction?q=${sale.number}`,
        "/transaction/create",
        `/transaction/edit/${sale.id}`,
        `/transaction/view/${sale.id}`,
      ]) {
        await page.goto(path);
        await expect(heading(page)).toBeVisible();
        await page.waitForLoadState("networkidle");
        await useColorScheme(page, scheme);
        expect([path, await accessibilityViolations(page, wcag)]).toEqual([path, []]);
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([path, wide]).toEqual([path, 0]);
      }
      await press(page, "Refund");
      await expect(dialog(page, "Refund this transaction")).toContainText("stops at once");
      expect(await accessibilityViolations(page, wcag)).toEqual([]);
    });
