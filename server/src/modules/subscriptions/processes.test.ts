import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { patiently } from "#patience.testing.ts";
import { zoneOf } from "#platform/settings.ts";
import { atEnd, testProduct } from "#testing.ts";
import { findBroken, type Query } from "../transactions/testing/invariants.testing.ts";
import {
  type Sent,
  sendAtOnce,
  startProcesses,
} from "../transactions/testing/processes.testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renewSubscriptions } from "./renewals.ts";

const product = await testProduct();
const { owner, config, platform } = product;
const { admin, sellPackage, promote, saleOf, sell, quote } = await shopIn(product);
const query: Query = async (text, values) => (await owner.query(text, values)).rows;

const { origins, stop } = await startProcesses(config, { servers: 3, workers: 3 });
atEnd(stop);

/** Sends requests at the same time, in turn to each server. */
const storm = (count: number, sent: (place: number) => Sent) =>
  sendAtOnce(
    { origins, publicUrl: config.PUBLIC_URL, cookie: admin.cookie },
    Array.from({ length: count }, (_, place) => sent(place)),
  );

const countOf = async (text: string, values: unknown[]) => {
  const [row] = await query<{ count: number }>(`select count(*)::int ${text}`, values);
  return row?.count ?? 0;
};

const statusesOf = (answers: { status: number }[]) => {
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  return Object.fromEntries(answers.map(({ status }) => [status, count(status)]));
};

const orderOf = async (packageId: string, details: object = {}) => {
  const { total } = (await quote(saleOf(packageId, details))).quote;
  return () => ({
    path: "/transactions",
    body: {
      ...saleOf(packageId, details),
      state: "succeeded",
      reference: randomUUID(),
      total,
    },
  });
};

test(
  "I4 T6 200 redemptions on three servers of a code with 50 uses result in exactly 50",
  async () => {
    const pack = await sellPackage();
    const { id } = await promote({ code: "THREE50", redemptionLimit: 50, packageIds: [pack.id] });
    const order = await orderOf(pack.id, { codes: ["THREE50"] });
    expect(statusesOf(await storm(200, order))).toEqual({ 201: 50, 409: 150 });
    expect(await query("select uses from promotions where id = $1", [id])).toEqual([{ uses: 50 }]);
    expect(await countOf("from redemptions where promotion_id = $1", [id])).toBe(50);
    expect(await countOf("from transactions where package_id = $1", [pack.id])).toBe(50);
  },
  patiently(60_000),
);

test(
  "I2 T4 100 partial refunds on three servers never exceed the total",
  async () => {
    const sale = await sell(saleOf((await sellPackage()).id));
    const answers = await storm(100, () => ({
      path: `/transactions/${sale.id}/refund`,
      body: { amount: 35, access: "keep", reason: "Asked for it back" },
    }));
    // 34 times 35 are 1,190 of 1,200.
    expect(statusesOf(answers)).toEqual({ 201: 34, 409: 66 });
    const refunded = await query("select refunded::int from transactions where id = $1", [sale.id]);
    expect(refunded).toEqual([{ refunded: 1190 }]);
    expect(await countOf("from transactions where parent_id = $1", [sale.id])).toBe(34);
  },
  patiently(60_000),
);

test(
  "I3 T5 100 requests with one key on three servers record one sale and get the same reply",
  async () => {
    const pack = await sellPackage();
    const sent = { ...(await orderOf(pack.id))(), key: randomUUID() };
    const answers = await storm(100, () => sent);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await countOf("from transactions where package_id = $1", [pack.id])).toBe(1);
    expect((await storm(3, () => sent)).map(({ text }) => text)).toEqual(
      Array.from({ length: 3 }, () => made[0]?.text),
    );
  },
  patiently(60_000),
);

test(
  "I12 three workers with 20 jobs on one renewal date create one renewal per subscription",
  async () => {
    const pack = await sellPackage();
    const occurredAt = new Date(Date.now() - 33 * 86_400_000).toISOString();
    const sales = [];
    for (let n = 0; n < 25; n += 1) sales.push(await sell(saleOf(pack.id, { occurredAt })));
    const enqueue = platform.queues.enqueueIn(platform.db);
    const job = renewSubscriptions(zoneOf(config));
    await Promise.all(Array.from({ length: 20 }, () => enqueue(job, {})));
    const waiting = `from pgboss.job where name = $1 and state in ('created', 'retry', 'active')`;
    await vi.waitFor(
      async () => expect(await countOf(waiting, [job.name])).toBe(0),
      patiently(50_000),
    );
    const renewals = await query<{ count: number }>(
      `select count(t.id)::int from subscriptions s
     left join transactions t on t.subscription_id = s.id and t.kind = 'renewal'
     where s.package_id = $1 group by s.id`,
      [pack.id],
    );
    expect(renewals).toEqual(sales.map(() => ({ count: 1 })));
    expect(await countOf("from pgboss.job where name = $1 and state = 'failed'", [job.name])).toBe(
      0,
    );
  },
  patiently(60_000),
);

test("I2 I4 I5 I8 I9 I12 I14 all invariants hold afterwards", async () => {
  expect(await findBroken(query)).toEqual([]);
});
