import type { Fields, ListQuery } from "@purser/contract/http/list";
import pg from "pg";
import { type Db, first, run } from "../db/db.ts";
import { template } from "../db/statement.ts";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import { chooseRows } from "./choose.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import type { List, Paging } from "./list.ts";
import { firstRows, keysOf, matchingRows, orderBy, reversed } from "./rows.ts";
import { collectValues } from "./sql.ts";
import { canceled, countRows } from "./total.ts";

type Found<Row> = Row & Record<`key${number}`, string>;

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

const lastSearched = template(
  "lists.lastSearched",
  (keys: string[], rows: string, ordered: string, searched: number) =>
    `select array[${keys.map((key) => `(${key})::text`).join(", ")}] as keys
     from (${rows}) r ${ordered} offset ${searched - 1} limit 1`,
  [["r.id"], "select * from sessions", "order by r.id", 1],
)
  .bounded(5000)
  .narrow<{ keys: string[] }>();

/** One page of a list with cursors to the next and the previous page, and the total. */
export const findPage = async <F extends Fields, Row>(
  db: Db,
  list: List<F, Row>,
  query: ListQuery,
  paging: Paging,
) => {
  const { size = 25, page = 1, after, before, count = "capped", sort = [] } = query;
  const { table } = list.rows;
  const keys = keysOf(list, sort);
  const sortKeys = keys.map(({ sql }) => sql);
  const sortName = sort
    .map(({ field, descending }) => `${descending ? "-" : ""}${field}`)
    .join(",");
  const order = before === undefined ? keys : reversed(keys);
  const given = before === "end" ? undefined : (after ?? before);
  const cursor = given ? readCursor(paging.cursorKeys, given, sortName) : null;
  const offset = (page - 1) * size;

  const chosen = await chooseRows(db, list, query, { keys, paging }).catch(tooSlow);
  const values = collectValues();
  const part = { order, limit: size + 1, cursor };
  const rows = matchingRows(table, chosen, { ...part, offset }, values);
  const statement = list.rows.page(rows, sortKeys, orderBy(order));
  const found = await run(db, statement, values.all).catch(tooSlow);

  const more = found.length > size;
  const items = more ? found.slice(0, size) : found;
  const cursorAt = (place: string[]) =>
    writeCursor(paging.cursorKeys, { sort: sortName, values: place });
  const cursorOf = (row: Found<Row> | undefined) =>
    row ? cursorAt(keys.map((_, index) => row[`key${index}`] ?? "")) : null;
  // If rows are missing, the page may end where the search ended, and not where the list does.
  const searchedEnd = async () => {
    if (more || chosen.rest.length === 0) return undefined;
    const last = collectValues();
    const searched = firstRows(table, chosen, { ...part, limit: chosen.searchedMax }, last);
    const text = lastSearched.for(sortKeys, searched, orderBy(order), chosen.searchedMax);
    return first(db, text, last.all);
  };
  const end = await searchedEnd().catch(tooSlow);
  if (before !== undefined) items.reverse();
  const shown: Row[] = items;
  const hasMore = more || end !== undefined;
  const { previous, next } = neighbours(query, hasMore);
  const edge = (row: Found<Row> | undefined, isAhead: boolean) =>
    isAhead && end ? cursorAt(end.keys) : cursorOf(row);
  const seenAll = cursor === null && !hasMore && (page === 1 || items.length > 0);
  const total =
    seenAll && count !== "none"
      ? { count: offset + items.length, kind: "exact" as const }
      : await countRows(db, { list, query, paging, chosen, order: keys }, count);

  return {
    items: shown,
    previous: previous ? edge(items[0], before !== undefined) : null,
    next: next ? edge(items.at(-1), before === undefined) : null,
    total,
    searched: end === undefined ? null : chosen.searchedMax,
  };
};

/** A page with its items mapped. */
export const mapPage = <Page extends { items: unknown[] }, Read>(
  page: Page,
  read: (row: Page["items"][number]) => Read,
) => ({ ...page, items: page.items.map(read) });
