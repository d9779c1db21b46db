// No rules.ts: the rules are the entries of the journal, and the database keeps balances from falling below 0.
import type { BalanceEntry, BalanceKind } from "@purser/contract/money/balance";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { JournalEntry } from "./journal.ts";

const lockBalanceSql = statement(
  "ledger.lockBalance",
  "select lock_balance($1, $2)::float8 as amount",
);

/** The balance of a customer in a currency. Other charges wait until this one is recorded. */
export const lockBalance = async (db: Db, userId: string, currency: string) =>
  (await first(db, lockBalanceSql, [userId, currency]))?.amount ?? 0;

const lockBalancesSql = statement(
  "ledger.lockBalances",
  `select wanted.user_id as "userId", wanted.currency,
     coalesce(lock_balance(wanted.user_id, wanted.currency), 0)::float8 as amount
   from unnest($1::uuid[], $2::text[]) as wanted (user_id, currency)`,
).narrow<{ userId: string; currency: string; amount: number }>();

/** As `lockBalance`, for customers that are locked. */
export const lockBalances = (
  db: Db,
  wanted: readonly Pick<BalanceChange, "userId" | "currency">[],
) =>
  run(db, lockBalancesSql, [
    wanted.map(({ userId }) => userId),
    wanted.map(({ currency }) => currency),
  ]);

const findBalanceSql = statement(
  "ledger.findBalance",
  "select amount::float8 as amount from balances where user_id = $1 and currency = $2",
).narrow<{ amount: number }>();

export const findBalance = async (db: Db, userId: string, currency: string) =>
  (await first(db, findBalanceSql, [userId, currency]))?.amount ?? 0;

const findBalancesSql = statement(
  "ledger.findBalances",
  `select currency, amount::float8 as amount from balances where user_id = $1 and amount > 0
   order by currency`,
).narrow<{ amount: number }>();

export const findBalances = (db: Db, userId: string) => run(db, findBalancesSql, [userId]);

const findEntriesSql = statement(
  "ledger.findEntries",
  `select e.id, e.currency, e.amount::float8 as amount, e.kind,
     case when t.id is not null then jsonb_build_object('id', t.id, 'number', t.number) end as transaction,
     e.reason, u.name as by, e.created_at as "createdAt"
   from balance_entries e left join transactions t on t.id = e.transaction_id
   left join users u on u.id = e.created_by
   where e.user_id = $1 order by e.id desc limit 100`,
).narrow<BalanceEntry>();

/** The latest entries of a customer's balance. */
export const findEntries = (db: Db, userId: string) => run(db, findEntriesSql, [userId]);

type BalanceChange = {
  userId: string;
  currency: string;
  /** Negative takes from the balance. */
  amount: number;
  kind: BalanceKind;
  transactionId?: string | null;
  reason?: string | null;
  createdBy?: string | null;
};

/** Returns the ID of the entry, or null if the amount is 0. */
export const changeBalance = async (db: Db, { amount, ...change }: BalanceChange) => {
  if (amount === 0) return null;
  const { id } = await db
    .insertInto("balanceEntries")
    .values({ amount, ...change })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

/** Inserts balance entries from a query of their columns. */
export const insertBalanceEntriesFrom = (rows: string) => `
  insert into balance_entries (user_id, currency, amount, kind, transaction_id) ${rows}`;

/** Changes the balances of many customers. Amounts of 0 are left out. */
export const changeBalances = async (
  db: Db,
  changes: readonly (Omit<BalanceChange, "reason" | "createdBy"> & { transactionId: string })[],
) => {
  const real = changes.filter(({ amount }) => amount !== 0);
  if (real.length === 0) return;
  await run(
    db,
    insertBalanceEntriesFrom(`
      select "userId", currency, amount, kind, "transactionId" from jsonb_to_recordset($1::jsonb)
        as changed ("userId" uuid, currency text, amount bigint, kind text, "transactionId" uuid)`),
    [JSON.stringify(real)],
  );
};

/** Moves what a merged customer has to the remaining record. The journal knows them as one customer. */
export const transferBalance = async (db: Db, fromId: string, toId: string) => {
  for (const { currency } of await findBalances(db, fromId)) {
    const amount = await lockBalance(db, fromId, currency);
    await changeBalance(db, { userId: fromId, currency, amount: -amount, kind: "transfer" });
    await changeBalance(db, { userId: toId, currency, amount, kind: "transfer" });
  }
};

type About = {
  /** What is posted, so that it is posted once. */
  sourceId: string;
  at: Date;
  currency: string;
  userId: string;
  transactionId?: string | null;
};

/** Posts an entry. Returns false if it was posted before. */
export const post = async (db: Db, { kind, postings }: JournalEntry, about: About) => {
  if (postings.length === 0) return true;
  const entry = await db
    .insertInto("journalEntries")
    .values({ kind, ...about })
    .onConflict((conflict) => conflict.columns(["kind", "sourceId"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!entry) return false;
  await run(
    db,
    `insert into postings (entry_id, position, account, amount)
     select $1, position, account, amount from jsonb_to_recordset($2::jsonb)
       as posted (position smallint, account text, amount bigint)`,
    [entry.id, JSON.stringify(postings.map((posting, position) => ({ position, ...posting })))],
  );
  return true;
};

/** Inserts entries from a query of their columns. The database refuses one that was posted before. */
export const insertEntriesFrom = (rows: string) => `
  insert into journal_entries (kind, source_id, at, currency, user_id, transaction_id) ${rows} returning id, kind`;

/** Inserts the postings of entries from a query of their columns. */
export const insertPostingsFrom = (rows: string) => `
  insert into postings (entry_id, position, account, amount) ${rows}`;
