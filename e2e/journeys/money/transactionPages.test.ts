import { expect, type Page } from "@playwright/test";
import { heading } from "../../data/packageVersions.ts";
import {
  dispute,
  makePromotionCode,
  makeSellablePackage,
  markPaymentUnknown,
  readSale,
  refund,
  type Sale,
  sell,
} from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { dialog, press } from "./transactions.ts";

// @nightly: Every list shares the behavior that the gate checks on apps; actions are covered over HTTP.

const section = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

const openView = async (page: Page, { id, number }: Sale, search = "") => {
  await page.goto(`/transaction/view/${id}${search}`);
  await expect(page.locator(".page-facts")).toContainText(number);
};

test("S2.26 A transaction shows its timeline, amounts and entitlements", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const sale = await sell(page, pack, { tax: 228, note: "Paid at the fair" });
  await openView(page, sale);
  await expect(heading(page)).toHaveText("14.28 EUR");
  const facts = page.locator(".page-facts");
  for (const fact of ["Purchase", `${pack.name}, monthly`, sale.user.name])
    await expect(facts).toContainText(fact);
  await expect(page.getByRole("region", { name: "Timeline" }).getByRole("listitem")).toHaveText([
    /^Created/,
    /^Submitted/,
    /^Settled/,
    /^Renews/,
  ]);
  await expect(section(page, "Lines")).toContainText("Entered manually, added to the price");
  await expect(section(page, "Lines").getByRole("row")).toHaveText([
    /^Line\s*Period\s*Net\s*Tax\s*Total\s*Credited\s*Left$/,
    /12\.00\s*2\.28\s*14\.28\s*0\.00\s*14\.28$/,
    /^Total, EUR\s*12\.00\s*2\.28\s*14\.28\s*0\.00\s*14\.28$/,
  ]);
  await expect(section(page, "Amounts").getByRole("row")).toHaveText([
    /monthly, version 1\s*List price\s*12\.00 EUR/,
    /Tax\s*2\.28 EUR/,
    /Paid\s*Manual\s*14\.28 EUR/,
  ]);
  await expect(section(page, "Entitlements")).toContainText("1 feature in 1 app");
  await expect(section(page, "Entitlements")).toContainText("Seats");
  await expect(section(page, "Customer")).toContainText("14.28 EUR");
  await expect(section(page, "Note")).toContainText("Paid at the fair");

  await page.goto(`/transaction/view/${sale.id}?tab=activity`);
  await expect(page.locator(".history")).toContainText("Transaction recorded");
  await page.keyboard.press("e");
  await expect(page).toHaveURL(`/transaction/edit/${sale.id}`);
});

test("S2.26 M1 The amounts of a refund, and of a discount without a promotion, add up to the total", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await makeSellablePackage(page);
  const back = await refund(page, await sell(page, pack, { tax: 228 }), 714);
  await openView(page, back);
  await expect(section(page, "Amounts").getByRole("row")).toHaveText([
    /Subtotal\s*−6\.00 EUR/,
    /Tax\s*−1\.14 EUR/,
    /Refunded\s*Manual\s*−7\.14 EUR/,
  ]);

  // Like a renewal, which has the discount of its subscription.
  const code = await makePromotionCode(page);
  const sale = await sell(page, pack, { codes: [code], state: "draft" });
  await product.database.query(
    "update transactions set snapshot = jsonb_set(snapshot, '{promotions}', '[]') where id = $1",
    [sale.id],
  );
  await openView(page, sale);
  await expect(section(page, "Amounts").getByRole("row")).toHaveText([
    /List price\s*12\.00 EUR/,
    /Discount\s*−1\.20 EUR/,
    /Due\s*Manual\s*10\.80 EUR/,
  ]);
});

test("S2.26 DG1 Half of a payment is refunded by line, and access ends with the period", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const sale = await sell(page, pack);
  await openView(page, sale);
  await press(page, "Refund");
  const asked = dialog(page, `Refund ${sale.number}?`);
  const cell = asked.getByRole("textbox", { name: `Refund of ${pack.name}` });
  await expect(cell).toHaveValue("12.00");
  await asked.getByRole("radio", { name: /^Unused time/ }).check();
  await expect(cell).toHaveValue(/^11\.|^12\.00/);
  await cell.fill("6");
  await expect(asked.getByRole("radio", { name: "Amount" })).toBeChecked();
  await expect(asked).toContainText("6.00 left to refund");
  await expect(asked).toContainText("6.00 EUR is refunded.");
  await asked.getByRole("button", { name: "Refund 6.00 EUR" }).click();
  await expect(asked).toContainText("Choose what happens to the customer's access.");
  expect(await readSale(page, sale)).toMatchObject({ refunded: 0 });
  await expect(asked).toContainText("The customer loses 1 feature immediately.");

  await asked.getByRole("radio", { name: /^Keep access until/ }).check();
  await asked.getByRole("button", { name: "Refund 6.00 EUR" }).dblclick();
  await expect(toast(page, "6.00 EUR refunded")).toBeVisible();
  await expect(asked).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Refund", exact: true })).toBeFocused();
  await expect(page.locator(".page-meta")).toHaveText("Partially refunded");
  await expect(section(page, "Amounts")).toContainText(/Remaining\s*Refundable\s*6\.00 EUR/);
  const stored = await readSale(page, sale);
  expect(stored).toMatchObject({ refunded: 600, state: "partially refunded" });
  expect(stored.refunds).toMatchObject([{ total: 600, access: "end with period" }]);
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Ends");

  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Refunded");

  await press(page, "Refund");
  await cell.fill("6.01");
  await expect(asked).toContainText("At most 6.00 EUR.");
  await asked.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(cell).toBeFocused();
  expect(await readSale(page, sale)).toMatchObject({ refunded: 600 });
});

test("S2.26 A payment is refunded to the customer's balance, which pays for the next sale @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const sale = await sell(page, pack);
  await openView(page, sale);
  await press(page, "Refund");
  const asked = dialog(page, `Refund ${sale.number}?`);
  await asked.getByRole("radio", { name: /^Balance/ }).check();
  await asked.getByRole("radio", { name: /^End access now/ }).check();
  await asked.getByRole("button", { name: "Refund 12.00 EUR" }).click();
  await expect(toast(page, "12.00 EUR refunded")).toBeVisible();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText(
    "12.00 EUR to the balance",
  );

  const next = await sell(page, pack, { email: sale.user.email, interval: "year" });
  await openView(page, next);
  await expect(section(page, "Amounts").getByRole("row")).toHaveText([
    /List price\s*120\.00 EUR/,
    /Total\s*120\.00 EUR/,
    /From balance\s*−12\.00 EUR/,
    /Paid\s*Manual\s*108\.00 EUR/,
  ]);
});

test("S2.26 An unknown, pending, disputed or draft transaction is resolved by an action with evidence @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await makeSellablePackage(page);
  const lost = await sell(page, pack, { state: "pending" });
  await markPaymentUnknown(product, lost);
  await openView(page, lost);
  await press(page, "Resolve");
  const resolve = dialog(page, "How did this payment end?");
  await expect(resolve.getByRole("radio")).toHaveCount(2);
  await resolve.getByRole("button", { name: "Resolve payment" }).click();
  await expect(resolve).toContainText("This field is required.");
  await resolve.getByRole("textbox", { name: "Evidence" }).fill("Line 7 of the statement");
  await resolve.getByRole("button", { name: "Resolve payment" }).click();
  await expect(toast(page, `${lost.number} settled`)).toBeVisible();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText(
    "Line 7 of the statement",
  );
  await expect(section(page, "Entitlements")).toContainText("Active");

  const disputed = await dispute(page, await sell(page, pack));
  await openView(page, disputed);
  await press(page, "Close dispute");
  const settle = dialog(page, "How did the dispute end?");
  await settle.getByRole("radio", { name: /^Lost/ }).check();
  await settle.getByRole("textbox", { name: "Evidence" }).fill("The bank's letter");
  await settle.getByRole("button", { name: "Close dispute" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Charged back");
  await expect(section(page, "Amounts")).toContainText(/Chargeback\s*TX/);

  const draft = await sell(page, pack, { state: "draft", reference: null });
  await openView(page, draft);
  await press(page, "Record transaction");
  const record = dialog(page, `Record ${draft.number}?`);
  await record.getByRole("radio", { name: /^Waiting for payment/ }).check();
  await record.getByRole("textbox", { name: "Reference" }).fill(`bank-${draft.number}`);
  await record.getByRole("button", { name: "Record transaction" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Pending");

  const other = await sell(page, pack, { state: "draft", reference: null });
  await openView(page, other);
  await press(page, "Void");
  const voiding = dialog(page, `Void ${other.number}?`);
  await voiding.getByRole("textbox", { name: "Reason" }).fill("Entered by mistake");
  await voiding.getByRole("button", { name: "Void draft" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Voided");
  await expect(page.getByRole("button", { name: "Record transaction" })).toHaveCount(0);
});

test('S2.26 An unknown transaction ID shows "not found" @nightly', async ({ ownerPage: page }) => {
  await page.goto("/transaction/view/01900000-0000-7000-8000-000000000000");
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
});
