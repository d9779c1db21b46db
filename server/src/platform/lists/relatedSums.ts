import type { Fields, ListQuery } from "@purser/contract/http/list";
import { numberedRowsMax } from "@purser/contract/http/numberedRows";
import { type Db, run } from "../db/db.ts";
import { template } from "../db/statement.ts";
import { chooseRows, conditionsOf } from "./choose.ts";
import type { List, Paging } from "./list.ts";
import { firstRows, keysOf, whereAll } from "./rows.ts";
import { collectValues } from "./sql.ts";
import { isTooSlow, within } from "./total.ts";

/** Of each row r: a query with a currency and an amount for each of its currencies. */
type Related<Name extends string> = { query: string; amounts: readonly Name[] };

type Group = {
  searched: number;
  matching: number;
  currency: string | null;
  rows: number;
  amounts: string[];
};

/** Each row is looked up in another table, so fewer are added up at once than rows with their own amounts. */
const relatedRowsMax = 2000;

const sums = (amounts: readonly string[]) =>
  `count(*)::float8 as rows, array[${amounts.map((name) => `coalesce(sum(x.${name}), 0)::text`).join(", ")}] as amounts`;

const example: Related<string> = {
  query: "select r.email as currency, r.version as total",
  amounts: ["total"],
};

const few = template(
  "lists.sumRelatedRows",
  ({ query, amounts }: Related<string>, rows: string, condition: string) => `
    with chosen as materialized (select r.id, (${condition}) as matches from (${rows}) r),
      counted as (
        select count(*)::float8 as searched, count(*) filter (where matches)::float8 as matching from chosen
      )
    select c.searched, c.matching, x.currency, ${sums(amounts)}
    from counted c left join (chosen r cross join lateral (${query}) x)
      on r.matches and c.matching <= ${relatedRowsMax}
    group by 1, 2, 3 order by 3`,
  [
    { ...example, query: "select r.id::text as currency, 1 as total" },
    "select * from users",
    "true",
  ],
)
  // Up to 10,000 rows, and a lookup in an index for each of those that are added up.
  .bounded(24_000)
  .narrow<Group>();

const everything = template(
  "lists.sumRelated",
  ({ query, amounts }: Related<string>, table: string, where: string) => `
    select 0::float8 as searched, 0::float8 as matching, x.currency, ${sums(amounts)}
    from ${table} r cross join lateral (${query}) x ${where} group by 3 order by 3`,
  [example, "users", ""],
).narrow<Group & { currency: string }>();

const fewMs = 2000;
const allMs = 5000;

type Asked<F extends Fields, Row, Name extends string> = {
  list: List<F, Row>;
  related: Related<Name>;
  query: Pick<ListQuery, "q" | "f" | "sort">;
  paging: Paging;
};

/** Null if there are more rows than are added up without a request. */
const sumFew = async <F extends Fields, Row, Name extends string>(
  db: Db,
  { list, related, query, paging }: Asked<F, Row, Name>,
) => {
  const keys = keysOf(list, query.sort ?? []);
  const chosen = await chooseRows(db, list, query, { keys, paging });
  const { rest, searchedMax } = chosen;
  const values = collectValues();
  const limit = rest.length > 0 ? searchedMax : Math.min(relatedRowsMax, numberedRowsMax) + 1;
  const rows = firstRows(list.rows.table, chosen, { order: keys, limit, cursor: null }, values);
  const condition = rest.map((one) => one(values)).join(" and ") || "true";
  const groups = await run(db, few.for(related, rows, condition), values.all);
  const [{ searched, matching } = { searched: 0, matching: 0 }] = groups;
  return searched < limit && matching <= relatedRowsMax ? groups : null;
};

const sumAll = async <F extends Fields, Row, Name extends string>(
  db: Db,
  { list, related, query, paging }: Asked<F, Row, Name>,
) => {
  const values = collectValues();
  const where = whereAll(conditionsOf(list, query, paging, values));
  return run(db, everything.for(related, list.rows.table, where), values.all);
};

/**
 * As `sumRows`, for amounts that are in another table and can have several currencies for each row. `rows` of a sum are
 * those with an amount in its currency.
 */
export const sumRelatedRows = async <F extends Fields, Row, Name extends string>(
  db: Db,
  asked: Asked<F, Row, Name>,
  isAll: boolean,
) => {
  const names = asked.related.amounts;
  const byName = (amounts: string[]) =>
    Object.fromEntries(names.map((name, place) => [name, amounts[place] ?? "0"])) as Record<
      Name,
      string
    >;
  try {
    const groups = isAll
      ? await asked.paging.countInTurn(() =>
          within(db, allMs, (transaction) => sumAll(transaction, asked)),
        )
      : await within(db, fewMs, (transaction) => sumFew(transaction, asked));
    if (!groups) return { state: "too many" as const, sums: [] };
    const found = groups.flatMap(({ currency, rows, amounts }) =>
      currency === null ? [] : [{ currency, rows, amounts: byName(amounts) }],
    );
    return { state: "complete" as const, sums: found };
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    return { state: isAll ? ("too slow" as const) : ("too many" as const), sums: [] };
  }
};
