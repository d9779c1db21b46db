import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { expect, test } from "vitest";
import { readPostings } from "../modules/ledger/exportQueries.ts";
import { daysAgo, moneyIn, per30Days } from "../moneyFaults/testing.ts";
import { testProduct } from "../testing.ts";
import { ledger } from "./ledger.ts";
import { runHere } from "./testing.ts";

const product = await testProduct();
const { call, signIn, platform } = product;
const money = await moneyIn(product);

const purser = (...words: string[]) => runHere(platform.config, ledger, ...words);

/** Payments in currencies with 0, 2 and 3 decimals, one of them refunded. */
const sell = async () => {
  for (const [amount, currency] of [
    [500, "JPY"],
    [3005, "EUR"],
    [12_345, "BHD"],
  ] as const) {
    const pack = await money.putOnSale([per30Days(amount, currency)]);
    const customer = await money.newCustomer();
    const sale = await money.buy(customer, pack, { occurredAt: daysAgo(1) });
    if (currency === "EUR") await money.refund(sale.id, "end now");
  }
};

const dateIn = (days: number) => daysAgo(-days).slice(0, 10);

test("the journal is exported with the codes of the accounting software", async () => {
  await sell();
  const boss = await signIn("owner");
  const { version, updatedAt: _, ...details } = (await call(boss, getSettings)).body;
  const body = { ...details, accountCodes: { revenue: "8400" } };
  const saved = await call(boss, changeSettings, { version, body });
  expect(saved.status, saved.text).toBe(200);

  const { code, stdout } = await purser("export", "--from", dateIn(-5), "--until", dateIn(1));
  expect(code).toBe(0);
  const [header, ...rows] = stdout
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  expect(header?.join()).toBe(
    "date,entry,event,transaction,customer,account,code,currency,debit,credit",
  );
  const sums = new Map<string, number>();
  for (const row of rows) {
    const [, entry = "", , , , account = "", accountCode, , debit, credit] = row;
    expect(accountCode).toBe(account === "revenue" ? "8400" : "");
    sums.set(entry, (sums.get(entry) ?? 0) + Number(debit) - Number(credit));
  }
  expect([...sums.values()].map((sum) => Math.round(sum * 1000))).toEqual([0, 0, 0, 0]);
  const earned = rows.filter(
    ([, , event, , , account]) => event === "sale" && account === "revenue",
  );
  expect(earned.map((row) => [row[7], row[9]])).toEqual([
    ["JPY", "500"],
    ["EUR", "30.05"],
    ["BHD", "12.345"],
  ]);
});

test("batches of the export neither repeat nor skip an entry", async () => {
  const period = { from: new Date(daysAgo(5)), until: new Date(daysAgo(-1)) };
  const all = [];
  for await (const batch of readPostings(platform.db, period)) all.push(...batch);
  const inSteps = [];
  for await (const batch of readPostings(platform.db, period, 1)) inSteps.push(...batch);
  expect(all.length).toBeGreaterThan(0);
  expect(inSteps).toEqual(all);
});

test.each([
  [["export"], "Enter --from as a date such as 2026-01-31."],
  [["export", "--from", "2026-11-01"], "Enter --until as a date such as 2026-01-31."],
  [["export", "--from", "2026-11-01", "--until", "2026-13-01"], "Enter --until as a date"],
  [["print"], "Usage: purser ledger verify"],
])("ledger %j is refused", async (words, text) => {
  const { code, stderr } = await purser(...words);
  expect(code).toBe(1);
  expect(stderr).toContain(text);
});
