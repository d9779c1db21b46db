import { listTransactions } from "@purser/contract/transactions/endpoints";
import { expect, test } from "vitest";
import { seed } from "#commands/seed.ts";
import { transact } from "#platform/audit/context.ts";
import { suspendConstraints } from "#platform/db/bulkLoad.ts";
import { connectAsOwner } from "#platform/db/db.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { findBroken, type Query } from "../testing/invariants.testing.ts";

const { call, signIn, config, owner } = await testProduct();
const query: Query = async (text, values) => (await owner.query(text, values)).rows;

const options = { print: () => undefined, rest: [], exitWith: () => undefined, environment: {} };
const seedSales = (transactions: number, users: number) =>
  seed(config, { ...options, transactions: String(transactions), users: String(users) });

const sales = sized({ gate: 4003, nightly: 20_003 });
await seedSales(sales, Math.ceil(sales / 5));

test("I2 I4 I5 I8 I9 I12 I14 many seeded sales break no invariant, and more can be added", async () => {
  expect(await findBroken(query)).toEqual([]);
  await seedSales(400, 100);
  expect(await findBroken(query)).toEqual([]);
  const [counted] = await query("select count(*)::int from transactions");
  expect(counted).toEqual({ count: sales + 400 });
});

test("seeded sales cover all kinds and final states, four currencies and three years", async () => {
  const [spread] = await query(
    `select array_agg(distinct kind) as kinds, array_agg(distinct state) as states,
       count(distinct currency)::int as currencies, count(distinct package_id)::int as packages,
       round(extract(epoch from max(occurred_at) - min(occurred_at)) / 86400)::int as days,
       count(distinct number)::int = count(*) as apart,
       avg((state = 'succeeded')::int) > 0.9 as mostly_paid
     from transactions`,
  );
  expect(spread).toMatchObject({
    kinds: ["chargeback", "purchase", "refund", "renewal"],
    currencies: 4,
    packages: 11,
    apart: true,
    mostly_paid: true,
  });
  expect(new Set((spread as { states: string[] }).states)).toEqual(
    new Set(
      "canceled,charged back,disputed,draft,failed,pending,succeeded,unknown,voided".split(","),
    ),
  );
  expect((spread as { days: number }).days).toBeGreaterThan(1090);
  const { body } = await call(await signIn("admin"), listTransactions, { query: {} });
  expect(body.items[0]?.occurredAt.slice(0, 4)).toBe(String(new Date().getUTCFullYear()));
});

test("suspended constraints are restored and checked", async () => {
  const tables = ["transactions", "transaction_events", "grants", "subscriptions"];
  const definitions = () =>
    query(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = any ($1::regclass[])
       union all select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
       where indrelid = any ($1::regclass[]) order by 1, 2`,
      [tables],
    );
  const before = await definitions();
  const actor = { kind: "system", id: null, name: "test" } as const;
  const context = { actor, address: null, requestId: null, reason: null };
  const { db } = connectAsOwner(config.DATABASE_URL);
  try {
    await transact(db, context, async (within) => {
      const restore = await suspendConstraints(within, tables);
      await restore();
    });
    expect(await definitions()).toEqual(before);
    const breaking = transact(db, context, async (within) => {
      const restore = await suspendConstraints(within, tables);
      await within
        .insertInto("transactionEvents")
        .values({
          transactionId: "00000000-0000-7000-8000-000000000000",
          type: "created",
          at: new Date(),
          source: "system",
        })
        .execute();
      await restore();
    });
    await expect(breaking).rejects.toThrow("transaction_events_transaction");
    expect(await definitions()).toEqual(before);
  } finally {
    await db.destroy();
  }
});

test("refuses to seed sales without enough customers", async () => {
  await expect(seed(config, { ...options, transactions: "10" })).rejects.toThrow("--users");
  await expect(seedSales(1000, 10)).rejects.toThrow("can't be greater than 360");
});
