import { numberedRowsMax, type Total } from "@purser/contract/http/list";
import pg from "pg";
import { type Db, first, run } from "../db/db.ts";
import { statement, template } from "../db/statement.ts";
import type { InTurn } from "../http/calls/callConnections.ts";

type Counted = { table: string; where: string; values: readonly unknown[] };

const capped = { count: numberedRowsMax, kind: "at least" } as const;
const cappedMs = 300;
const exactMs = 5000;
/** SQLSTATE of a statement that took too long. */
export const canceled = "57014";

// The statistics of a table change only with ANALYZE.
const sizes = new Map<string, { rows: number; until: number }>();

const roughSizeSql = statement(
  "lists.roughSize",
  "select reltuples::float8 as rows from pg_class where oid = $1::regclass",
).narrow<{ rows: number }>();

const roughSize = async (db: Db, table: string) => {
  const known = sizes.get(table);
  if (known && known.until > performance.now()) return known.rows;
  const row = await first(db, roughSizeSql, [table]);
  const rows = row?.rows ?? -1;
  sizes.set(table, { rows, until: performance.now() + 10_000 });
  return rows;
};

// A filter that matches more rows than the cap will still do so when the next page is requested.
const manyUntil = new Map<string, number>();
const remembered = 1000;

const rememberMany = (key: string) => {
  if (manyUntil.size >= remembered) manyUntil.clear();
  manyUntil.set(key, performance.now() + 10_000);
};

const within = <T>(db: Db, milliseconds: number, work: (db: Db) => Promise<T>) =>
  db.transaction().execute(async (transaction) => {
    await run(transaction, `set local statement_timeout = ${milliseconds}`);
    return work(transaction);
  });

const plan = template(
  "lists.estimate",
  (table: string, where: string) => `explain (format json) select from ${table} r ${where}`,
  ["apps", ""],
).narrow<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>();

const estimate = async (db: Db, { table, where, values }: Counted): Promise<Total> => {
  const row = await first(db, plan.for(table, where), values);
  return { count: Math.round(row?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0), kind: "about" };
};

const matching = template(
  "lists.countRows",
  (table: string, where: string, limit: string) =>
    `select count(*)::float8 as count from (select from ${table} r ${where} ${limit}) matching`,
  ["apps", "", ""],
).narrow<{ count: number }>();

/**
 * The number of matching rows, without delaying the page: counted up to a cap and for a third of a second, otherwise
 * the planner's estimate. Only a request for the exact number waits for it.
 */
export const countRows = async (
  db: Db,
  counted: Counted,
  count: "none" | "capped" | "exact",
  countInTurn: InTurn,
): Promise<Total> => {
  if (count === "none") return null;
  const { table, where, values } = counted;
  const exact = count === "exact";
  if (!exact && where === "" && (await roughSize(db, table)) > 2 * numberedRowsMax) return capped;
  const key = JSON.stringify([table, where, values]);
  if (!exact && (manyUntil.get(key) ?? 0) > performance.now()) return capped;
  const limit = exact ? "" : `limit ${numberedRowsMax + 1}`;
  try {
    const countAll = () =>
      within(db, exact ? exactMs : cappedMs, (transaction) =>
        first(transaction, matching.for(table, where, limit), values),
      );
    const row = await (exact ? countInTurn(countAll) : countAll());
    const rows = row?.count ?? 0;
    if (exact || rows <= numberedRowsMax) return { count: rows, kind: "exact" };
    rememberMany(key);
    return capped;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === canceled)) throw error;
    return estimate(db, counted);
  }
};

type Choice<Option> = { table: string; column: string; options: readonly Option[] };

const byChoice = template(
  "lists.countByChoice",
  (table: string, column: string) =>
    `select chosen.option, counted.rows from unnest($1::text[]) as chosen (option)
     cross join lateral (
       select count(*)::float8 as rows from (
         select from ${table} r where ${column} = chosen.option
         order by r.id limit ${numberedRowsMax + 1}
       ) matching
     ) counted`,
  ["apps", "r.status"],
).narrow<{ option: string; rows: number }>();

/**
 * The number of rows for each value of a column, exact up to the cap, in one statement. The order forces an index-only
 * scan on the column and the id, because nothing else limits its time.
 */
export const countByChoice = async <Option extends string>(
  db: Db,
  { table, column, options }: Choice<Option>,
) => {
  const counted = await run(db, byChoice.for(table, column), [options]);
  const totals = counted.map(({ option, rows }) => [
    option,
    rows > numberedRowsMax ? capped : { count: rows, kind: "exact" as const },
  ]);
  return Object.fromEntries(totals) as Record<Option, NonNullable<Total>>;
};
