import { expect, test } from "vitest";
import type { OldTransaction } from "./history.ts";
import { splitHistory } from "./splitHistory.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

const base: OldTransaction = {
  id: "1",
  kind: "purchase",
  state: "succeeded",
  packageId: "package",
  versionId: "version",
  priceId: "price",
  packageName: "Crew",
  subscriptionId: "first",
  parentId: null,
  currency: "EUR",
  subtotal: 3000,
  discount: 0,
  tax: 0,
  total: 3000,
  provider: "stripe",
  periodStart: day(1),
  periodEnd: day(31),
  occurredAt: day(1),
  settledAt: day(1),
  createdAt: day(1),
  trialDays: 0,
  credit: null,
  anchor: day(1),
  isLastPeriod: true,
};

/** A change on a day, with a credit for the unused time of the first subscription. */
const change = (id: string, on: number, credit: number, more: Partial<OldTransaction> = {}) => ({
  ...base,
  id,
  kind: "change" as const,
  provider: "change",
  subscriptionId: `subscription of ${id}`,
  subtotal: 9000,
  discount: credit,
  total: 9000 - credit,
  occurredAt: day(on),
  settledAt: day(on),
  createdAt: day(on),
  periodStart: day(on),
  periodEnd: day(on + 30),
  credit: { subscriptionId: "first", amount: credit },
  ...more,
});

const unpaid = { settledAt: null, periodStart: null, periodEnd: null, subscriptionId: null };

const takeBack = (id: string, on: number, total: number, more: Partial<OldTransaction> = {}) => ({
  ...base,
  id,
  kind: "refund" as const,
  packageId: null,
  subscriptionId: null,
  parentId: "1",
  subtotal: total - (more.tax ?? 0),
  total,
  occurredAt: day(on),
  settledAt: day(on),
  createdAt: day(on),
  periodStart: null,
  periodEnd: null,
  ...more,
});

const splitOf = (transactions: OldTransaction[], periodEnds = new Map<string, Date>()) => {
  let count = 0;
  const newId = () => {
    count += 1;
    return `new ${count}`;
  };
  const split = splitHistory({ transactions, lines: [], periodEnds, openChanges: [] }, newId);
  const accounts: Record<string, number> = {};
  for (const { account, amount } of split.entries.flatMap(({ postings }) => postings))
    accounts[account] = (accounts[account] ?? 0) + amount;
  return {
    ...split,
    accounts: Object.fromEntries(Object.entries(accounts).filter(([, amount]) => amount !== 0)),
    credited: split.credits.map(({ transactionId, reason, state, net, tax, unused }) => [
      transactionId,
      reason,
      state,
      net,
      tax,
      unused && [unused.start.getUTCDate(), unused.end.getUTCDate()],
    ]),
    moved: split.marks.map(({ id, credit }) => [id, credit]),
    paid: split.balanceEntries.map(({ kind, amount }) => [kind, amount]),
  };
};

type Case = {
  transactions: OldTransaction[];
  credited?: unknown[];
  paid?: unknown[];
  moved: unknown[];
  accounts: Record<string, number>;
};

const cases: Record<string, Case> = {
  "a plain sale with tax": {
    transactions: [{ ...base, discount: 500, tax: 475, total: 2975 }],
    moved: [["1", 0]],
    accounts: { "cash:stripe": 2975, revenue: -2500, "tax:unknown": -475 },
  },
  "a draft": {
    transactions: [{ ...base, ...unpaid, state: "draft" }],
    moved: [["1", 0]],
    accounts: {},
  },
  "a renewal that was paid to Purser's own request": {
    transactions: [{ ...base, kind: "renewal", provider: "renewal" }],
    moved: [["1", 0]],
    accounts: { "cash:manual": 3000, revenue: -3000 },
  },
  "a change with a credit": {
    transactions: [base, change("2", 11, 2000)],
    credited: [["2", "change", "applied", 2000, 0, [11, 31]]],
    paid: [
      ["credit", 2000],
      ["payment", -2000],
    ],
    moved: [
      ["1", 0],
      ["2", 2000],
    ],
    accounts: { "cash:stripe": 3000, "cash:manual": 7000, revenue: -10_000 },
  },
  "M1 two changes with the same credit": {
    transactions: [base, change("2", 11, 2000), change("3", 12, 1900)],
    credited: [["2", "change", "applied", 2000, 0, [11, 31]]],
    paid: [
      ["credit", 2000],
      ["payment", -2000],
      ["added", 1900],
      ["payment", -1900],
    ],
    moved: [
      ["1", 0],
      ["2", 2000],
      ["3", 1900],
    ],
    accounts: {
      "cash:stripe": 3000,
      "cash:manual": 7000 + 7100,
      revenue: -19_000,
      "team credits": 1900,
    },
  },
  "a pending change": {
    transactions: [base, change("2", 11, 2000, { ...unpaid, state: "pending" })],
    credited: [["2", "change", "held", 2000, 0, [11, 31]]],
    moved: [
      ["1", 0],
      ["2", 2000],
    ],
    accounts: { "cash:stripe": 3000, revenue: -3000 },
  },
  "M1 a pending change after one that was paid keeps its price": {
    transactions: [
      base,
      change("2", 11, 2000, { ...unpaid, state: "pending" }),
      change("3", 11, 2000),
    ],
    credited: [["3", "change", "applied", 2000, 0, [11, 31]]],
    paid: [
      ["credit", 2000],
      ["payment", -2000],
    ],
    moved: [
      ["1", 0],
      ["3", 2000],
      ["2", 0],
    ],
    accounts: { "cash:stripe": 3000, "cash:manual": 7000, revenue: -10_000 },
  },
  "a failed change": {
    transactions: [base, change("2", 11, 2000, { ...unpaid, state: "failed" })],
    credited: [["2", "change", "released", 2000, 0, [11, 31]]],
    moved: [
      ["1", 0],
      ["2", 2000],
    ],
    accounts: { "cash:stripe": 3000, revenue: -3000 },
  },
  "refunds in two parts": {
    transactions: [
      { ...base, tax: 570, total: 3570 },
      takeBack("2", 3, 1000, { tax: 160 }),
      takeBack("3", 4, 2570, { tax: 410 }),
    ],
    credited: [
      ["2", "refund", "applied", 840, 160, null],
      ["3", "refund", "applied", 2160, 410, null],
    ],
    moved: [
      ["1", 0],
      ["2", 0],
      ["3", 0],
    ],
    accounts: {},
  },
  "M2 a full refund after a change": {
    transactions: [base, change("2", 11, 2000), takeBack("3", 20, 3000)],
    credited: [
      ["2", "change", "applied", 2000, 0, [11, 31]],
      ["3", "refund", "applied", 1000, 0, null],
    ],
    paid: [
      ["credit", 2000],
      ["payment", -2000],
    ],
    moved: [
      ["1", 0],
      ["2", 2000],
      ["3", 0],
    ],
    accounts: { "cash:manual": 7000, revenue: -9000, "write-offs": 2000 },
  },
  "a chargeback after a change": {
    transactions: [base, change("2", 11, 2000), takeBack("3", 20, 3000, { kind: "chargeback" })],
    credited: [
      ["2", "change", "applied", 2000, 0, [11, 31]],
      ["3", "chargeback", "applied", 1000, 0, null],
    ],
    paid: [
      ["credit", 2000],
      ["payment", -2000],
    ],
    moved: [
      ["1", 0],
      ["2", 2000],
      ["3", 0],
    ],
    accounts: { "cash:manual": 7000, revenue: -9000, "write-offs": 2000 },
  },
};

test.each(Object.entries(cases))("splits %s", (_, { transactions, ...expected }) => {
  const { credited, paid, moved, accounts, entries, lines } = splitOf(transactions);
  expect({ credited, paid, moved, accounts }).toEqual({ credited: [], paid: [], ...expected });
  for (const { postings } of entries)
    expect(postings.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  for (const { id } of transactions.filter(
    ({ kind }) => kind !== "refund" && kind !== "chargeback",
  ))
    expect(lines.filter(({ transactionId }) => transactionId === id)).toHaveLength(1);
});

test("a line is for the time after the free days", () => {
  const trial = { ...base, trialDays: 10, anchor: day(11), periodEnd: day(41) };
  expect(splitOf([trial]).lines).toMatchObject([{ periodStart: day(11), periodEnd: day(41) }]);
  // A pause has moved the anchor behind the period.
  expect(splitOf([{ ...trial, anchor: day(60) }]).lines).toMatchObject([
    { periodStart: day(11), periodEnd: day(41) },
  ]);
});

test("a line that isn't paid has no subscription and no time yet", () => {
  const pending = { ...base, kind: "renewal" as const, state: "pending" as const, settledAt: null };
  expect(splitOf([pending]).lines).toMatchObject([
    { subscriptionId: null, periodStart: null, periodEnd: null, gross: 3000 },
  ]);
});

test("the credit of a paused subscription is on the clock of its line", () => {
  // Paused for 10 days, so that the period ended on day 41. On day 31, 10 of 30 days were left.
  const { credited } = splitOf([base, change("2", 31, 1000)], new Map([["first", day(41)]]));
  expect(credited).toEqual([["2", "change", "applied", 1000, 0, [21, 31]]]);
});

test("only one of several pending changes is bound to the subscription", () => {
  const pending = { ...unpaid, state: "pending" as const };
  const { marks } = splitOf([base, change("2", 11, 900, pending), change("3", 12, 900, pending)]);
  expect(marks.map(({ changesId }) => changesId)).toEqual([null, "first", null]);
});
