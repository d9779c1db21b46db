import type { Fields, ListQuery, Sort } from "@purser/contract/http/list";
import { type Db, first, run } from "../db/db.ts";
import { template } from "../db/statement.ts";
import { invalidAt, Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import { type Chosen, chooseRows, type Sql } from "./choose.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import type { Key, List, Paging } from "./list.ts";
import { firstRows, fromDay, keysOf, matchingRows, orderBy, reversed } from "./rows.ts";
import { collectValues } from "./sql.ts";
import { countRows, isTooSlow } from "./total.ts";

type Found<Row> = Row & Record<`key${number}`, string>;

const tooSlow = (error: unknown) => {
  if (!isTooSlow(error)) throw error;
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

const earlierRows = template(
  "lists.earlierRows",
  (rows: string) => `select true as found from (${rows}) r`,
  ["select * from sessions limit 1"],
)
  .bounded(5000)
  .narrow<{ found: true }>();

type Beginning = { from: Sql | null; keys: Key[]; place: string[] | null };

/** Whether there are rows before the first one of a page that begins with a day. */
const hasEarlier = async (
  db: Db,
  table: string,
  chosen: Chosen,
  { from, keys, place }: Beginning,
) => {
  if (!from || !place) return false;
  const values = collectValues();
  const part = { order: reversed(keys), limit: 1, cursor: place };
  const rows = firstRows(table, { ...chosen, rest: [] }, part, values);
  return (await first(db, earlierRows.for(rows), values.all)) !== undefined;
};

const nameOfSort = (sorts: Sort[]) =>
  sorts.map(({ field, descending }) => `${descending ? "-" : ""}${field}`).join(",");

/** The total of a list whose end is on this page, unless none is wanted. */
const countSeen = ({ page = 1, size = 25, count }: ListQuery, items: number, isPart: boolean) =>
  isPart || count === "none" || (page > 1 && items === 0)
    ? null
    : { count: (page - 1) * size + items, kind: "exact" as const };

/** The place of a row in the order of the list. */
const placeIn = (keys: readonly unknown[]) => (row: Record<`key${number}`, string> | undefined) =>
  row ? keys.map((_, index) => row[`key${index}`] ?? "") : null;

const readPage = async <F extends Fields, Row>(
  db: Db,
  list: List<F, Row>,
  query: ListQuery,
  { paging, from }: { paging: Paging; from: Sql | null },
) => {
  const { size = 25, page = 1, after, before, count = "capped", sort = [] } = query;
  const { table } = list.rows;
  const keys = keysOf(list, sort);
  const sortKeys = keys.map(({ sql }) => sql);
  const sortName = nameOfSort(sort);
  const order = before === undefined ? keys : reversed(keys);
  const given = before === "end" ? undefined : (after ?? before);
  const cursor = given ? readCursor(paging.cursorKeys, given, sortName) : null;
  const offset = (page - 1) * size;

  const chosen = await chooseRows(db, list, query, { keys, paging }).catch(tooSlow);
  const values = collectValues();
  const part = { order, limit: size + 1, cursor, from };
  const rows = matchingRows(table, chosen, { ...part, offset }, values);
  const statement = list.rows.page(rows, sortKeys, orderBy(order));
  const found = await run(db, statement, values.all).catch(tooSlow);

  const more = found.length > size;
  const items = more ? found.slice(0, size) : found;
  const cursorAt = (place: string[]) =>
    writeCursor(paging.cursorKeys, { sort: sortName, values: place });
  const placeOf = placeIn(keys);
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
  const edge = (row: Found<Row> | undefined, isAhead: boolean) => {
    const place = isAhead && end ? end.keys : placeOf(row);
    return place && cursorAt(place);
  };
  const earlier = await hasEarlier(db, table, chosen, { from, keys, place: placeOf(items[0]) });
  const isPart = cursor !== null || from !== null || hasMore;
  const total =
    countSeen(query, items.length, isPart) ??
    (await countRows(db, { list, query, paging, chosen, order: keys }, count));

  return {
    items: shown,
    previous: previous || earlier ? edge(items[0], before !== undefined) : null,
    next: next ? edge(items.at(-1), before === undefined) : null,
    total,
    searched: end === undefined ? null : chosen.searchedMax,
  };
};

/** One page of a list with cursors to the next and the previous page, and the total. */
export const findPage = async <F extends Fields, Row>(
  db: Db,
  list: List<F, Row>,
  { at, ...query }: ListQuery,
  paging: Paging,
) => {
  if (at === undefined) return readPage(db, list, query, { paging, from: null });
  const sorts = query.sort ?? [];
  const place = { sorts, keys: keysOf(list, sorts) };
  const from = fromDay(list, place, { day: at, zone: paging.zone });
  if (!from)
    throw invalidAt("/at", message("day_unsorted", "Sort the list by a date to go to a date."));
  const page = await readPage(db, list, query, { paging, from });
  // If no row follows the day, the last page is the nearest one.
  return page.items.length === 0 && page.searched === null
    ? readPage(db, list, { ...query, before: "end" }, { paging, from: null })
    : page;
};

/** A page with its items mapped. */
export const mapPage = <Page extends { items: unknown[] }, Read>(
  page: Page,
  read: (row: Page["items"][number]) => Read,
) => ({ ...page, items: page.items.map(read) });
