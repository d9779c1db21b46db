import {
  changeSubscription,
  getSubscription,
  previewChange,
} from "@purser/contract/subscriptions/endpoints";
import { previewRefund } from "@purser/contract/transactions/actions";
import {
  approveApproval,
  getApproval,
  requestApproval,
} from "@purser/contract/workspace/approvals";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
const product = await testProduct({ clock });
const { call, owner, signIn } = product;
const { admin: boss, sellPackage, saleOf, sell } = await shopIn(product);
await owner.query("update settings set approval_rules = '{refund}', refund_limits = '{}'");
const pack = await sellPackage();
const cheap = await sellPackage({
  prices: [{ currency: "EUR", amount: 100, interval: "month" }],
});
const reason = "Moved away.";
const minutes = 60_000;

/** A refund as the dialog requests it, with the moment of the preview and the amount that it showed. */
const requestRefund = async (of: "full" | "unused") => {
  clock.ahead = 0;
  const sale = await sell(saleOf(pack.id, { interval: of === "full" ? "once" : "month" }));
  const params = { id: sale.id };
  const wanted = { of, access: "keep" as const };
  const shown = (await call(boss, previewRefund, { params, body: wanted })).body;
  const body = { ...wanted, reason, at: shown.at, total: shown.total };
  const operation = "POST /transactions/:id/refund";
  const made = await call(boss, requestApproval, { body: { operation, params, body, reason } });
  expect(made.status, made.text).toBe(201);
  return { sale, id: made.body.id, total: shown.total };
};

const approveAfter = async (id: string, ms: number) => {
  clock.ahead = ms;
  const approver = await signIn("finance");
  return call(approver, approveApproval, { params: { id }, body: {} });
};

/** Without a session, because sessions have ended by then. */
const refundedOf = async ({ id }: { id: string }) =>
  Number(
    (await owner.query("select refunded from transactions where id = $1", [id])).rows[0].refunded,
  );

test("D3 a request whose amount doesn't depend on time is carried out late", async () => {
  const { sale, id, total } = await requestRefund("full");
  const approved = await approveAfter(id, 3 * 24 * 60 * minutes);
  expect(approved.status, approved.text).toBe(200);
  expect(approved.body.status).toBe("approved");
  expect(await refundedOf(sale)).toBe(total);
});

test("D3 within the time of a preview the amount that was shown is refunded", async () => {
  const { sale, id, total } = await requestRefund("unused");
  const approved = await approveAfter(id, 14 * minutes);
  expect(approved.status, approved.text).toBe(200);
  expect(await refundedOf(sale)).toBe(total);
});

test("D3 a late approval never refunds another amount than the approver saw", async () => {
  const { sale, id } = await requestRefund("unused");
  const late = await approveAfter(id, 5 * 24 * 60 * minutes);
  expect(late.text).toContain("amounts");
  expect([late.status, late.body["type"], late.body["reason"]]).toEqual([
    409,
    "urn:purser:problem:impact_changed",
    "approval_amounts_changed",
  ]);
  expect(late.body["detail"]).toMatch(/^The amounts have changed/);
  expect(await refundedOf(sale)).toBe(0);
  const manager = { ...boss, cookie: await product.startSession(boss.id) };
  const stored = (await call(manager, getApproval, { params: { id } })).body;
  expect(stored).toMatchObject({ status: "stale", answer: expect.stringMatching(/^The amounts/) });
  // A new preview can be requested and approved.
  const params = { id: sale.id };
  const wanted = { of: "unused" as const, access: "keep" as const };
  const shown = (await call(manager, previewRefund, { params, body: wanted })).body;
  const body = { ...wanted, reason, at: shown.at, total: shown.total };
  const operation = "POST /transactions/:id/refund";
  const again = await call(manager, requestApproval, { body: { operation, params, body, reason } });
  expect((await approveAfter(again.body.id, clock.ahead)).status).toBe(200);
  expect(await refundedOf(sale)).toBe(shown.total);
});

test("D3 a late change of a subscription is recalculated, and refused if its amounts differ", async () => {
  clock.ahead = 0;
  const sale = await sell(saleOf(pack.id, { interval: "year" }));
  const params = { id: sale.subscriptionId ?? "" };
  const { version } = (await call(boss, getSubscription, { params })).body;
  const wanted = { packageId: cheap.id, interval: "month" as const, when: "now" as const };
  const shown = (await call(boss, previewChange, { params, body: wanted })).body;
  const body = { ...wanted, rest: "payment method" as const, at: shown.at, reason };
  const refused = await call(boss, changeSubscription, { params, version, body });
  expect(refused.body["type"]).toBe("urn:purser:problem:approval_required");
  const operation = "POST /subscriptions/:id/change";
  const made = await call(boss, requestApproval, {
    body: { operation, params, version, body, reason },
  });
  expect(made.status, made.text).toBe(201);
  clock.ahead = 5 * 24 * 60 * minutes;
  const approver = await signIn("support");
  const late = await call(approver, approveApproval, { params: { id: made.body.id }, body: {} });
  expect(late.body["reason"]).toBe("approval_amounts_changed");
  expect(await refundedOf(sale)).toBe(0);
});
