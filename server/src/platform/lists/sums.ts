import type { Fields, ListQuery } from "@purser/contract/http/list";
import { numberedRowsMax } from "@purser/contract/http/numberedRows";
import { type Db, run } from "../db/db.ts";
import { template } from "../db/statement.ts";
import { chooseRows, conditionsOf } from "./choose.ts";
import type { List, Paging } from "./list.ts";
import { firstRows, keysOf, whereAll } from "./rows.ts";
import { collectValues } from "./sql.ts";
import { isTooSlow, within } from "./total.ts";

/** The SQL of a list's currency and of the amounts to add up, by name. */
type Summed<Name extends string> = { currency: string; amounts: Record<Name, string> };

type Group = { currency: string; rows: number; searched: number; amounts: string[] };

const add = ({ currency, amounts }: Summed<string>, condition: string) => {
  const sums = Object.values(amounts).map(
    (amount) => `coalesce(sum(${amount}) filter (where ${condition}), 0)::text`,
  );
  return `select ${currency} as currency, count(*) filter (where ${condition})::float8 as rows,
    count(*)::float8 as searched, array[${sums.join(", ")}] as amounts`;
};

const example = { currency: "r.email", amounts: { total: "r.version" } };

const few = template(
  "lists.sumRows",
  (summed: Summed<string>, rows: string, rest: string) =>
    `${add(summed, rest)} from (${rows}) r group by 1 order by 1`,
  [example, "select * from users", "true"],
)
  // One for each of 10,000 rows, if those of a value are anywhere, and their index.
  .bounded(14_000)
  .narrow<Group>();

const everything = template(
  "lists.sumAll",
  (summed: Summed<string>, table: string, where: string) =>
    `${add(summed, "true")} from ${table} r ${where} group by 1 order by 1`,
  [example, "users", ""],
).narrow<Group>();

const fewMs = 2000;
const allMs = 5000;

/** The rows to add up, and what of them. */
type Asked<F extends Fields, Row, Name extends string> = {
  list: List<F, Row>;
  summed: Summed<Name>;
  query: Pick<ListQuery, "q" | "f" | "sort">;
  paging: Paging;
};

/** Null if there are more rows than a list counts. */
const sumFew = async <F extends Fields, Row, Name extends string>(
  db: Db,
  { list, summed, query, paging }: Asked<F, Row, Name>,
) => {
  const keys = keysOf(list, query.sort ?? []);
  const chosen = await chooseRows(db, list, query, { keys, paging });
  const { rest, searchedMax } = chosen;
  const values = collectValues();
  const limit = rest.length > 0 ? searchedMax : numberedRowsMax + 1;
  const rows = firstRows(list.rows.table, chosen, { order: keys, limit, cursor: null }, values);
  const condition = rest.map((one) => one(values)).join(" and ") || "true";
  const groups = await run(db, few.for(summed, rows, condition), values.all);
  const searched = groups.reduce((sum, group) => sum + group.searched, 0);
  return searched < limit ? groups : null;
};

const sumAll = async <F extends Fields, Row, Name extends string>(
  db: Db,
  { list, summed, query, paging }: Asked<F, Row, Name>,
) => {
  const values = collectValues();
  const where = whereAll(conditionsOf(list, query, paging, values));
  return run(db, everything.for(summed, list.rows.table, where), values.all);
};

/** The sums of the matching rows, if these are few or a user asks for all of them, within a time limit. */
export const sumRows = async <F extends Fields, Row, Name extends string>(
  db: Db,
  asked: Asked<F, Row, Name>,
  isAll: boolean,
) => {
  const names = Object.keys(asked.summed.amounts) as Name[];
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
    const sums = groups
      .filter(({ rows }) => rows > 0)
      .map(({ currency, rows, amounts }) => ({ currency, rows, amounts: byName(amounts) }));
    return { state: "complete" as const, sums };
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    return { state: isAll ? ("too slow" as const) : ("too many" as const), sums: [] };
  }
};
