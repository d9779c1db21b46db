import { expect, test } from "vitest";
import type { Buyer, Discount, Reason } from "./conditions.ts";
import { traceMessage } from "./labels.ts";
import { priceOrder } from "./pricing.ts";
import {
  amountOff,
  at,
  lineOf,
  moreSeats,
  moreTrial,
  orderOf,
  outcomesOf,
  percentOff,
} from "./testing/arbitraries.ts";

const before = new Date("2026-11-01T00:00:00Z");
const after = new Date("2026-12-01T00:00:00Z");

type Condition = Partial<Omit<Discount, "kind" | "basisPoints" | "amounts">>;

const customer: Buyer = { hasHeldAnything: true, hasPaid: true };

test.each<[Reason, Condition, string]>([
  ["draft", { isPublished: false }, "Autumn is a draft."],
  ["archived", { archivedAt: before, pausedAt: before }, "Autumn is archived."],
  ["paused", { pausedAt: before }, "Autumn is paused."],
  ["not started", { startsAt: after }, "Autumn starts on Dec 1, 2026, 00:00 UTC."],
  ["ended", { endsAt: at }, "Autumn ended on Nov 14, 2026, 12:00 UTC."],
  [
    "used up",
    { redemptionLimit: 100, redemptions: 100 },
    "Autumn has reached its limit of 100 redemptions.",
  ],
  ["code", { code: { given: false } }, "Autumn requires a code."],
  [
    "used by buyer",
    { redemptionLimitPerCustomer: 1, redemptionsByBuyer: 1 },
    "Autumn is limited to 1 redemption per customer, and this customer has reached the limit.",
  ],
  ["audience", { audience: "new" }, "Autumn is only for customers who never had a package."],
  ["audience", { audience: "listed" }, "Autumn is only for selected customers."],
  ["audience", { audience: "first purchase" }, "Autumn is only for first-time buyers."],
  ["package", { packageIds: ["team"] }, "Autumn doesn't apply to this package."],
  ["interval", { intervals: ["year", "once"] }, "Autumn doesn't apply to this billing period."],
  ["currency", { cap: { USD: 500 } }, "Autumn has no amount in EUR."],
  ["currency", { budgets: { USD: 500 } }, "Autumn has no amount in EUR."],
  ["currency", { minimum: { USD: 500 } }, "Autumn has no amount in EUR."],
  ["minimum", { minimum: { EUR: 123_456 } }, "Autumn requires a minimum purchase of 1,234.56 EUR."],
  ["budget", { budgets: { EUR: 10 } }, "Autumn would exceed its remaining budget."],
  [
    "nothing left",
    { cap: { EUR: 0 } },
    "Autumn doesn't apply because nothing is left to discount.",
  ],
])("doesn't apply because of %s: %j", (reason, condition, sentence) => {
  const autumn = percentOff("Autumn", 10, condition);
  const { discount, trace } = priceOrder(orderOf([lineOf(1000)], [autumn], customer));
  expect(discount).toBe(0);
  expect(trace).toMatchObject([{ applied: false, amount: 0, reason }]);
  for (const entry of trace) expect(traceMessage(entry, autumn, "EUR").text).toBe(sentence);
});

test.each<[Condition]>([
  [{ startsAt: at, endsAt: after }],
  [{ redemptionLimit: 100, redemptions: 99, redemptionLimitPerCustomer: 2, redemptionsByBuyer: 1 }],
  [{ code: { given: true } }],
  [{ audience: "existing" }],
  [{ audience: "listed", isBuyerListed: true }],
  [{ packageIds: ["team", "studio"], intervals: ["month"] }],
  [{ minimum: { EUR: 1000 }, cap: { EUR: 100 }, budgets: { EUR: 100 } }],
])("applies with %j", (condition) => {
  expect(outcomesOf([lineOf(1000)], [percentOff("Autumn", 10, condition)], customer)).toEqual({
    Autumn: 100,
  });
});

test("an amount in another currency doesn't apply", () => {
  const autumn = amountOff("Autumn", { USD: 500 });
  expect(outcomesOf([lineOf(1000)], [autumn])).toEqual({ Autumn: "currency" });
  expect(outcomesOf([lineOf(1000, { currency: "USD" })], [autumn])).toEqual({ Autumn: 500 });
});

test("M11 a promotion of an archived feature doesn't apply", () => {
  const seats = moreSeats("Seats", { isArchived: true });
  expect(outcomesOf([lineOf(1000)], [seats])).toEqual({ Seats: "feature archived" });
});

test("describes the effect of promotions that apply", () => {
  const promotions = [
    percentOff("Half", 50, { stacking: "exclusive" }),
    percentOff("Tenth", 10),
    moreTrial("Longer", 14),
    moreSeats("Seats"),
  ];
  const { trace } = priceOrder(orderOf([lineOf(250_000)], promotions));
  const sentences = promotions.map((promotion) =>
    trace
      .filter(({ promotionId }) => promotionId === promotion.id)
      .map((entry) => traceMessage(entry, promotion, "EUR").text),
  );
  expect(sentences.flat()).toEqual([
    "Half takes 1,250.00 EUR off.",
    "Tenth is replaced by a promotion that saves as much or more.",
    "Longer extends the free trial by 14 days.",
    "Seats adds a feature for 30 days.",
  ]);
});
