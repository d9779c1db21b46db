import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import { formatAmount } from "@purser/contract/fields/amounts";
import { readPdf } from "../../../server/src/modules/documents/testing/readPdf.ts";
import { heading } from "../../data/packageVersions.ts";
import type { Sale } from "../../data/transactions.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import {
  type ExpectedAmounts,
  enterSeller,
  eur,
  openShop,
  runJob,
  type Shop,
  type SoldPackage,
  sumOf,
  tenDaysAgo,
} from "./moneyShop.ts";
import { dialog, press } from "./transactions.ts";

// @nightly: The gate upgrades a package; the sums of the others are covered over HTTP.

const section = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

const rowOf = (within: Locator, name: string | RegExp) => within.getByRole("row", { name });

/** "12.00", or "−12.00" for a credit. */
const shown = (minor: number) => `${minor < 0 ? "−" : ""}${formatAmount(Math.abs(minor), "EUR")}`;

const shownAmounts = ({ net, tax, gross }: ExpectedAmounts, sign: 1 | -1 = 1) =>
  [net, tax, gross].map((amount) => shown(sign * amount));

/** The cells of a row that have amounts, without the one of its period. */
const expectRow = (row: Locator, texts: readonly string[]) =>
  expect(row.locator("td:not([data-text])")).toHaveText([...texts]);

const expectSum = (row: Locator, text: string) => expect(row.locator("td").last()).toHaveText(text);

const openTransaction = async (page: Page, { id, number }: Pick<Sale, "id" | "number">) => {
  await page.goto(`/transaction/view/${id}`);
  await expect(page.locator(".page-facts")).toContainText(number);
};

type Wanted = { pack?: SoldPackage; quantity?: number };

/** Opens the dialog, chooses the package or quantity, and returns the moment that its amounts are for. */
const planChange = async (page: Page, { pack, quantity }: Wanted) => {
  await page.getByRole("button", { name: "Subscription actions" }).click();
  await page.getByRole("menuitem", { name: "Change package…" }).click();
  const asked = dialog(page, "Change package");
  const planned = page.waitForResponse(
    (response) => response.url().endsWith("/change/preview") && response.ok(),
  );
  if (pack) {
    const input = asked.getByRole("combobox", { name: "Package" });
    // The name of the current package must not appear while the other one is typed.
    await expect(input).not.toHaveValue("");
    await input.fill(pack.name);
    await page.getByRole("option", { name: pack.name }).click();
  }
  if (quantity) await asked.getByRole("textbox", { name: "Quantity" }).fill(String(quantity));
  const { at } = (await (await planned).json()) as { at: string };
  await expect(asked.locator(".change-plan")).toHaveAttribute("aria-busy", "false");
  return { asked, at: new Date(at) };
};

type Expected = ReturnType<Shop["expectCharge"]>;

/** Compares the rows of a plan: the new line, the credits in the order of their payments, and the total. */
const expectPlan = async (asked: Locator, name: string, expected: Expected, paid: Sale[]) => {
  const { lines, credits } = expected;
  for (const line of lines)
    await expectRow(rowOf(asked, new RegExp(`^${name}`)), shownAmounts(line));
  for (const [place, credit] of credits.entries())
    await expectRow(
      rowOf(asked, new RegExp(`^Credit for .+ ${paid[place]?.number}`)),
      shownAmounts(credit, -1),
    );
  await expect(rowOf(asked, /^Credit for/)).toHaveCount(credits.length);
  const [price, credited] = [sumOf(lines), sumOf(credits)];
  const total = {
    net: price.net - credited.net,
    tax: price.tax - credited.tax,
    gross: price.gross - credited.gross,
  };
  await expectRow(rowOf(asked, /^Total/), shownAmounts(total));
};

const confirm = async (asked: Locator, button: string) => {
  await asked.getByRole("textbox", { name: "Reason" }).fill("Requested");
  await asked.getByRole("button", { name: button, exact: true }).click();
  await expect(asked).toHaveCount(0);
};

/** Opens the payment that a change waits for, and resolves it. */
const payChange = async (page: Page) => {
  await section(page, "Subscription").getByRole("link", { name: /^TX/ }).click();
  await press(page, "Resolve");
  const asked = dialog(page, "How did this payment end?");
  await asked.getByRole("radio", { name: /^Paid/ }).check();
  await asked.getByRole("textbox", { name: "Evidence" }).fill("Statement 11, line 7");
  await asked.getByRole("button", { name: "Resolve payment" }).click();
  await expect(page.locator(".page-meta")).toHaveText("Settled");
};

/** Compares lines, credits and amounts of a change or renewal on its page. */
const expectCharged = async (page: Page, expected: Expected) => {
  const { lines, credits, fromCredits, fromBalance, due } = expected;
  const price = sumOf(lines);
  await expect(heading(page)).toHaveText(eur(price.gross));
  const untouched = [...shownAmounts(price), "0.00", shown(price.gross)];
  await expectRow(rowOf(section(page, "Lines"), /^Total, EUR/), ["", ...untouched]);
  const creditRows = section(page, "Credits").locator("tbody").getByRole("row");
  await expect(creditRows).toHaveCount(credits.length);
  for (const [place, credit] of credits.entries())
    await expectRow(creditRows.nth(place), shownAmounts(credit));
  const amounts = section(page, "Amounts");
  await expectSum(rowOf(amounts, /^Tax/), eur(price.tax));
  const paidBefore = fromCredits + fromBalance;
  if (paidBefore > 0) {
    await expectSum(rowOf(amounts, /^Total/), eur(price.gross));
    await expectSum(rowOf(amounts, /^From balance/), `−${eur(paidBefore)}`);
  }
  await expectSum(rowOf(amounts, /^Paid/), eur(due));
};

test("S2.26 M1 M5 An upgrade credits the unused time of each payment with its tax, and charges the rest", async ({
  ownerPage: page,
}) => {
  const shop = await openShop(page);
  const pack = await shop.putOnSale(2999);
  const larger = await shop.putOnSale(12_995);
  const at = tenDaysAgo();
  const first = await shop.sell("T1", [{ pack }], at);
  // The next period was paid in advance.
  const next = await shop.sell("T2", [{ pack }], new Date(+at + 2 * 86_400_000), "T1.1");
  await openTransaction(page, first.sale);

  const plan = await planChange(page, { pack: larger });
  const expected = shop.expectCharge({
    id: "T3",
    kind: "change",
    at: plan.at,
    of: [{ pack: larger }],
    subscription: "T1.1",
  });
  await expectPlan(plan.asked, larger.name, expected, [first.sale, next.sale]);
  await expectSum(rowOf(plan.asked, /^Due now/), shown(expected.due));
  await confirm(plan.asked, `Change and charge ${eur(expected.due)}`);
  await expect(toast(page, `Waiting for a payment of ${eur(expected.due)}`)).toBeVisible();
  await payChange(page);
  await expectCharged(page, expected);

  for (const [place, { sale, expected: sold }] of [first, next].entries()) {
    await openTransaction(page, sale);
    const [line, credit] = [sumOf(sold.lines), expected.credits[place]?.gross ?? 0];
    await expectRow(rowOf(section(page, "Lines"), /^Total, EUR/), [
      "",
      ...shownAmounts(line),
      shown(credit),
      shown(line.gross - credit),
    ]);
  }
});

/** A package of which a third of the time was used is replaced with a cheaper one, through the dialog. */
const downgrade = async (page: Page, shop: Shop) => {
  const pack = await shop.putOnSale(29_999);
  const smaller = await shop.putOnSale(4995);
  const { sale } = await shop.sell("T1", [{ pack }], tenDaysAgo());
  await openTransaction(page, sale);
  const plan = await planChange(page, { pack: smaller });
  const expected = shop.expectCharge({
    id: "T2",
    kind: "change",
    at: plan.at,
    of: [{ pack: smaller }],
    subscription: "T1.1",
  });
  await expectPlan(plan.asked, smaller.name, expected, [sale]);
  await expectSum(rowOf(plan.asked, /^To balance/), shown(expected.toBalance));
  await confirm(plan.asked, `Change and credit ${eur(expected.toBalance)}`);
  await expect(toast(page, "Package changed")).toBeVisible();
  return { smaller, expected };
};

const balanceRows = (page: Page) => section(page, "Balance").locator("tbody").getByRole("row");

/** Compares the entries on the customer's page, newest first: the change and the balance after it. */
const expectBalance = async (page: Page, entries: readonly [RegExp, string, number][]) => {
  await expect(balanceRows(page)).toHaveCount(entries.length);
  for (const [place, [name, changed, after]] of entries.entries()) {
    const row = balanceRows(page).nth(place);
    await expect(row.locator("th")).toHaveText(name);
    await expect(row.locator("td.end")).toHaveText([changed, eur(after)]);
  }
};

test("S2.26 M3 M5 A downgrade credits the rest of the paid time to the balance @nightly", async ({
  ownerPage: page,
}) => {
  const shop = await openShop(page);
  const { expected } = await downgrade(page, shop);
  await page.goto(`/users/view/${shop.customer.id}?tab=payments`);
  const [credited, price] = [sumOf(expected.credits).gross, sumOf(expected.lines).gross];
  expect(shop.expectedBalance()).toBe(expected.toBalance);
  await expectBalance(page, [
    [/^Payment TX/, shown(-price), expected.toBalance],
    [/^Credit for a change TX/, `+${shown(credited)}`, credited],
  ]);
  await balanceRows(page).first().getByRole("link").click();
  await expectCharged(page, expected);
});

/** The period ends now, as if its time had passed. */
const endPeriod = async ({ database }: Product, { id }: { id: string }) => {
  await database.query(
    `update subscriptions set anchor = anchor - passed, period_start = period_start - passed,
       period_end = period_end - passed, access_until = access_until - passed
     from (select period_end - now() as passed from subscriptions where user_id = $1) s where user_id = $1`,
    [id],
  );
  await runJob({ database }, "renew-subscriptions");
};

test("S2.26 M5 A renewal is taxed and paid from the balance @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const shop = await openShop(page);
  const { smaller, expected: changed } = await downgrade(page, shop);
  await page.goto(`/users/view/${shop.customer.id}?tab=payments`);
  await expect(balanceRows(page)).toHaveCount(2);
  const at = new Date();
  await endPeriod(product, shop.customer);
  const expected = shop.expectCharge({
    id: "T3",
    kind: "renewal",
    at,
    of: [{ pack: smaller }],
    payment: 2,
    subscription: "T1.1",
  });
  expect(expected.due).toBe(0);
  const price = sumOf(expected.lines).gross;
  await expectBalance(page, [
    [/^Payment TX/, shown(-price), shop.expectedBalance()],
    [/^Payment TX/, shown(-price), changed.toBalance],
    [
      /^Credit for a change TX/,
      `+${shown(sumOf(changed.credits).gross)}`,
      changed.toBalance + price,
    ],
  ]);
  await balanceRows(page).first().getByRole("link").click();
  await expect(page.locator(".page-facts")).toContainText("Renewal");
  await expectCharged(page, expected);
});

test("S2.26 M1 M5 A seat that is added in the middle of a period costs the rest of it @nightly", async ({
  ownerPage: page,
}) => {
  const shop = await openShop(page);
  const pack = await shop.putOnSale(1795, { perUnit: true });
  const { sale } = await shop.sell("T1", [{ pack, quantity: 3 }], tenDaysAgo());
  await openTransaction(page, sale);
  const plan = await planChange(page, { quantity: 4 });
  const expected = shop.expectCharge({
    id: "T2",
    kind: "change",
    at: plan.at,
    of: [{ pack, quantity: 4 }],
    subscription: "T1.1",
    keepsPeriod: true,
  });
  await expectPlan(plan.asked, `${pack.name} × 4`, expected, [sale]);
  await expectSum(rowOf(plan.asked, /^Due now/), shown(expected.due));
  await confirm(plan.asked, `Change and charge ${eur(expected.due)}`);
  await payChange(page);
  await expectCharged(page, expected);
});

const documentRow = (page: Page, type: string) =>
  section(page, "Documents").getByRole("row").filter({ hasText: type });

/** Runs the job that issues documents, and waits for one on the page. */
const issue = async (page: Page, product: Product, type: string) => {
  await runJob(product, "issue-documents");
  await expect(async () => {
    await page.reload();
    await expect(documentRow(page, type)).toBeVisible({ timeout: 3000 });
  }).toPass();
  return documentRow(page, type);
};

/** Downloads a document and compares its number, lines, tax and total. */
const expectPdf = async (
  page: Page,
  row: Locator,
  { names, lines, sign }: { names: string[]; lines: ExpectedAmounts[]; sign: 1 | -1 },
) => {
  const number = await row.getByRole("rowheader").innerText();
  const downloading = page.waitForEvent("download");
  await row.getByRole("link", { name: `Download ${number}` }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`${number}.pdf`);
  const { pages } = await readPdf(await readFile(await file.path()));
  const texts = lines.map((line, place) => {
    const [net, tax, gross] = shownAmounts(line, sign);
    return { starts: `${names[place]} 1 `, ends: ` ${net} 25.5% ${tax} ${gross}` };
  });
  const [net, tax, gross] = shownAmounts(sumOf(lines), sign);
  const rows = pages.flatMap((one) => one.rows);
  expect(rows).toEqual(
    expect.arrayContaining([
      number,
      `Net ${net} EUR`,
      `VAT 25.5% ${tax} EUR`,
      `25.5% VAT Finland ${net} ${tax}`,
      `Total ${gross} EUR`,
    ]),
  );
  for (const { starts, ends } of texts)
    expect(rows.filter((text) => text.startsWith(starts) && text.endsWith(ends))).toHaveLength(1);
};

test("S2.26 M2 A refund by line has a credit note with the same amounts @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  const shop = await openShop(page);
  await enterSeller(page);
  const pack = await shop.putOnSale(4999);
  const addOn = await shop.putOnSale(1333, { kind: "add-on", group: null });
  const { sale, expected } = await shop.sell("T1", [{ pack }, { pack: addOn }], tenDaysAgo());
  await openTransaction(page, sale);
  await issue(page, product, "Invoice");

  await press(page, "Refund");
  const asked = dialog(page, `Refund ${sale.number}?`);
  const amounts = [2005, 777];
  for (const [place, { name }] of [pack, addOn].entries()) {
    const paid = shown(expected.lines[place]?.gross ?? 0);
    await expectRow(rowOf(asked, name), [paid, "0.00", paid, ""]);
    await asked
      .getByRole("textbox", { name: `Refund of ${name}` })
      .fill(shown(amounts[place] ?? 0));
  }
  const cuts = shop.expectRefund("T1", amounts);
  const [sold, refunded] = [sumOf(expected.lines), sumOf(cuts)];
  const total = rowOf(asked, /^Total/);
  await expect(total).toContainText(`Net ${shown(refunded.net)}, tax ${shown(refunded.tax)}`);
  const left = shown(sold.gross - refunded.gross);
  await expect(total).toContainText(`${shown(refunded.gross)}${left} left to refund`);
  await asked
    .getByRole("radio", { name: /^Keep access/ })
    .first()
    .check();
  await asked.getByRole("button", { name: `Refund ${eur(refunded.gross)}` }).click();
  await expect(toast(page, `${eur(refunded.gross)} refunded`)).toBeVisible();

  await expectRow(rowOf(section(page, "Lines"), /^Total, EUR/), [
    "",
    ...shownAmounts(sold),
    shown(refunded.gross),
    left,
  ]);
  await expectSum(rowOf(section(page, "Amounts"), /^Remaining/), `${left} EUR`);
  const note = await issue(page, product, "Credit note");
  await expect(note.locator("td[data-align=end]")).toHaveText(`−${eur(refunded.gross)}`);
  const names = [pack.name, addOn.name];
  await expectPdf(page, note, { names, lines: cuts, sign: -1 });
});

test("S2.26 M5 An invoice opens as a PDF with its number, tax and total @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  const shop = await openShop(page);
  await enterSeller(page);
  const pack = await shop.putOnSale(123_495);
  const { sale, expected } = await shop.sell("T1", [{ pack }], tenDaysAgo());
  const sold = sumOf(expected.lines);
  await openTransaction(page, sale);
  const invoice = await issue(page, product, "Invoice");
  await expect(invoice.locator("td[data-align=end]")).toHaveText(eur(sold.gross));
  await expectPdf(page, invoice, { names: [pack.name], lines: expected.lines, sign: 1 });

  await page.goto(`/users/view/${sale.user.id}?tab=documents`);
  const documents = section(page, "Documents");
  await expect(documentRow(page, "Invoice")).toContainText(eur(sold.gross));
  await expect(documents.getByRole("row", { name: /^Total/ })).toContainText(eur(sold.gross));
  await documents.getByRole("link", { name: sale.number, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/transaction/view/${sale.id}$`));
});
