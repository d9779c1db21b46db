import type { Field, Fields, Sort } from "@purser/contract/http/list";
import type { Tail } from "../db/statement.ts";
import type { Chosen, Sql } from "./choose.ts";
import type { Key, List } from "./list.ts";
import { leastIdAt, startOfDay, type Values } from "./sql.ts";

const casts: Record<Field["kind"], string> = {
  text: "text",
  choice: "text",
  relation: "uuid",
  set: "text[]",
  number: "numeric",
  boolean: "boolean",
  instant: "timestamptz",
};

/** The sort keys, always ending with the id, so that the order is total. */
export const keysOf = <F extends Fields, Row>(
  list: List<F, Row>,
  sorts: Sort[],
): [Key, ...Key[]] => {
  const keys = sorts.map(({ field, descending }) => ({
    sql: list.sorts?.[field] ?? list.columns[field] ?? "r.id",
    cast: casts[list.fields[field]?.kind ?? "text"],
    descending,
  }));
  const byId = keys.findIndex(({ sql }) => sql === "r.id");
  const cast = list.idCast ?? "uuid";
  const id = { sql: "r.id", cast, descending: keys.at(-1)?.descending ?? true };
  const [first = id, ...others] =
    byId < 0
      ? [...keys, id]
      : [...keys.slice(0, byId), { ...id, descending: keys[byId]?.descending ?? true }];
  return [first, ...others];
};

/** Rows after the place in the order of the keys. Keys of one direction are compared as a row, so an index works. */
const beyond = (keys: Key[], place: string[], values: Values) => {
  const operands = keys.map(({ cast }, index) => `${values.add(place[index])}::${cast}`);
  const operator = ({ descending }: Key) => (descending ? "<" : ">");
  if (new Set(keys.map(operator)).size === 1)
    return `(${keys.map(({ sql }) => sql).join(", ")}) ${operator(keys[0] as Key)} (${operands.join(", ")})`;
  const alternatives = keys.map((key, index) =>
    [
      ...keys.slice(0, index).map(({ sql }, equal) => `${sql} = ${operands[equal]}`),
      `${key.sql} ${operator(key)} ${operands[index]}`,
    ].join(" and "),
  );
  return `(${alternatives.map((one) => `(${one})`).join(" or ")})`;
};

export const reversed = (keys: Key[]) =>
  keys.map((key) => ({ ...key, descending: !key.descending }));

export const orderBy = (keys: Key[]): `order by ${string}` =>
  `order by ${keys.map(({ sql, descending }) => `${sql}${descending ? " desc" : ""}`).join(", ")}`;

/** The end of a statement: matching rows in their order. */
export const tailOf = (conditions: string[], keys: Key[]): Tail =>
  conditions.length > 0 ? `where ${conditions.join(" and ")} ${orderBy(keys)}` : orderBy(keys);

export const whereAll = (conditions: string[]) =>
  conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";

/** Rows from a day on, in the order of the list. Null if the order isn't one of time. */
export const fromDay = <F extends Fields, Row>(
  list: List<F, Row>,
  { sorts, keys: [key] }: { sorts: Sort[]; keys: [Key, ...Key[]] },
  { day, zone }: { day: string; zone: string },
): Sql | null => {
  const { field } = sorts[0] ?? { field: null };
  const isById = key.sql === "r.id";
  const idAt = list.idAt ?? (list.idCast ? null : leastIdAt);
  if (field !== null && list.fields[field]?.kind !== "instant") return null;
  if (isById && !idAt) return null;
  return (values) => {
    const moment = startOfDay(day, key.descending ? 1 : 0, { values, zone });
    return `${key.sql} ${key.descending ? "<" : ">="} ${isById && idAt ? idAt(moment) : moment}`;
  };
};

/** How many rows to read, and from where. */
type Part = { order: Key[]; limit: number; cursor: string[] | null; from?: Sql | null };

const armsOf = (
  table: string,
  { arms }: Chosen,
  { part: { order, limit, cursor, from }, columns }: { part: Part; columns: string },
  values: Values,
) =>
  arms.map((arm) => {
    const conditions = arm.map((condition) => condition(values));
    if (cursor) conditions.push(beyond(order, cursor, values));
    if (from) conditions.push(from(values));
    const where = whereAll(conditions);
    return `select ${columns} from ${table} r ${where} ${orderBy(order)} limit ${limit}`;
  });

/** The first rows of the list, of all arms together. The limit is a literal, which keeps the plan cheap. */
export const firstRows = (table: string, chosen: Chosen, part: Part, values: Values) => {
  const [only = "", ...others] = armsOf(table, chosen, { part, columns: "r.*" }, values);
  if (others.length === 0) return only;
  const together = [only, ...others].map((one) => `(${one})`).join(" union all ");
  return `select r.* from (${together}) r ${orderBy(part.order)} limit ${part.limit}`;
};

/**
 * The ids of the same rows. An index has them in this order, and the rows themselves are read only for the page: so
 * the planner doesn't read rows of other values instead, which it expects to be few and may be millions.
 */
const firstIds = (
  table: string,
  chosen: Chosen,
  { offset, ...part }: Part & { offset: number },
  values: Values,
) => {
  const keys = part.order.map(({ sql, descending }, place) => ({
    named: `${sql} as k${place}`,
    sorted: `f.k${place}${descending ? " desc" : ""}`,
  }));
  const columns = ["r.id", ...keys.map(({ named }) => named)].join(", ");
  const limited = { ...part, limit: part.limit + offset };
  const arms = armsOf(table, chosen, { part: limited, columns }, values);
  const together = arms.map((one) => `(${one})`).join(" union all ");
  const sorted = keys.map((key) => key.sorted).join(", ");
  return `select f.id from (${together}) f order by ${sorted} limit ${part.limit} offset ${offset}`;
};

/** The rows of a page. Conditions without an index are applied to the searched rows. */
export const matchingRows = (
  table: string,
  chosen: Chosen,
  part: Part & { offset: number },
  values: Values,
) => {
  const { rest, searchedMax } = chosen;
  const { order, limit, offset } = part;
  if (rest.length === 0)
    return `select r.* from ${table} r where r.id = any (array(${firstIds(table, chosen, part, values)}))`;
  const rows = firstRows(table, chosen, { ...part, limit: searchedMax }, values);
  const conditions = rest.map((condition) => condition(values));
  return `select r.* from (${rows}) r ${whereAll(conditions)} ${orderBy(order)} limit ${limit} offset ${offset}`;
};
