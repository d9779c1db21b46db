import type { ListQuery } from "@purser/contract/http/list";
import type { Snapshot } from "@purser/contract/transactions/endpoints";
import {
  type Transaction,
  type TransactionKind,
  type TransactionState,
  transactionFields,
  transactionKinds,
  transactionListFields,
  transactionStates,
} from "@purser/contract/transactions/fields";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import { existing } from "#platform/http/problem.ts";
import { lookedUpMax } from "#platform/lists/choose.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage, mapPage } from "#platform/lists/page.ts";
import { type Arm, beginning, beginsWith, type Values } from "#platform/lists/sql.ts";
import { sumRows } from "#platform/lists/sums.ts";
import { countByChoice } from "#platform/lists/total.ts";
import { lockCustomerOf } from "../billing/customerQueries.ts";
import { shownStateOf } from "./events/states.ts";
import { splitForTransaction } from "./split/splitCustomers.ts";

export type TransactionRow = Omit<Transaction, "state"> & { state: TransactionState };

/** The provider that received the payment, or the one that it was recorded with. */
const paidWith = "coalesce(r.settled_by, r.provider)";

const ownColumns = selectColumns(transactionFields, [
  ...(["user", "package", "interval", "intervalCount", "parent"] as const),
  ...(["subtotal", "discount", "tax", "total", "balanceAmount", "refunded"] as const),
  "provider",
]);

// Needs rows named r and the joins below. Amounts are read as numbers because all of them are below 2^53.
const own = `
  ${ownColumns}, price.interval, price.interval_count as "intervalCount",
  case when parent.id is not null then
    jsonb_build_object('id', parent.id, 'number', parent.number) end as parent,
  r.subtotal::float8 as subtotal, r.discount::float8 as discount, r.tax::float8 as tax,
  r.total::float8 as total, r.balance_amount::float8 as "balanceAmount", r.refunded::float8 as refunded`;

const shown = `${own}, r.provider, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "user",
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
}).narrow<TransactionRow>();

/** What is shown of transactions, from a table or common table expression with their columns. */
export const shownFrom = (rows: string) => ({ columns: shown, from: `${rows} r ${joins}` });

export const readShown = (row: TransactionRow): Transaction => ({
  ...row,
  state: shownStateOf(row.state, row),
});

const searchedUsersMax = 500;

/** Transactions of the users u that match, unless these are too many. */
const ofUsers = (matches: (values: Values) => string): Arm => {
  const users = (values: Values, limit: number) =>
    `select u.id from users u where ${matches(values)} order by u.email using ~<~ limit ${limit}`;
  return {
    // As a value, so that the user is always found by the id, and not one that matches by the address.
    sql: (values) => `(select ${matches(values)} from users u where u.id = r.user_id)`,
    ids: (values) => `(
      select r.id from transactions r where r.user_id = any (array(${users(values, searchedUsersMax)}))
      limit ${lookedUpMax + 1}
    ) union all (
      select null where (select count(*) from (${users(values, searchedUsersMax + 1)}) few) > ${searchedUsersMax})`,
  };
};

/** The transaction of an invoice or credit note with this number. */
const ofDocument = (typed: string): Arm => ({
  sql: (values) =>
    `r.id = (select d.transaction_id from documents d where d.number = ${values.add(typed)})`,
});

/**
 * Matches the start of a number, a reference or an email address, because only prefixes are indexed, and the whole
 * number of a document. References of voided transactions have an index of their own.
 */
const search = (typed: string): Arm[] => {
  const reference = beginning("r.reference", typed);
  return [
    beginning("r.number", typed.toUpperCase()),
    ...["<>", "="].map((sign) => ({
      ...reference,
      sql: (values: Values) => `${reference.sql(values)} and r.state ${sign} 'voided'`,
    })),
    ofUsers((values) => beginsWith("u.email", typed.toLowerCase(), values)),
    ofDocument(typed.toUpperCase()),
  ];
};

const exceptUsual = <Value extends string>(values: readonly Value[], ...usual: Value[]) =>
  values.filter((value) => !usual.includes(value));

const searched = {
  fields: transactionListFields,
  columns: {
    ...filterColumns(transactionFields),
    number: "r.number",
    provider: paidWith,
    tags: "lower(array_to_string(r.tags, ', '))",
    // Without null, so that it can be sorted by. An index has this expression.
    settledAt: "coalesce(r.settled_at, '-infinity')",
  },
  stored: { number: { isUpperCase: true, inByteOrder: true } },
  search,
  served: [
    {
      sort: "r.occurred_at",
      fields: {
        user: true,
        state: exceptUsual(transactionStates, "succeeded"),
        package: true,
        kind: exceptUsual(transactionKinds, "purchase", "renewal"),
      },
    },
  ],
  lookedUp: { number: ["is", "starts"] },
} as const satisfies Omit<List<typeof transactionListFields, never>, "rows">;

const transactionList: List<typeof transactionListFields, TransactionRow> = {
  ...searched,
  rows: transactions,
};

const fileRows = selection("transactions.file", {
  table: "transactions",
  columns: `${own}, ${paidWith} as provider, u.email as "user", p.name as "package"`,
  joins,
});

/** An export has names of customers and packages. */
export const transactionFile = { ...searched, rows: fileRows };

/**
 * By the time of the sale, so that one entered late is listed where it happened. A range of settlement has its own
 * index, so that all of its rows are found.
 */
const usualSort = ({ f = [] }: Pick<ListQuery, "f">) => {
  const isBySettlement = f.some(({ field }) => field === "settledAt");
  return { field: isBySettlement ? "settledAt" : "occurredAt", descending: true };
};

export const findTransactions = async (db: Db, query: ListQuery, paging: Paging) => {
  const sort = query.sort?.length ? query.sort : [usualSort(query)];
  return mapPage(await findPage(db, transactionList, { ...query, sort }, paging), readShown);
};

// Amounts as the list shows them: returned money is negative.
const summed = {
  currency: "r.currency",
  amounts: {
    total: "case when r.kind in ('refund', 'chargeback') then -r.total else r.total end",
    refunded: "r.refunded",
  },
};

export const sumOfTransactions = (
  db: Db,
  { all, ...query }: Pick<ListQuery, "q" | "f"> & { all?: "true" | undefined },
  paging: Paging,
) =>
  sumRows(
    db,
    { list: transactionList, summed, query: { ...query, sort: [usualSort(query)] }, paging },
    all === "true",
  );

export const countWaiting = (db: Db) =>
  countByChoice(db, {
    table: "transactions",
    column: "r.state",
    order: "r.occurred_at desc, r.id desc",
    options: ["pending", "unknown", "failed", "disputed"],
  });

const one = transactions.with("where r.id = $1");

export const findTransaction = async (db: Db, id: string) => {
  const row = await first(db, one, [id]);
  return row && readShown(row);
};

/** Locks before reading, so that a caller that waited reads the newest row. */
export const lockTransaction = async (db: Db, id: string) => {
  await splitForTransaction(db, id);
  await lockCustomerOf(db, "transactions", id);
  await run(db, "select from transactions where id = $1 for update", [id]);
  return findTransaction(db, id);
};

const refunds = transactions.with("where r.parent_id = $1 order by r.id");

export const findRefunds = async (db: Db, id: string) =>
  (await run(db, refunds, [id])).map(readShown);

const findSnapshotSql = statement(
  "transactions.findSnapshot",
  "select snapshot from transactions where id = $1",
).narrow<{ snapshot: Snapshot | Record<string, never> }>();

// Snapshots of earlier versions don't have these.
const addedLater = { credit: null, rejectedCodes: [], trialDays: 0 };

export const findSnapshot = async (db: Db, id: string) => {
  const row = await first(db, findSnapshotSql, [id]);
  return row && "package" in row.snapshot ? { ...addedLater, ...(row.snapshot as Snapshot) } : null;
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
  /** The part that the balance pays, or that goes to it. */
  balanceAmount?: number;
  taxIncluded?: boolean;
  /** The subscription that a change replaces. */
  changesId?: string | null;
  changesVersion?: number | null;
  provider: string;
  reference: string | null;
  settledBy?: string | null;
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
    .values({ ...given, isSplit: true, snapshot: JSON.stringify(snapshot ?? {}) })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

const findChangedSql = statement(
  "transactions.findChanged",
  `select changes_id as "changesId" from transactions where id = $1`,
);

/** The subscription that a change replaces. */
export const findChanged = async (db: Db, id: string) =>
  (await first(db, findChangedSql, [id]))?.changesId ?? null;

export const setReference = async (db: Db, id: string, reference: string) => {
  await run(db, "update transactions set reference = $2 where id = $1", [id, reference]);
};

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
