import {
  cancelSubscription,
  changeSubscription,
  extendSubscription,
  getSubscription,
  keepSubscription,
  listSubscriptions,
  pauseSubscription,
  previewChange,
  resumeSubscription,
} from "@purser/contract/subscriptions/endpoints";
import { resolveTransaction } from "@purser/contract/transactions/actions";
import { listTransactions } from "@purser/contract/transactions/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renew } from "./renewals.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const { admin, sellPackage, saleOf, sell } = await shopIn(product);

const subscribe = async (details: object = {}, sale: object = {}) => {
  const pack = await sellPackage(details);
  const { subscriptionId, user } = await sell(saleOf(pack.id, sale));
  return { id: subscriptionId ?? "", userId: user.id, packageId: pack.id };
};

const read = async (id: string) => (await call(admin, getSubscription, { params: { id } })).body;

type Act =
  | typeof cancelSubscription
  | typeof keepSubscription
  | typeof extendSubscription
  | typeof pauseSubscription
  | typeof resumeSubscription
  | typeof changeSubscription;

const act = async (endpoint: Act, id: string, body: object = {}) => {
  const { version } = await read(id);
  return call(admin, endpoint, { params: { id }, version, body: body as never });
};

const isHeld = async (userId: string, packageId: string) => {
  const { rows } = await owner.query(
    "select from grants where user_id = $1 and package_id = $2 and starts_at <= now() and ends_at > now()",
    [userId, packageId],
  );
  return rows.length > 0;
};

const renewAt = (id: string, now: Date) =>
  platform.db.transaction().execute((db) => renew(db, id, { now, zone: "UTC" }));

test("cancels now or at the end of the period, and can be kept until then", async () => {
  const now = await subscribe();
  expect(
    (await act(cancelSubscription, now.id, { when: "now", reason: "Moved" })).body.status,
  ).toBe("ended");
  expect(await isHeld(now.userId, now.packageId)).toBe(false);
  const later = await subscribe();
  const ending = await act(cancelSubscription, later.id, { when: "period end", reason: "Moves" });
  expect(ending.body.status).toBe("ending");
  expect(await isHeld(later.userId, later.packageId)).toBe(true);
  expect((await act(keepSubscription, later.id)).body.status).toBe("active");
  expect((await act(keepSubscription, later.id)).status).toBe(409);
});

test("an extension moves the start of the next period", async () => {
  const { id } = await subscribe();
  const before = await read(id);
  const { body } = await act(extendSubscription, id, { days: 10, reason: "We were down" });
  expect(+new Date(body.periodEnd) - +new Date(before.periodEnd)).toBe(10 * 86_400_000);
  await renewAt(id, new Date(body.periodEnd));
  const { rows } = await owner.query<{ period_start: Date }>(
    "select period_start from transactions where subscription_id = $1 and kind = 'renewal'",
    [id],
  );
  expect(rows[0]?.period_start.toISOString()).toBe(body.periodEnd);
});

test("a pause ends access, and resuming restores the remaining time", async () => {
  const { id, userId, packageId } = await subscribe();
  const before = await read(id);
  await act(pauseSubscription, id, { reason: "On leave" });
  expect(await isHeld(userId, packageId)).toBe(false);
  await renewAt(id, new Date(before.periodEnd));
  expect((await read(id)).status).toBe("paused");
  const { body } = await act(resumeSubscription, id);
  expect(body.status).toBe("active");
  expect(+new Date(body.periodEnd)).toBeGreaterThanOrEqual(+new Date(before.periodEnd));
  expect(await isHeld(userId, packageId)).toBe(true);
});

test("a change now credits the unused part of the paid period", async () => {
  const halfAgo = new Date(Date.now() - 15 * 86_400_000).toISOString();
  const { id, userId, packageId } = await subscribe({}, { occurredAt: halfAgo });
  const larger = await sellPackage({
    prices: [{ currency: "EUR", amount: 5000, interval: "month" }],
  });
  const asked = { packageId: larger.id, interval: "month", when: "now" } as const;
  const preview = await call(admin, previewChange, { params: { id }, body: asked });
  const { payment, total } = preview.body;
  expect(total).toBe(5000);
  expect(payment.fromCredits).toBeGreaterThan(500);
  expect(payment.due).toBe(total - payment.fromCredits);
  await act(changeSubscription, id, { ...asked, reason: "Grows" });
  expect(await isHeld(userId, packageId)).toBe(true);
  const { body } = await call(admin, listTransactions, {
    query: { f: [`user:any:${userId}`, "kind:any:change"] },
  });
  const [change] = body.items;
  expect(change?.state).toBe("pending");
  await call(admin, resolveTransaction, {
    params: { id: change?.id ?? "" },
    version: change?.version ?? 0,
    body: { outcome: "succeeded", evidence: "Paid" },
  });
  expect(await isHeld(userId, packageId)).toBe(false);
  expect(await isHeld(userId, larger.id)).toBe(true);
  const { items } = (await call(admin, listSubscriptions, { params: { id: userId } })).body;
  expect(items.map(({ status }) => status)).toEqual(["active", "ended"]);
});

test("a change at the end of the period costs nothing until then", async () => {
  const { id, userId, packageId } = await subscribe();
  const other = await sellPackage();
  const asked = { packageId: other.id, interval: "month", when: "period end" } as const;
  const { body } = await act(changeSubscription, id, { ...asked, reason: "Later" });
  expect(body.next).toMatchObject({ package: "Studio" });
  expect(await isHeld(userId, packageId)).toBe(true);
  await renewAt(id, new Date(body.periodEnd));
  const { rows } = await owner.query(
    "select package_id from transactions where subscription_id = $1 and kind = 'renewal'",
    [id],
  );
  expect(rows).toEqual([{ package_id: other.id }]);
});
