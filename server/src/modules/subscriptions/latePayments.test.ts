import { randomUUID } from "node:crypto";
import {
  cancelSubscription,
  changeSubscription,
  extendSubscription,
  getSubscription,
  pauseSubscription,
} from "@purser/contract/subscriptions/endpoints";
import { refundTransaction, resolveTransaction } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { findBroken, type Query } from "../transactions/testing/invariants.testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renew } from "./renewals.ts";

// Faults that random operations with injected failures found.
const product = await testProduct();
const { call, owner, platform } = product;
const { admin, sellPackage, promote, saleOf, sell, record, read } = await shopIn(product);
const query: Query = async (text, values) => (await owner.query(text, values)).rows;
const dayMs = 86_400_000;
const ago = (days: number) => ({ occurredAt: new Date(Date.now() - days * dayMs).toISOString() });

const renewAt = (id: string | null, now: Date) =>
  platform.db.transaction().execute((db) => renew(db, id ?? "", { now, zone: "Europe/Tallinn" }));

const resolve = async (id: string, outcome: "succeeded" | "failed") => {
  const { version } = await read(id);
  const body = { outcome, evidence: "The bank says so" };
  return call(admin, resolveTransaction, { params: { id }, version, body });
};

const renewalOf = async (subscriptionId: string | null) => {
  const [row] = await query<{ id: string }>(
    "select id from transactions where subscription_id = $1 and kind = 'renewal'",
    [subscriptionId],
  );
  return row?.id ?? "";
};

const versionOf = async (id: string) =>
  (await call(admin, getSubscription, { params: { id } })).body.version;

const pause = async ({ subscriptionId }: { subscriptionId: string | null }) => {
  const id = subscriptionId ?? "";
  const sent = { params: { id }, version: await versionOf(id), body: { reason: "Asked" } };
  expect((await call(admin, pauseSubscription, sent)).status).toBe(200);
};

test("records a renewal that is paid after the grace period", async () => {
  const { subscriptionId } = await sell(saleOf((await sellPackage()).id, ago(40)));
  await renewAt(subscriptionId, new Date());
  const renewal = await renewalOf(subscriptionId);
  await renewAt(subscriptionId, new Date());
  const paid = await resolve(renewal, "succeeded");
  expect(paid.status, paid.text).toBe(200);
});

test("records a renewal that is paid after its period was sold manually", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id, ago(33)));
  await renewAt(sale.subscriptionId, new Date());
  const renewal = await renewalOf(sale.subscriptionId);
  await sell(saleOf(pack.id, { email: sale.user.email }), { isNoDuplicate: true });
  const paid = await resolve(renewal, "succeeded");
  expect(paid.status, paid.text).toBe(200);
});

test("a period bought during a pause breaks no invariant", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id));
  await pause(sale);
  await sell(saleOf(pack.id, { email: sale.user.email }), { isNoDuplicate: true });
  expect(await findBroken(query)).toEqual([]);
});

test("a payment that succeeds late redeems its promotion again", async () => {
  const pack = await sellPackage();
  const code = randomUUID().slice(0, 12);
  const { id } = await promote({ code, redemptionLimit: 1, packageIds: [pack.id] });
  const sale = await sell(saleOf(pack.id, { codes: [code] }), { state: "pending" });
  await resolve(sale.id, "failed");
  const paid = await resolve(sale.id, "succeeded");
  expect(paid.status, paid.text).toBe(200);
  expect(await query("select uses from promotions where id = $1", [id])).toEqual([{ uses: 1 }]);
});

test("refuses to end access with the period of a paused subscription", async () => {
  const sale = await sell(saleOf((await sellPackage()).id));
  await pause(sale);
  const body = { amount: 100, access: "end with period" as const, reason: "Leaves" };
  const refunded = await call(admin, refundTransaction, { params: { id: sale.id }, body });
  expect(refunded.status, refunded.text).toBe(409);
  expect(refunded.text).toContain("Resume it first, or end access now.");
});

test("records a payment of last week after the subscription has ended", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id, ago(10)));
  const id = sale.subscriptionId ?? "";
  const body = { when: "now", reason: "Asked" } as const;
  await call(admin, cancelSubscription, { params: { id }, version: await versionOf(id), body });
  const again = await record(saleOf(pack.id, { email: sale.user.email, ...ago(7) }));
  expect(again.status, again.text).toBe(201);
  expect(await findBroken(query)).toEqual([]);
});

test("renews a subscription whose sale was recorded late, after an earlier one had ended", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id, ago(1)));
  const id = sale.subscriptionId ?? "";
  const body = { when: "now", reason: "Asked" } as const;
  await call(admin, cancelSubscription, { params: { id }, version: await versionOf(id), body });
  const late = await sell(saleOf(pack.id, { email: sale.user.email, ...ago(33) }));
  await renewAt(late.subscriptionId, new Date());
  const paid = await resolve(await renewalOf(late.subscriptionId), "succeeded");
  expect(paid.status, paid.text).toBe(200);
  expect(await findBroken(query)).toEqual([]);
});

test("records a renewal that is paid after an extension", async () => {
  const { subscriptionId } = await sell(saleOf((await sellPackage()).id, ago(33)));
  await renewAt(subscriptionId, new Date());
  const id = subscriptionId ?? "";
  const body = { days: 3, reason: "Sorry" };
  await call(admin, extendSubscription, { params: { id }, version: await versionOf(id), body });
  const paid = await resolve(await renewalOf(subscriptionId), "succeeded");
  expect(paid.status, paid.text).toBe(200);
});

test("a pending payment for the old package replaces the new package when it succeeds", async () => {
  const group = "one-of-them";
  const usual = await sellPackage({ group });
  const prices = [{ currency: "EUR", amount: 100, interval: "month" }];
  const cheap = await sellPackage({ group, prices });
  const sale = await sell(saleOf(usual.id));
  const { email } = sale.user;
  const waiting = await sell(saleOf(usual.id, { email }), {
    state: "pending",
    isNoDuplicate: true,
  });
  const id = sale.subscriptionId ?? "";
  const body = {
    packageId: cheap.id,
    interval: "month",
    when: "now",
    reason: "Spends less",
  } as const;
  const sent = { params: { id }, version: await versionOf(id), body } as const;
  expect((await call(admin, changeSubscription, sent)).body).toMatchObject({ status: "ended" });
  const activePackages = async () =>
    query<{ package_id: string }>(
      `select distinct package_id from grants g join users u on u.id = g.user_id
       where u.email = $1 and g.starts_at <= now() and g.ends_at > now()`,
      [email],
    );
  expect(await activePackages()).toEqual([{ package_id: cheap.id }]);

  const paid = await resolve(waiting.id, "succeeded");
  expect(paid.status, paid.text).toBe(200);
  expect(await activePackages()).toEqual([{ package_id: usual.id }]);
  expect(await findBroken(query)).toEqual([]);
});
