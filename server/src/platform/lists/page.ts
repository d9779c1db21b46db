import type { Field, Fields, ListQuery, Sort } from "@purser/contract/http/list";
import pg from "pg";
import type { SecretKeys } from "../auth/secrets.ts";
import { type Db, run } from "../db/db.ts";
import type { Selection, Tail } from "../db/statement.ts";
import type { InTurn } from "../http/calls/callConnections.ts";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { collectValues, conditionOf, escapeLike, type Values } from "./sql.ts";
import { canceled, countRows } from "./total.ts";

/** What a list needs from a request in addition to its query. */
export type Paging = { now: Date; zone: string; cursorKeys: SecretKeys; countInTurn: InTurn };

/**
 * The declaration of a list: its rows, whose table is always named `r`, and the SQL of each field. Text columns are
 * lower-cased like their indexes. A `sort` of `r.id` means that the primary key has the same order.
 */
export type List<F extends Fields, Row> = {
  rows: Selection<Row>;
  fields: F;
  columns: { [Name in keyof F]: string };
  sorts?: Partial<Record<keyof F, string>>;
  /** The columns that `q` searches, or its condition. */
  search: string[] | ((typed: string, values: Values) => string);
  /** For a field of related records: whether a row refers to one of these ids. */
  refers?: Partial<Record<keyof F, (ids: string) => string>>;
  /** A condition that all rows of this list meet. */
  where?: string;
  /** The type of the ids, if not uuid. */
  idCast?: "bigint";
};

type Key = { sql: string; cast: string; descending: boolean };

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
export const keysOf = <F extends Fields, Row>(list: List<F, Row>, sorts: Sort[]): Key[] => {
  const keys = sorts.map(({ field, descending }) => ({
    sql: list.sorts?.[field] ?? list.columns[field] ?? "r.id",
    cast: casts[list.fields[field]?.kind ?? "text"],
    descending,
  }));
  const byId = keys.findIndex(({ sql }) => sql === "r.id");
  const cast = list.idCast ?? "uuid";
  const id = { sql: "r.id", cast, descending: keys.at(-1)?.descending ?? true };
  return byId < 0
    ? [...keys, id]
    : [...keys.slice(0, byId), { ...id, descending: keys[byId]?.descending ?? true }];
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

const reversed = (keys: Key[]) => keys.map((key) => ({ ...key, descending: !key.descending }));

const orderBy = (keys: Key[]): `order by ${string}` =>
  `order by ${keys.map(({ sql, descending }) => `${sql}${descending ? " desc" : ""}`).join(", ")}`;

export const conditionsOf = <F extends Fields, Row>(
  list: List<F, Row>,
  { q, f = [] }: Pick<ListQuery, "q" | "f">,
  { now, zone }: Paging,
  values: Values,
) => {
  const conditions = f.map((filter) => {
    const field = list.fields[filter.field] as Field;
    const column = list.columns[filter.field] as string;
    const refers = list.refers?.[filter.field];
    if (refers) {
      const one = refers(`${values.add(filter.values)}::uuid[]`);
      return filter.operator === "any" ? `(${one})` : `(not ${one})`;
    }
    return `(${conditionOf(field, filter, { column, values, now, zone })})`;
  });
  if (q && typeof list.search === "function") conditions.push(`(${list.search(q, values)})`);
  else if (q) {
    const pattern = values.add(`%${escapeLike(q)}%`);
    const columns = list.search as string[];
    conditions.push(
      `(${columns.map((column) => `${column} like lower(${pattern})`).join(" or ")})`,
    );
  }
  if (list.where) conditions.push(list.where);
  return conditions;
};

/** The end of a statement: matching rows in their order. */
export const tailOf = (conditions: string[], keys: Key[]): Tail =>
  conditions.length > 0 ? `where ${conditions.join(" and ")} ${orderBy(keys)}` : orderBy(keys);

const whereAll = (conditions: string[]) =>
  conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";

type Found<Row> = Row & Record<`key${number}`, string>;

type Page = { keys: Key[]; order: Key[]; where: string; limit: number; offset: number };

/** The statement of one page. The limit applies before joins and is a literal, which keeps the plan cheap. */
const pageStatement = <Row>(rows: Selection<Row>, { keys, order, where, limit, offset }: Page) => {
  const ordered = orderBy(order);
  const chosen = `
    select r.* from ${rows.table} r ${where}
    ${ordered} limit ${limit}${offset > 0 ? ` offset ${offset}` : ""}`;
  const sortKeys = keys.map(({ sql }) => sql);
  return rows.page(chosen, sortKeys, ordered);
};

const tooSlow = (error: unknown) => {
  if (!(error instanceof pg.DatabaseError && error.code === canceled)) throw error;
  throw new Problem(
    "unavailable",
    message(
      "list_too_slow",
      "This list takes too long to load. Narrow the filter or the search, or sort by another column.",
    ),
  );
};

/** Whether there is a page on either side, known from one extra row or from the cursor. */
const neighbours = ({ page = 1, after, before }: ListQuery, more: boolean) =>
  before === undefined
    ? { previous: after !== undefined || page > 1, next: more }
    : { previous: more, next: before !== "end" };

/** One page of a list with cursors to the next and the previous page, and the total. */
export const findPage = async <F extends Fields, Row>(
  db: Db,
  list: List<F, Row>,
  query: ListQuery,
  paging: Paging,
) => {
  const { size = 25, page = 1, after, before, count = "capped", sort = [] } = query;
  const keys = keysOf(list, sort);
  const sortName = sort
    .map(({ field, descending }) => `${descending ? "-" : ""}${field}`)
    .join(",");
  const order = before === undefined ? keys : reversed(keys);
  const cursor = before === "end" ? undefined : (after ?? before);
  const offset = (page - 1) * size;

  const values = collectValues();
  const conditions = conditionsOf(list, query, paging, values);
  const filter = { table: list.rows.table, where: whereAll(conditions), values: [...values.all] };
  if (cursor)
    conditions.push(beyond(order, readCursor(paging.cursorKeys, cursor, sortName), values));
  const statement = { keys, order, where: whereAll(conditions), limit: size + 1, offset };
  const found = await run(db, pageStatement(list.rows, statement), values.all).catch(tooSlow);

  const more = found.length > size;
  const items = more ? found.slice(0, size) : found;
  if (before !== undefined) items.reverse();
  const shown: Row[] = items;
  const cursorAt = (row: Found<Row> | undefined) =>
    row
      ? writeCursor(paging.cursorKeys, {
          sort: sortName,
          values: keys.map((_, index) => row[`key${index}`] ?? ""),
        })
      : null;
  const { previous, next } = neighbours(query, more);
  const seenAll = cursor === undefined && !more && (page === 1 || items.length > 0);
  const total =
    seenAll && count !== "none"
      ? { count: offset + items.length, kind: "exact" as const }
      : await countRows(db, filter, count, paging.countInTurn);

  return {
    items: shown,
    previous: previous ? cursorAt(items[0]) : null,
    next: next ? cursorAt(items.at(-1)) : null,
    total,
  };
};

/** A page with its items mapped. */
export const mapPage = <Page extends { items: unknown[] }, Read>(
  page: Page,
  read: (row: Page["items"][number]) => Read,
) => ({ ...page, items: page.items.map(read) });
