import { currencies } from "@purser/contract/fields/amounts";
import { expect, test } from "vitest";
import { moneyOf, stripeProvider } from "./stripe.ts";

test("converts Stripe amounts to the minor units of ISO 4217", () => {
  expect(moneyOf(1200, "eur")).toEqual({ amount: 1200, currency: "EUR" });
  expect(moneyOf(500, "jpy")).toEqual({ amount: 500, currency: "JPY" });
  expect(moneyOf(12_340, "kwd")).toEqual({ amount: 12_340, currency: "KWD" });
  // Currencies whose minor unit at Stripe differs.
  expect(moneyOf(50_000, "isk")).toEqual({ amount: 500, currency: "ISK" });
  expect(moneyOf(50_050, "ugx")).toBeNull();
  expect(moneyOf(7, "mga")).toEqual({ amount: 700, currency: "MGA" });
  expect(moneyOf(100, "zzz")).toBeNull();
  expect(currencies.map((currency) => moneyOf(100, currency)).includes(null)).toBe(false);
});

const { notificationOf } = stripeProvider({
  secrets: [],
  apiKey: undefined,
  apiUrl: "https://example.com",
});

const notificationFor = (type: string, object: object) =>
  notificationOf(JSON.stringify({ id: "evt_1", type, created: 1_800_000_000, data: { object } }));

test("reads only events about the result of a payment, refund or dispute", () => {
  const refund = { id: "re_1", amount: 5, currency: "eur", payment_intent: "pi_1" };
  expect(notificationFor("refund.created", { ...refund, status: "pending" })).toBeNull();
  expect(notificationFor("refund.updated", { ...refund, status: "succeeded" })).toMatchObject({
    kind: "refund",
    payment: "pi_1",
    reference: "re_1",
    money: { amount: 5, currency: "EUR" },
  });
  expect(notificationFor("refund.failed", { ...refund, status: "failed" })).toMatchObject({
    kind: "notice",
  });
  const dispute = { payment_intent: { id: "pi_1" } };
  expect(
    notificationFor("charge.dispute.closed", { ...dispute, status: "warning_closed" }),
  ).toBeNull();
  expect(notificationFor("charge.dispute.closed", { ...dispute, status: "lost" })).toMatchObject({
    kind: "dispute",
    payment: "pi_1",
    outcome: "dispute lost",
  });
  expect(notificationFor("charge.refunded", {})).toBeNull();
});

test.each([
  ["its date", { due_by: 1_800_500_000 }, new Date(1_800_500_000_000)],
  ["no date", { due_by: null }, null],
  ["zero", { due_by: 0 }, null],
  ["nothing", undefined, null],
])("a dispute with %s says until when evidence can be sent, or nothing", (_case, given, dueAt) => {
  const dispute = { payment_intent: "pi_1", status: "needs_response", evidence_details: given };
  expect(notificationFor("charge.dispute.created", dispute)).toMatchObject({ dueAt });
});
