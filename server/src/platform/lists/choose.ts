import type { Field, Fields, Filter, ListQuery } from "@purser/contract/http/list";
import { type Db, run } from "../db/db.ts";
import { template } from "../db/statement.ts";
import type { Key, List, Paging } from "./list.ts";
import { collectValues, conditionOf, escapeLike, idRangeOf, type Values } from "./sql.ts";

/**
 * A page must cost the same however many rows there are, whatever the filter. So conditions are of four kinds:
 * an index finds the matching rows in the order of the list (`arms`, one for each value), the condition limits the
 * order itself (a range of the sorted column), an index finds them in any order (looked up first, if they are few), or
 * no index helps. The last ones are applied to a limited number of rows, and the reply says how many were searched.
 */
type Sql = (values: Values) => string;

/** The rows of a list: those of any arm, to which the rest of the conditions is applied. */
export type Chosen = { arms: Sql[][]; rest: Sql[]; searchedMax: number };

/** Up to this many matches are looked up by their ids. */
const lookedUpMax = 2000;

/** How many rows are searched by a condition without an index, and how many if it reads other tables for each row. */
const searchedRowsMax = 10_000;
const searchedReferencesMax = 2000;

/** One condition per key of the search, each with its own index. */
const searchArms = <F extends Fields, Row>({ search }: List<F, Row>, typed: string): Sql[] => {
  if (typeof search === "function") return search(typed);
  const pattern = `%${escapeLike(typed)}%`;
  return search.map((column) => (values) => `${column} like lower(${values.add(pattern)})`);
};

const anyOf =
  (arms: Sql[]): Sql =>
  (values) =>
    `(${arms.map((arm) => arm(values)).join(" or ")})`;

const filterSql =
  <F extends Fields, Row>(list: List<F, Row>, filter: Filter, { now, zone }: Paging): Sql =>
  (values) => {
    const refers = list.refers?.[filter.field];
    if (refers) {
      const one = refers(`${values.add(filter.values)}::uuid[]`);
      return filter.operator === "any" ? `(${one})` : `(not ${one})`;
    }
    const field = list.fields[filter.field] as Field;
    const column = list.columns[filter.field] as string;
    const stored = list.stored?.[filter.field];
    return `(${conditionOf(field, filter, { column, values, now, zone, stored })})`;
  };

/** Every condition of a query, for an export, which reads all rows anyway. */
export const conditionsOf = <F extends Fields, Row>(
  list: List<F, Row>,
  { q, f = [] }: Pick<ListQuery, "q" | "f">,
  paging: Paging,
  values: Values,
) => {
  const conditions = f.map((filter) => filterSql(list, filter, paging)(values));
  if (q) conditions.push(anyOf(searchArms(list, q))(values));
  if (list.where) conditions.push(list.where);
  return conditions;
};

/** The values of a filter, if an index finds the rows of each value in the order of the list. */
const servedValues = <F extends Fields, Row>(
  { served, fields }: List<F, Row>,
  { field, operator, values }: Filter,
  key: Key,
): string[] | null => {
  const known = served?.fields[field];
  if (!known || key.sql !== served?.sort) return null;
  const isEqual = operator === "any" || (operator === "is" && fields[field]?.kind !== "boolean");
  if (!isEqual || (known !== true && values.some((value) => !known.includes(value)))) return null;
  return values;
};

/** The conditions of a range of the column that the list is sorted by. */
const rangeSql = <F extends Fields, Row>(
  list: List<F, Row>,
  filter: Filter,
  { key, paging }: { key: Key; paging: Paging },
): Sql[] | null => {
  const column = list.columns[filter.field] as string;
  if (list.fields[filter.field]?.kind !== "instant") return null;
  const condition = filterSql(list, filter, paging);
  if (column === key.sql) return [condition];
  // Ids begin with the time of the row, so a range of time is a range of ids.
  if (list.sorts?.[filter.field] !== "r.id" || key.sql !== "r.id") return null;
  return [
    condition,
    (values) => idRangeOf(filter, { column: "r.id", values, ...paging }, list.idAt),
  ];
};

const lookUp = template(
  "lists.lookUp",
  (arms: string[]) =>
    `select distinct id::text from (${arms.join(" union all ")}) found limit ${lookedUpMax + 1}`,
  [["(select id from apps limit 1)"]],
).narrow<{ id: string }>();

/** The ids that match one of the conditions, or null if there are too many. */
const findIds = async (db: Db, table: string, arms: Sql[]) => {
  const values = collectValues();
  const selects = arms.map((arm) => {
    const found = arm(values);
    const query = found.startsWith("select ")
      ? found
      : `select r.id from ${table} r where ${found}`;
    return `(${query} limit ${lookedUpMax + 1})`;
  });
  const found = await run(db, lookUp.for(selects), values.all);
  return found.length > lookedUpMax ? null : found.map(({ id }) => id);
};

/** The conditions that an index finds in any order, as the selections of their ids. */
const lookUpsOf = <F extends Fields, Row>(
  list: List<F, Row>,
  { q, f = [] }: Pick<ListQuery, "q" | "f">,
  paging: Paging,
): Sql[][] => [
  ...f.flatMap((filter) => {
    const finds = list.finds?.[filter.field];
    if (finds && filter.operator === "any")
      return [[(values: Values) => finds(`${values.add(filter.values)}::uuid[]`)]];
    const operators = list.lookedUp?.[filter.field];
    return operators?.includes(filter.operator) ? [[filterSql(list, filter, paging)]] : [];
  }),
  ...(q ? [searchArms(list, q)] : []),
];

type Asked = Pick<ListQuery, "q" | "f">;

/** Which rows a page is chosen from. */
export const chooseRows = async <F extends Fields, Row>(
  db: Db,
  list: List<F, Row>,
  query: Asked,
  { keys: [key], paging }: { keys: [Key, ...Key[]]; paging: Paging },
): Promise<Chosen> => {
  const { f = [], q } = query;
  const { where, idCast = "uuid" } = list;
  const always: Sql[] = where ? [() => where] : [];
  const all = [
    ...f.map((filter) => filterSql(list, filter, paging)),
    ...(q ? [anyOf(searchArms(list, q))] : []),
    ...always,
  ];
  for (const arms of lookUpsOf(list, query, paging)) {
    const ids = await findIds(db, list.rows.table, arms);
    const isOne: Sql = (values) => `r.id = any (${values.add(ids)}::${idCast}[])`;
    if (ids) return { arms: [[isOne, ...all]], rest: [], searchedMax: 0 };
  }
  const arm = Object.keys(list.served?.fields ?? {})
    .flatMap((name) => f.filter(({ field }) => field === name))
    .find((filter) => servedValues(list, filter, key));
  const ranges = f.filter((filter) => rangeSql(list, filter, { key, paging }));
  const inside = [
    ...ranges.flatMap((filter) => rangeSql(list, filter, { key, paging }) ?? []),
    ...(list.isWhereServed ? always : []),
  ];
  const valueSql = (filter: Filter, value: string): Sql =>
    filterSql(list, { ...filter, operator: "one", values: [value] }, paging);
  const arms = arm
    ? [...new Set(arm.values)].map((value) => [valueSql(arm, value), ...inside])
    : [inside];
  const unserved = f.filter((filter) => filter !== arm && !ranges.includes(filter));
  const rest = [
    ...unserved.map((filter) => filterSql(list, filter, paging)),
    ...(q ? [anyOf(searchArms(list, q))] : []),
    ...(list.isWhereServed ? [] : always),
  ];
  const isDear = unserved.some(({ field }) => list.refers?.[field]);
  return { arms, rest, searchedMax: isDear ? searchedReferencesMax : searchedRowsMax };
};
