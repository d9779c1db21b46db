import { resolveTransaction } from "@purser/contract/transactions/actions";
import { listGrants, mergeUsers, transferGrants } from "@purser/contract/users/merge";
import { expect, test, vi } from "vitest";
import type { Db } from "#platform/db/db.ts";
import { patiently } from "../../patience.testing.ts";
import { testProduct } from "../../testing.ts";
import { endSubscriptionGrants } from "../billing/grantQueries.ts";
import { grantsIn } from "../entitlements/testing/testing.ts";
import { findDueRollouts, takeStep } from "../packages/rollouts/rolloutQueries.ts";
import { renew } from "../subscriptions/renewals.ts";
import { lockLines } from "../transactions/lines/lineQueries.ts";
import { readLocked } from "../transactions/queries.ts";
import { creditInOrder } from "../transactions/refunds/planRefund.ts";
import { recordRefund } from "../transactions/refunds/recordRefund.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { storeTransfer } from "./queries.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const shop = await shopIn(product);
const { admin, sellPackage, saleOf, sell, quote, give, publish } = shop;
const { newCustomer } = grantsIn(product, admin);

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

const grantsOf = async (id: string) =>
  (await call(admin, listGrants, { params: { id } })).body.items;

/** A customer with a grant that another customer pays for. */
const newMoved = async (details: object = {}) => {
  const pack = await sellPackage({ name: "Studio" });
  const sale = await sell(saleOf(pack.id, { occurredAt: daysAgo(10), ...details }));
  const to = await newCustomer({ name: "Bea" });
  const [grant] = await grantsOf(sale.user.id);
  const body = { email: to.email, grantIds: [grant?.id ?? ""], reason: "Left the firm." };
  const moved = await call(admin, transferGrants, { params: { id: sale.user.id }, body });
  expect(moved.status, moved.text).toBe(200);
  return { pack, sale, to };
};

/** The next period is due and paid. */
const payNext = async (subscriptionId: string, now: Date) => {
  await platform.db
    .transaction()
    .execute((db) => renew(db, subscriptionId, { now, zone: "Europe/Tallinn" }));
  const { rows } = await owner.query<{ id: string; version: number }>(
    "select id, version from transactions where subscription_id = $1 and kind = 'renewal'",
    [subscriptionId],
  );
  const { id = "", version = 0 } = rows[0] ?? {};
  const body = { outcome: "succeeded" as const, evidence: "The bank says so." };
  const paid = await call(admin, resolveTransaction, { params: { id }, version, body });
  expect(paid.status, paid.text).toBe(200);
};

test("I9 a customer with a moved grant who buys the package keeps what they paid for", async () => {
  const { pack, sale, to } = await newMoved();
  const occurredAt = new Date().toISOString();
  const own = await sell(saleOf(pack.id, { email: to.email, occurredAt }));
  await payNext(sale.subscriptionId ?? "", new Date(sale.periodEnd as string));
  const { rows } = await owner.query(
    `select starts_at, ends_at, moved_from is not null as moved from grants
     where user_id = $1 and ends_at > starts_at order by starts_at`,
    [to.id],
  );
  const bought = new Date(own.periodStart as string);
  expect(rows).toMatchObject([
    { moved: true, ends_at: bought },
    { moved: false, starts_at: bought },
  ]);
  expect(+rows[1].ends_at).toBeGreaterThan(Date.parse(own.periodEnd as string));
});

test("a quote for a merged record applies to the remaining one, as the sale does", async () => {
  const pack = await sellPackage();
  const [stays, goes] = [await newCustomer({ name: "Ada" }), await newCustomer()];
  await sell(saleOf(pack.id, { email: stays.email, occurredAt: daysAgo(10) }));
  const body = { otherId: goes.id, reason: "Two addresses." };
  expect((await call(admin, mergeUsers, { params: { id: stays.id }, body })).status).toBe(200);
  const next = saleOf(pack.id, { email: goes.email });
  const { customer, effect } = await quote(next);
  expect(customer).toEqual({ id: stays.id, name: "Ada", email: stays.email });
  expect(effect.makes).toBe("period");
  const sale = await sell(next);
  expect(sale).toMatchObject({ user: { id: stays.id }, periodStart: effect.from });
});

/** The recipient's grants after this action ran while a grant was being moved to them. */
const grantsAfter = async (userId: string, act: (db: Db) => Promise<unknown>) => {
  const to = await newCustomer();
  const ids = (await grantsOf(userId)).map(({ id }) => id);
  const { acted } = await platform.db.transaction().execute(async (db) => {
    await storeTransfer(db, { ids, to: to.id, now: new Date() });
    const acted = platform.db.transaction().execute(act);
    await vi.waitFor(async () => {
      const { rowCount } = await owner.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rowCount).toBe(1);
    }, patiently(10_000));
    return { acted };
  });
  await acted;
  return grantsOf(to.id);
};

test("a grant ends with its subscription even while it is being moved", async () => {
  const { user, subscriptionId } = await sell(saleOf((await sellPackage()).id));
  const end = { at: new Date() };
  expect(
    await grantsAfter(user.id, (db) => endSubscriptionGrants(db, subscriptionId ?? "", end)),
  ).toEqual([]);
});

test("a refund ends a one-time purchase even while it is being moved", async () => {
  const sale = await sell(saleOf((await sellPackage()).id, { interval: "once" }));
  const refund = {
    kind: "refund" as const,
    userId: sale.user.id,
    toBalance: 0,
    amount: sale.total,
    access: "end now" as const,
    note: "",
    reason: "Asked.",
    provider: "manual",
    reference: null,
    by: admin.id,
  };
  const held = await grantsAfter(sale.user.id, async (db) => {
    const locked = await readLocked(db, sale.id);
    const lines = await lockLines(db, sale.id);
    const credits = creditInOrder(lines, sale.total);
    return recordRefund(db, locked, { ...refund, lines, credits }, new Date());
  });
  expect(held).toEqual([]);
});

test("a rollout migrates a customer to whom a grant is being moved", async () => {
  const app = await shop.newApp();
  const seats = await shop.newLimit(app.id);
  const pack = await shop.newPackage({
    name: "Team",
    prices: [{ currency: "EUR", amount: 1200, interval: "month" }],
  });
  await give(pack.id, seats, 5);
  await publish(pack.id);
  const { user } = await sell(saleOf(pack.id));
  await give(pack.id, seats, 7);
  expect((await publish(pack.id, { rollout: "now" })).status).toBe(200);
  const now = new Date();
  const [rollout] = await findDueRollouts(platform.db, now);
  const held = await grantsAfter(user.id, (db) => takeStep(db, rollout?.id ?? "", now));
  expect(held).toMatchObject([{ package: { name: "Team", number: 2 } }]);
});
