import { randomUUID } from "node:crypto";
import { refundTransaction, resolveTransaction } from "@purser/contract/transactions/actions";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renew, renewSubscriptions } from "./renewals.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const { admin, sellPackage, promote, saleOf, sell, read } = await shopIn(product);

const zone = "Europe/Tallinn";
const dayMs = 86_400_000;

type Row = {
  status: string;
  period_start: Date;
  period_end: Date;
  access_until: Date;
  ended_at: Date | null;
};

const subscriptionOf = async (id: string | null) => {
  const { rows } = await owner.query<Row>("select * from subscriptions where id = $1", [id]);
  if (!rows[0]) throw new Error("There is no such subscription.");
  return rows[0];
};

const renewAt = (id: string | null, now: Date) =>
  platform.db.transaction().execute((db) => renew(db, id ?? "", { now, zone }));

const renewalsOf = async (id: string | null) =>
  (
    await owner.query<{
      id: string;
      state: string;
      total: number;
      version: number;
      period_start: Date;
    }>(
      `select id, state, total::int, version, period_start from transactions
       where subscription_id = $1 and kind = 'renewal' order by period_start`,
      [id],
    )
  ).rows;

const pay = async (id: string, outcome: "succeeded" | "failed" = "succeeded") => {
  const { version } = await read(id);
  const paid = await call(admin, resolveTransaction, {
    params: { id },
    version,
    body: { outcome, evidence: "The bank says so" },
  });
  expect(paid.status, paid.text).toBe(200);
};

test("the end of a period requests a payment, which continues access without a gap", async () => {
  const { subscriptionId } = await sell(saleOf((await sellPackage()).id));
  const before = await subscriptionOf(subscriptionId);
  await renewAt(subscriptionId, new Date(before.period_end.getTime() - 1));
  expect(await renewalsOf(subscriptionId)).toEqual([]);
  await renewAt(subscriptionId, before.period_end);
  const [renewal] = await renewalsOf(subscriptionId);
  expect(renewal).toMatchObject({ state: "pending", total: 1200, period_start: before.period_end });
  expect((await subscriptionOf(subscriptionId)).status).toBe("past due");
  await pay(renewal?.id ?? "");
  const after = await subscriptionOf(subscriptionId);
  expect(after).toMatchObject({ status: "active", period_start: before.period_end });
});

test("I12 20 concurrent workers create one renewal", async () => {
  const { subscriptionId } = await sell(saleOf((await sellPackage()).id));
  const { period_end: due } = await subscriptionOf(subscriptionId);
  await Promise.all(Array.from({ length: 20 }, () => renewAt(subscriptionId, due)));
  expect(await renewalsOf(subscriptionId)).toHaveLength(1);
});

test("without a payment access ends with the grace period", async () => {
  const { subscriptionId } = await sell(saleOf((await sellPackage()).id));
  const { period_end: due, access_until: until } = await subscriptionOf(subscriptionId);
  expect(until.getTime() - due.getTime()).toBeGreaterThan(6 * dayMs);
  await renewAt(subscriptionId, due);
  await renewAt(subscriptionId, new Date(until.getTime() - 1));
  expect((await subscriptionOf(subscriptionId)).status).toBe("past due");
  await renewAt(subscriptionId, until);
  expect(await subscriptionOf(subscriptionId)).toMatchObject({ status: "ended", ended_at: until });
});

test("a sale refunded with access until the end of the period is not renewed", async () => {
  const sale = await sell(saleOf((await sellPackage()).id));
  await call(admin, refundTransaction, {
    params: { id: sale.id },
    body: { amount: 600, access: "end with period", reason: "Leaves" },
  });
  const { period_end: due } = await subscriptionOf(sale.subscriptionId);
  await renewAt(sale.subscriptionId, due);
  expect(await renewalsOf(sale.subscriptionId)).toEqual([]);
  expect((await subscriptionOf(sale.subscriptionId)).status).toBe("ended");
});

test("a promotion for several periods applies to exactly these", async () => {
  const pack = await sellPackage();
  const code = randomUUID().slice(0, 12);
  await promote({
    code,
    basisPoints: 5000,
    duration: "periods",
    periods: 2,
    packageIds: [pack.id],
  });
  const sale = await sell(saleOf(pack.id, { codes: [code] }));
  expect(sale.total).toBe(600);
  for (const total of [600, 1200]) {
    const { period_end: due } = await subscriptionOf(sale.subscriptionId);
    await renewAt(sale.subscriptionId, due);
    const renewal = (await renewalsOf(sale.subscriptionId)).at(-1);
    expect(renewal?.total).toBe(total);
    await pay(renewal?.id ?? "");
  }
});

test("a free renewal succeeds without a payment", async () => {
  const free = [{ currency: "EUR", amount: 0, interval: "month" }];
  const sale = await sell(saleOf((await sellPackage({ prices: free })).id));
  const { period_end: due } = await subscriptionOf(sale.subscriptionId);
  await renewAt(sale.subscriptionId, due);
  expect(await subscriptionOf(sale.subscriptionId)).toMatchObject({
    status: "active",
    period_start: due,
  });
});

test("I12 a subscription that can't be renewed doesn't hold up the others", async () => {
  const monthAgo = new Date(Date.now() - 35 * dayMs);
  const sales = [];
  for (const earlier of [2, 1, 0]) {
    const occurredAt = new Date(monthAgo.getTime() - earlier * 1000).toISOString();
    sales.push(await sell(saleOf((await sellPackage()).id, { occurredAt })));
  }
  const [broken, ...others] = sales.map(({ subscriptionId }) => subscriptionId);
  await owner.query(
    `create function refuse_renewal() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger refuse_renewal before insert on transactions for each row
     when (new.subscription_id = '${broken}' and new.kind = 'renewal') execute function refuse_renewal()`,
  );
  const step = <T>(work: (db: typeof platform.db) => Promise<T>) =>
    platform.db.transaction().execute(work);
  const tools = { db: platform.db, now: new Date(), step } as never;
  const job = renewSubscriptions(async () => zone);
  await expect(job.run(tools, {})).rejects.toThrow(`not renewed: ${broken}`);
  await owner.query("drop trigger refuse_renewal on transactions");
  for (const id of others) expect(await renewalsOf(id)).toHaveLength(1);
});

test(
  "I12 five years of monthly periods have no gaps or overlaps",
  async () => {
    const occurredAt = new Date("2024-01-31T21:30:00Z").toISOString();
    const { subscriptionId } = await sell(saleOf((await sellPackage()).id, { occurredAt }));
    for (let month = 0; month < 60; month += 1) {
      const { period_end: due } = await subscriptionOf(subscriptionId);
      await renewAt(subscriptionId, due);
      await pay((await renewalsOf(subscriptionId)).at(-1)?.id ?? "");
    }
    const { rows } = await owner.query<{ gaps: number; days: number[] }>(
      `select count(*) filter (where ends_at <> next)::int as gaps from (
       select ends_at, lead(starts_at) over (order by starts_at) as next from grants where subscription_id = $1
     ) s where next is not null`,
      [subscriptionId],
    );
    expect(rows[0]?.gaps).toBe(0);
    const periods = await renewalsOf(subscriptionId);
    expect(new Set(periods.map(({ period_start: at }) => at.getTime())).size).toBe(60);
  },
  patiently(60_000),
);
