import type { Fields, ListQuery, Total } from "@purser/contract/http/list";
import { numberedRowsMax } from "@purser/contract/http/numberedRows";
import pg from "pg";
import { type Db, first, run } from "../db/db.ts";
import { statement, template } from "../db/statement.ts";
import { type Chosen, conditionsOf } from "./choose.ts";
import type { Key, List, Paging } from "./list.ts";
import { firstRows, whereAll } from "./rows.ts";
import type { ListSizes } from "./sizes.ts";
import { collectValues, quoted } from "./sql.ts";

/** The rows to count, and how. */
type Counted<F extends Fields, Row> = {
  list: List<F, Row>;
  query: Pick<ListQuery, "q" | "f">;
  paging: Paging;
  chosen: Chosen;
  order: Key[];
};

const capped = { count: numberedRowsMax, kind: "at least" } as const;
const exactMs = 5000;
/** SQLSTATE of a statement that took too long. */
const canceled = "57014";

export const isTooSlow = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === canceled;

const roughSizeSql = statement(
  "lists.roughSize",
  `select case when max(reltuples) < 0 then -1 else sum(greatest(reltuples, 0)) end::float8 as rows from pg_class
   where oid = $1::regclass or oid in (select inhrelid from pg_inherits where inhparent = $1::regclass)`,
).narrow<{ rows: number }>();

const roughSize = async (db: Db, table: string, sizes: ListSizes) => {
  const known = sizes.rowsOf(table);
  if (known !== null) return known;
  const row = await first(db, roughSizeSql, [table]);
  const rows = row?.rows ?? -1;
  sizes.rememberRows(table, rows);
  return rows;
};

/** Cancels the work after some time. */
export const within = <T>(db: Db, milliseconds: number, work: (db: Db) => Promise<T>) =>
  db.transaction().execute(async (transaction) => {
    await run(transaction, `set local statement_timeout = ${milliseconds}`);
    return work(transaction);
  });

const everything = template(
  "lists.countAll",
  (table: string, where: string) => `select count(*)::float8 as count from ${table} r ${where}`,
  ["apps", ""],
).narrow<{ count: number }>();

const plan = template(
  "lists.estimate",
  (table: string, where: string) => `explain (format json) select from ${table} r ${where}`,
  ["apps", ""],
).narrow<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>();

/** Only on request, because its time grows with the table. After five seconds it is the planner's estimate. */
const countAll = async <F extends Fields, Row>(
  db: Db,
  { list, query, paging }: Counted<F, Row>,
): Promise<NonNullable<Total>> => {
  const { table } = list.rows;
  const values = collectValues();
  const where = whereAll(conditionsOf(list, query, paging, values));
  try {
    const row = await within(db, exactMs, (transaction) =>
      first(transaction, everything.for(table, where), values.all),
    );
    return { count: row?.count ?? 0, kind: "exact" };
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    const row = await first(db, plan.for(table, where), values.all);
    return { count: Math.round(row?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0), kind: "about" };
  }
};

const matching = template(
  "lists.countRows",
  (rows: string, rest: string) =>
    `select count(*) filter (where ${rest})::float8 as count, count(*)::float8 as searched from (${rows}) r`,
  ["select * from sessions", "true"],
)
  // Up to four for each of 2,000 rows, if the condition reads another table.
  .bounded(9000)
  .narrow<{ count: number; searched: number }>();

/** The number of matching rows among those that a list searches. */
const countSearched = async <F extends Fields, Row>(
  db: Db,
  { list, chosen, order }: Counted<F, Row>,
): Promise<NonNullable<Total>> => {
  const { rest, searchedMax } = chosen;
  const values = collectValues();
  const limit = rest.length > 0 ? searchedMax : numberedRowsMax + 1;
  const rows = firstRows(list.rows.table, chosen, { order, limit, cursor: null }, values);
  const condition = rest.map((one) => one(values)).join(" and ") || "true";
  const row = await first(db, matching.for(rows, condition), values.all);
  const { count = 0, searched = 0 } = row ?? {};
  if (count > numberedRowsMax) return capped;
  return { count, kind: searched < limit ? "exact" : "at least" };
};

const countFirst = async <F extends Fields, Row>(db: Db, counted: Counted<F, Row>) => {
  const { list, query, chosen, paging } = counted;
  const { sizes } = paging;
  const { table } = list.rows;
  const isAll = chosen.rest.length === 0 && chosen.arms.every((arm) => arm.length === 0);
  if (isAll && (await roughSize(db, table, sizes)) > 2 * numberedRowsMax) return capped;
  const key = JSON.stringify([table, list.where, query.q, query.f]);
  if (sizes.isMany(key)) return capped;
  const total = await countSearched(db, counted);
  if (total === capped) sizes.rememberMany(key);
  return total;
};

/**
 * The number of matching rows, without delaying the page: counted up to a cap, among the rows that the list searches.
 * Only a request for the exact number waits for it.
 */
export const countRows = async <F extends Fields, Row>(
  db: Db,
  counted: Counted<F, Row>,
  count: "none" | "capped" | "exact",
): Promise<Total> => {
  if (count === "none") return null;
  return count === "exact"
    ? counted.paging.countInTurn(() => countAll(db, counted))
    : countFirst(db, counted);
};

type Choice<Option> = {
  table: string;
  column: string;
  /** Of an index that begins with the column. */
  order: string;
  options: readonly Option[];
};

const byChoice = template(
  "lists.countByChoice",
  ({ table, column, order }: Omit<Choice<never>, "options">, options: readonly string[]) =>
    options
      .map(
        (option) =>
          `select ${quoted(option)} as option, (
             select count(*)::float8 from (
               select from ${table} r where ${column} = ${quoted(option)}
               order by ${order} limit ${numberedRowsMax + 1}
             ) matching) as rows`,
      )
      .join(" union all "),
  [{ table: "apps", column: "r.status", order: "r.id" }, ["active"]],
).narrow<{ option: string; rows: number }>();

/**
 * The number of rows for each value of a column, exact up to the cap, in one statement. Values are literals and the
 * order is the one of an index on the column, so that also a partial index is used.
 */
export const countByChoice = async <Option extends string>(
  db: Db,
  { options, ...counted }: Choice<Option>,
) => {
  const rows = await run(db, byChoice.for(counted, options));
  const totals = rows.map(({ option, rows: found }) => [
    option,
    found > numberedRowsMax ? capped : { count: found, kind: "exact" as const },
  ]);
  return Object.fromEntries(totals) as Record<Option, NonNullable<Total>>;
};
