import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { seed } from "#commands/seed.ts";
import { atEnd, testConfig, testDatabase } from "#testing.ts";
import { findBroken, type Query } from "./invariants.testing.ts";

// Naive code reads a limit first and writes later, without constraints. The checks that are used for the real
// code must detect the violations, or they prove nothing.
const database = await testDatabase();
const pool = new pg.Pool({ connectionString: database.url, max: 20 });
atEnd(async () => {
  await pool.end();
  await database.drop();
});
const query: Query = async (text, values) => (await pool.query(text, values)).rows;
const options = { print: () => undefined, rest: [], exitWith: () => undefined, environment: {} };
await seed(testConfig(database.url), { ...options, users: "40", transactions: "400" });
await query("alter table transactions drop constraint transactions_refunded");
await query("alter table promotions drop constraint promotions_within_uses");
await query("drop index transactions_one_renewal, redemptions_nth_taken, redemptions_once");
await query("alter table promotions disable trigger promotions_keep_used");
await query("create table naive_keys (key text)");

const isBroken = async (invariant: string) =>
  (await findBroken(query)).some((one) => one.invariant === invariant);

/** Reads a limit and then writes, on all connections at once. */
const lookThenWrite = async (
  count: number,
  look: (ask: Query) => Promise<boolean>,
  write: (ask: Query) => Promise<unknown>,
) => {
  const one = async () => {
    const client = await pool.connect();
    const ask: Query = async (text, values) => (await client.query(text, values)).rows;
    try {
      await ask("begin");
      const isFree = await look(ask);
      await wait(5);
      if (isFree) await write(ask);
      await ask("commit");
      return isFree;
    } finally {
      client.release();
    }
  };
  const tried = await Promise.all(Array.from({ length: count }, one));
  return tried.filter(Boolean).length;
};

const idOf = async (text: string) => {
  const [row] = await query<{ id: string }>(`${text} limit 1`);
  if (!row) throw new Error(`There is none: ${text}`);
  return row.id;
};

/** Copies a sale and its events under another number. */
const copySale = (ask: Query, from: string, changes: Record<string, string>) => {
  const all = {
    id: "uuid_v7()",
    is_split: "false",
    number: "transaction_number(nextval('transaction_numbers'))",
  };
  const columns = Object.entries({ ...all, reference: "'n-' || uuid_v7()", ...changes });
  return ask(
    `with made as (
       insert into transactions select (jsonb_populate_record(t, jsonb_build_object(${columns
         .map(([name, value]) => `'${name}', ${value}`)
         .join(", ")}))).* from transactions t where id = $1 returning id
     ), copied_events as (
       insert into transaction_events (transaction_id, type, at, source)
       select made.id, e.type, e.at, 'system' from made, transaction_events e where e.transaction_id = $1
     ) select id from made`,
    [from],
  );
};

const paid = "select id from transactions where state = 'succeeded' and kind = 'purchase'";

test("I4 T6 the check detects naive redemptions above the limit", async () => {
  const broken = "I4 a promotion's redemptions are counted and within its limit";
  expect(await isBroken(broken)).toBe(false);
  const id = await idOf("select id from promotions where uses > 0");
  const sale = await idOf(paid);
  await query("update promotions set max_uses = uses + 50 where id = $1", [id]);
  const given = await lookThenWrite(
    200,
    async (ask) =>
      (await ask("select from promotions where id = $1 and uses < max_uses", [id])).length > 0,
    async (ask) => {
      await ask("update promotions set uses = uses + 1 where id = $1", [id]);
      await ask(
        `insert into redemptions (promotion_id, user_id, transaction_id, nth, currency, amount)
         select $1, user_id, id, 1, currency, 0 from transactions where id = $2`,
        [id, sale],
      );
    },
  );
  expect(given).toBeGreaterThan(50);
  expect(await isBroken(broken)).toBe(true);
});

test("I2 T4 the check detects naive refunds above the total", async () => {
  const broken = "I2 the refunded amount is the sum of the refunds and at most the total";
  expect(await isBroken(broken)).toBe(false);
  const id = await idOf(`${paid} and refunded = 0 and total > 100`);
  const refund = await idOf("select id from transactions where kind = 'refund'");
  const given = await lookThenWrite(
    100,
    async (ask) =>
      (await ask("select from transactions where id = $1 and refunded + total / 10 <= total", [id]))
        .length > 0,
    async (ask) => {
      await ask("update transactions set refunded = refunded + total / 10 where id = $1", [id]);
      const amount = `(select total / 10 from transactions where id = '${id}')`;
      const parts = { tax: "0", subtotal: amount, total: amount, reference: "null" };
      await copySale(ask, refund, { ...parts, parent_id: `'${id}'` });
    },
  );
  expect(given).toBeGreaterThan(10);
  expect(await isBroken(broken)).toBe(true);
});

test("I3 T5 counting detects a sale that naive keys record twice", async () => {
  const id = await idOf(paid);
  await lookThenWrite(
    100,
    async (ask) => (await ask("select from naive_keys where key = 'one'")).length === 0,
    async (ask) => {
      await copySale(ask, id, { note: "'one'" });
      await ask("insert into naive_keys values ('one')");
    },
  );
  const [sales] = await query<{ count: number }>(
    "select count(*)::int from transactions where note = 'one'",
  );
  expect(sales?.count).toBeGreaterThan(1);
});

test("I12 the check detects a period that naive workers renew twice", async () => {
  const broken = "I12 a period of a subscription is renewed once";
  expect(await isBroken(broken)).toBe(false);
  const due = `select t.id from transactions t join subscriptions s on s.id = t.subscription_id
    where t.kind = 'renewal' and s.status = 'active'`;
  const id = await idOf(due);
  const found = `${due} and t.id = $1 and t.version = 1`;
  await lookThenWrite(
    20,
    async (ask) => (await ask(found, [id])).length > 0,
    async (ask) => {
      await copySale(ask, id, {});
      await ask("update transactions set note = 'renewed' where id = $1", [id]);
    },
  );
  expect(await isBroken(broken)).toBe(true);
});
