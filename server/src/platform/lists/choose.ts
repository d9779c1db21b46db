import type { Field, Fields, Filter, ListQuery } from "@purser/contract/http/list";
import { type Db, run } from "../db/db.ts";
import { template } from "../db/statement.ts";
import type { Key, List, Paging } from "./list.ts";
import {
  type Arm,
  collectValues,
  conditionOf,
  escapeLike,
  hasTrigram,
  idRangeOf,
  isUuid,
  type Values,
} from "./sql.ts";

/**
 * A page must cost the same however many rows there are, whatever the filter. So conditions are of four kinds:
 * an index finds the matching rows in the order of the list (`arms`, one for each value), the condition limits the
 * order itself (a range of the sorted column), an index finds them in any order (looked up first, if they are few), or
 * no index helps. The last ones are applied to a limited number of rows, and the reply says how many were searched.
 */
export type Sql = (values: Values) => string;

/** What relative dates in filters refer to. */
type Moment = Pick<Paging, "now" | "zone">;

/** The rows of a list: those of any arm, to which the rest of the conditions is applied. */
export type Chosen = { arms: Sql[][]; rest: Sql[]; searchedMax: number };

/** Up to this many matches are looked up by their ids. */
export const lookedUpMax = 1000;

/**
 * How many rows are searched by a condition without an index. Rows of the same time are stored together, but in another
 * order, or with another value between them, each can be on a page of its own. The last is for conditions that read
 * other tables for each row.
 */
const searchedRowsMax = 10_000;
const searchedScatteredMax = 4000;
const searchedReferencesMax = 1000;

/** A record is also found by its whole ID. */
const byId = (idCast: "bigint" | undefined, typed: string): Arm[] =>
  idCast === undefined && isUuid(typed)
    ? [{ sql: (values) => `r.id = ${values.add(typed)}::uuid` }]
    : [];

const searchArms = <F extends Fields, Row>(
  { search, idCast }: List<F, Row>,
  typed: string,
): Arm[] => {
  const pattern = `%${escapeLike(typed)}%`;
  const own =
    typeof search === "function"
      ? search(typed)
      : search.map((column) => ({
          sql: (values: Values) => `${column} like lower(${values.add(pattern)})`,
          isPart: true as const,
        }));
  return [...own, ...byId(idCast, typed)];
};

const anyOf =
  (arms: Arm[]): Sql =>
  (values) =>
    `(${arms.map(({ sql }) => sql(values)).join(" or ")})`;

const filterSql =
  <F extends Fields, Row>(list: List<F, Row>, filter: Filter, { now, zone }: Moment): Sql =>
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

const always = <F extends Fields, Row>({ where }: List<F, Row>): Sql[] => {
  if (!where) return [];
  return [typeof where === "string" ? () => where : where];
};

/** Every condition of a query, for an export, which reads all rows anyway. */
export const conditionsOf = <F extends Fields, Row>(
  list: List<F, Row>,
  { q, f = [] }: Pick<ListQuery, "q" | "f">,
  moment: Moment,
  values: Values,
) => {
  const conditions = f.map((filter) => filterSql(list, filter, moment)(values));
  if (q) conditions.push(anyOf(searchArms(list, q))(values));
  return [...conditions, ...always(list).map((sql) => sql(values))];
};

/** The filter whose values each have their rows in the order of the list in an index. */
const findServed = <F extends Fields, Row>(
  { served = [], fields }: List<F, Row>,
  f: Filter[],
  key: Key,
) => {
  const known: Partial<Record<string, true | readonly string[]>> =
    served.find(({ sort }) => sort === key.sql)?.fields ?? {};
  const isServed = ({ field, operator, values }: Filter) => {
    const options = known[field];
    const isEqual = operator === "any" || (operator === "is" && fields[field]?.kind !== "boolean");
    return isEqual && (options === true || values.every((value) => options?.includes(value)));
  };
  return Object.keys(known)
    .flatMap((name) => f.filter(({ field }) => field === name))
    .find(isServed);
};

/** The conditions of a range of the column that the list is sorted by. */
const rangeSql = <F extends Fields, Row>(
  list: List<F, Row>,
  filter: Filter,
  { key, paging }: { key: Key; paging: Paging },
): Sql[] | null => {
  const column = list.columns[filter.field] as string;
  if (list.fields[filter.field]?.kind !== "instant") return null;
  if (column === key.sql) return [filterSql(list, filter, paging)];
  // Ids have the order of time, so a range of time is a range of ids.
  if (list.sorts?.[filter.field] !== "r.id" || key.sql !== "r.id") return null;
  const isInRange = filterSql(list, filter, paging);
  return [
    // In coalesce, so that no index of the time itself is used, whose rows would have to be sorted. PostgreSQL also
    // expects half of the rows instead of so few that it would rather sort them than read them in order.
    (values) => `coalesce(${isInRange(values)}, false)`,
    (values) => idRangeOf(filter, { column: "r.id", values, ...paging }, list.idAt),
  ];
};

const lookUp = template(
  "lists.lookUp",
  (arms: string[]) =>
    `select distinct id::text as id from (${arms.join(" union all ")}) found limit ${lookedUpMax + 1}`,
  [["(select id from sessions limit 1)"]],
)
  // One for each match, because matches of a prefix are anywhere.
  .bounded(2500)
  .narrow<{ id: string | null }>();

/**
 * The ids of one condition. Where the planner can't know how many match, they are counted first with the index alone,
 * and a row without an id stands for too many.
 */
const selectIds = (table: string, { sql, order, ids: own }: Arm, values: Values) => {
  if (own) return own(values);
  const found = sql(values);
  const ids = `select r.id from ${table} r where ${found}`;
  if (!order) return `(${ids} limit ${lookedUpMax + 1})`;
  const few = `(select count(*) from (
    select from ${table} r where ${found} order by ${order} limit ${lookedUpMax + 1}) few)`;
  return `(${ids} and ${few} <= ${lookedUpMax}) union all (select null where ${few} > ${lookedUpMax})`;
};

/** The ids that match one of the conditions, or null if there are too many. */
const findIds = async (db: Db, table: string, arms: Arm[]) => {
  const values = collectValues();
  const selects = arms.map((arm) => selectIds(table, arm, values));
  const found = await run(db, lookUp.for(selects), values.all);
  const ids = found.flatMap(({ id }) => (id === null ? [] : [id]));
  return found.length > lookedUpMax || ids.length < found.length ? null : ids;
};

/** The conditions that an index finds in any order, as the selections of their ids. */
const lookUpsOf = <F extends Fields, Row>(
  list: List<F, Row>,
  { q, f = [] }: Pick<ListQuery, "q" | "f">,
  paging: Paging,
): Arm[][] => [
  ...f.flatMap((filter) => {
    const { field, operator, values: given } = filter;
    const finds = list.finds?.[field];
    if (finds && operator === "any")
      return [[{ sql: () => "", ids: (values: Values) => finds(`${values.add(given)}::uuid[]`) }]];
    if (!list.lookedUp?.[field]?.includes(operator)) return [];
    const sql = filterSql(list, filter, paging);
    if (list.stored?.[field]?.inByteOrder)
      return [[{ sql, order: `${list.columns[field]} using ~<~` }]];
    return list.fields[field]?.kind === "text" && !hasTrigram(given[0]) ? [] : [[{ sql }]];
  }),
  ...(q ? [searchArms(list, q)] : []).filter(
    (arms) => hasTrigram(q) || !arms.some(({ isPart }) => isPart),
  ),
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
  const { idCast = "uuid" } = list;
  const searched = q ? searchArms(list, q) : [];
  const search = searched.length > 0 ? [anyOf(searched)] : [];
  const all: Sql = (values) => conditionsOf(list, query, paging, values).join(" and ");
  for (const arms of list.isSmall ? [] : lookUpsOf(list, query, paging)) {
    const ids = await findIds(db, list.rows.table, arms);
    const isOne: Sql = (values) => `r.id = any (${values.add(ids)}::${idCast}[])`;
    if (ids) return { arms: [[isOne, all]], rest: [], searchedMax: 0 };
  }
  const arm = findServed(list, f, key);
  const ranges = new Map(
    f.flatMap((filter) => {
      const range = rangeSql(list, filter, { key, paging });
      return range ? [[filter, range]] : [];
    }),
  );
  const inside = [...[...ranges.values()].flat(), ...(list.isWhereServed ? always(list) : [])];
  const valueSql = (filter: Filter, value: string): Sql =>
    filterSql(list, { ...filter, operator: "one", values: [value] }, paging);
  const arms = arm
    ? [...new Set(arm.values)].map((value) => [valueSql(arm, value), ...inside])
    : [inside];
  const unserved = f.filter((filter) => filter !== arm && !ranges.has(filter));
  const rest = [
    ...unserved.map((filter) => filterSql(list, filter, paging)),
    ...search,
    ...(list.isWhereServed ? [] : always(list)),
  ];
  const isDear =
    unserved.some(({ field }) => list.refers?.[field]) || searched.some(({ ids }) => ids);
  const isStoredSo = key.sql === "r.id" || key.sql === list.served?.[0]?.sort;
  const isScattered = arm !== undefined || !isStoredSo;
  const ownMax = isScattered ? searchedScatteredMax : searchedRowsMax;
  return { arms, rest, searchedMax: isDear ? searchedReferencesMax : ownMax };
};
