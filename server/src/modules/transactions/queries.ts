import type { ListQuery } from "@purser/contract/http/list";
import type { Snapshot, TransactionDetails } from "@purser/contract/transactions/endpoints";
import {
  type EventType,
  type Transaction,
  type TransactionKind,
  type TransactionState,
  transactionFields,
  transactionListFields,
} from "@purser/contract/transactions/fields";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import { existing } from "#platform/http/problem.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import { findPage, type List, mapPage, type Paging } from "#platform/lists/page.ts";
import { escapeLike, type Values } from "#platform/lists/sql.ts";
import { countByChoice } from "#platform/lists/total.ts";
import { shownStateOf } from "./events/states.ts";

type Row = Omit<Transaction, "state"> & { state: TransactionState };

const ownColumns = selectColumns(transactionFields, [
  ...(["user", "package", "interval", "intervalCount", "parent"] as const),
  ...(["subtotal", "discount", "tax", "total", "refunded"] as const),
]);

// Of rows named r and those joined. Amounts are read as numbers: all of them are below 2^53.
const own = `
  ${ownColumns}, price.interval, price.interval_count as "intervalCount",
  case when parent.id is not null then
    jsonb_build_object('id', parent.id, 'number', parent.number) end as parent,
  r.subtotal::float8 as subtotal, r.discount::float8 as discount, r.tax::float8 as tax,
  r.total::float8 as total, r.refunded::float8 as refunded`;

const shown = `${own}, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "user",
  case when p.id is not null then
    jsonb_build_object('id', p.id, 'name', p.name, 'number', v.number) end as "package"`;

const joins = `
  join users u on u.id = r.user_id
  left join packages p on p.id = r.package_id
  left join package_versions v on v.id = r.version_id
  left join version_prices price on price.id = r.price_id
  left join transactions parent on parent.id = r.parent_id`;

const transactions = selection("transactions.transactions", {
  table: "transactions",
  columns: shown,
  joins,
}).narrow<Row>();

const read = (row: Row): Transaction => ({ ...row, state: shownStateOf(row.state, row) });

/** How a number, a reference or an address begins: an index knows each of them by its beginning alone. */
const search = (typed: string, values: Values) => {
  const beginning = values.add(`${escapeLike(typed)}%`);
  return `r.number like upper(${beginning}) or r.reference like ${beginning} or r.user_id = any (array(
    select u.id from users u where u.email like lower(${beginning}) limit 1000))`;
};

const searched = {
  fields: transactionListFields,
  columns: { ...filterColumns(transactionFields), provider: "r.provider" },
  search,
};

const transactionList: List<typeof transactionListFields, Row> = {
  ...searched,
  rows: transactions,
};

const fileRows = selection("transactions.file", {
  table: "transactions",
  columns: `${own}, u.email as "user", p.name as "package"`,
  joins,
});

/** A file names people and packages as they are called, and money as the minor units that it is. */
export const transactionFile = { ...searched, rows: fileRows };

export const findTransactions = async (db: Db, query: ListQuery, paging: Paging) => {
  // Without a wish, the newest first: what was entered late stands where it happened.
  const sort = query.sort?.length ? query.sort : [{ field: "occurredAt", descending: true }];
  return mapPage(await findPage(db, transactionList, { ...query, sort }, paging), read);
};

export const countWaiting = (db: Db) =>
  countByChoice(db, {
    table: "transactions",
    column: "r.state",
    options: ["pending", "unknown", "failed", "disputed"],
  });

const one = transactions.with("where r.id = $1");

export const findTransaction = async (db: Db, id: string) => {
  const row = await first(db, one, [id]);
  return row && read(row);
};

/** Locked first and read then, so that whoever waited sees what was done. */
export const lockTransaction = async (db: Db, id: string) => {
  await run(db, "select from transactions where id = $1 for update", [id]);
  return findTransaction(db, id);
};

const refunds = transactions.with("where r.parent_id = $1 order by r.id");

export const findRefunds = async (db: Db, id: string) => (await run(db, refunds, [id])).map(read);

type Event = TransactionDetails["events"][number];

const findEventsSql = statement(
  "transactions.findEvents",
  `select e.id, e.type, e.at, e.source, u.name as by, e.evidence,
     e.recorded_at as "recordedAt"
   from transaction_events e
   left join users u on e.source = 'staff' and u.id::text = e.source_id
   where e.transaction_id = $1 order by e.at, e.id`,
);

export const findEvents = (db: Db, id: string) => run(db, findEventsSql, [id]);

const findSnapshotSql = statement(
  "transactions.findSnapshot",
  "select snapshot from transactions where id = $1",
).narrow<{ snapshot: Snapshot | Record<string, never> }>();

export const findSnapshot = async (db: Db, id: string) => {
  const row = await first(db, findSnapshotSql, [id]);
  return row && "package" in row.snapshot ? (row.snapshot as Snapshot) : null;
};

const findGrantedSql = statement(
  "transactions.findGranted",
  `select g.id, coalesce(p.name || ' ' || v.number, f.name) as name, g.starts_at as "startsAt",
     nullif(g.ends_at, 'infinity') as "endsAt", g.starts_at <= $2 and g.ends_at > $2 as "isInForce"
   from grants g left join packages p on p.id = g.package_id
   left join package_versions v on v.id = g.version_id left join features f on f.id = g.feature_id
   where g.source in ('transaction', 'promotion') and g.source_id = $1::text order by g.id`,
).narrow<TransactionDetails["grants"][number]>();

export const findGranted = (db: Db, id: string, now: Date) => run(db, findGrantedSql, [id, now]);

const findReconciliationSql = statement(
  "transactions.findReconciliation",
  `select asked, last_at as "lastAt", last_answer as "lastAnswer", next_at as "nextAt"
   from reconciliations where transaction_id = $1`,
);

export const findReconciliation = async (db: Db, id: string) =>
  (await first(db, findReconciliationSql, [id])) ?? null;

const findPersonFactsSql = statement(
  "transactions.findPersonFacts",
  `select u.created_at as since, coalesce((
       select jsonb_agg(to_jsonb(s) order by currency) from (
         select currency, sum(total) as total, sum(refunded) as refunded from transactions
         where user_id = u.id and kind in ('purchase', 'renewal', 'change') and state in ('succeeded', 'disputed')
         group by currency
       ) s
     ), '[]') as paid
   from users u where u.id = $1`,
).narrow<TransactionDetails["person"]>();

export const findPersonFacts = async (db: Db, userId: string) => {
  const row = await first(db, findPersonFactsSql, [userId]);
  if (!row) throw new Error("A transaction has a person.");
  return row;
};

export type NewTransaction = {
  kind: TransactionKind;
  state: TransactionState;
  userId: string;
  packageId: string | null;
  versionId: string | null;
  priceId: string | null;
  subscriptionId?: string | null;
  parentId?: string | null;
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  provider: string;
  reference: string | null;
  periodStart?: Date | null;
  periodEnd?: Date | null;
  access?: Transaction["access"];
  occurredAt: Date;
  settledAt?: Date | null;
  reason?: string | null;
  note?: string;
  tags?: string[];
  snapshot?: Snapshot;
  createdBy: string | null;
};

export const insertTransaction = async (db: Db, { snapshot, ...given }: NewTransaction) => {
  const { id } = await db
    .insertInto("transactions")
    .values({ ...given, snapshot: JSON.stringify(snapshot ?? {}) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export type NewEvent = {
  type: EventType;
  at: Date;
  source: Event["source"];
  sourceId: string | null;
  evidence?: string | null;
};

/** Adds what happened. The same event of a provider is added once. */
export const insertEvents = async (db: Db, transactionId: string, events: readonly NewEvent[]) => {
  await run(
    db,
    `insert into transaction_events (transaction_id, type, at, source, source_id, evidence)
     select $1, type, at, source, "sourceId", evidence from jsonb_to_recordset($2::jsonb)
       as told (type text, at timestamptz, source text, "sourceId" text, evidence text)
     on conflict do nothing`,
    [transactionId, JSON.stringify(events)],
  );
};

/** Moves the state that lists are read by. Whoever moved it meanwhile is found out. */
export const setState = async (
  db: Db,
  id: string,
  { from, to, settledAt }: { from: TransactionState; to: TransactionState; settledAt: Date | null },
) => {
  const moved = await run(
    db,
    `update transactions set state = $3, settled_at = coalesce(settled_at, $4)
     where id = $1 and state = $2 returning id`,
    [id, from, to, settledAt],
  );
  if (moved.length === 0) throw new Error(`Transaction ${id} was not ${from} any more.`);
};

/** Counts a refund against a sale, or says that less than that is left: both in one statement. */
export const takeBack = async (db: Db, id: string, amount: number) =>
  (
    await run(
      db,
      `update transactions set refunded = refunded + $2
       where id = $1 and state in ('succeeded', 'disputed') and refunded + $2 <= total returning id`,
      [id, amount],
    )
  ).length > 0;

const findDuplicatesSql = statement(
  "transactions.findDuplicates",
  `select id, number, occurred_at as "occurredAt" from transactions
   where user_id = $1 and package_id = $2 and currency = $3 and total = $4
     and kind in ('purchase', 'renewal', 'change') and state not in ('voided', 'failed', 'canceled')
     and occurred_at between $5::timestamptz - interval '24 hours' and $5::timestamptz + interval '24 hours'
   order by occurred_at desc, id desc limit 5`,
);

/** A sale of the same person, package and amount within a day: perhaps the same one. */
export const findDuplicates = (
  db: Db,
  {
    userId,
    packageId,
    currency,
    total,
    occurredAt,
  }: Pick<NewTransaction, "userId" | "packageId" | "currency" | "total" | "occurredAt">,
) => run(db, findDuplicatesSql, [userId, packageId, currency, total, occurredAt]);

export const setNoteAndTags = async (
  db: Db,
  id: string,
  { note, tags }: Pick<Transaction, "note" | "tags">,
) => {
  await db.updateTable("transactions").set({ note, tags }).where("id", "=", id).execute();
};

export const readTransaction = async (db: Db, id: string) =>
  existing(await findTransaction(db, id), "transaction");

export const readLocked = async (db: Db, id: string) =>
  existing(await lockTransaction(db, id), "transaction");
