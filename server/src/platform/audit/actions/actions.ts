import type { Holder } from "@purser/contract/auth/permissions";
import type { Filter } from "@purser/contract/http/list";
import type { auditFields } from "@purser/contract/workspace/audit";
import { factColumns, partTables, tellingPlace } from "@purser/contract/workspace/auditReferences";
import type { Action, RecordNames } from "@purser/contract/workspace/history";
import { canRevertPrices } from "@purser/contract/workspace/revert";
import { type Topic, topics } from "@purser/contract/workspace/topics";
import type { Db } from "../../db/db.ts";
import { camelCase } from "../../db/names.ts";
import { selection } from "../../db/statement.ts";
import { readCursor, writeCursor } from "../../lists/cursor.ts";
import type { List, Paging } from "../../lists/list.ts";
import { findPage } from "../../lists/page.ts";
import type { Values } from "../../lists/sql.ts";
import { describe, type Entry } from "../activity.ts";
import { isNumberOrId, list } from "../log.ts";
import {
  entriesMax,
  findEntriesById,
  findEntriesOfRequests,
  findReverts,
} from "./actionQueries.ts";
import { findNames } from "./names.ts";
import { type Searched, searchCondition } from "./search.ts";

/** What a published version changed, with the request or job that published it. */
type Published = Action["published"][number] & { requestId: string | null };

/** What the modules tell about their records. */
export type HistorySources = {
  /** The ids of records with this text in their name, and of what belongs to them. */
  findNamed: (db: Db, typed: string, paging: Paging, reader: Holder) => Promise<string[]>;
  /** What the versions that these entries published changed. */
  findPublished: (db: Db, entries: readonly Entry[]) => Promise<Published[]>;
};

export type HistoryQuery = {
  q?: string | undefined;
  f: Filter[];
  size?: number | undefined;
  after?: string | undefined;
  fields?: string[] | undefined;
  types?: string[] | undefined;
};

type Head = { id: string; requestId: string | null };

const heads = selection("audit.heads", {
  table: "audit_entries",
  columns: 'r.id, r.request_id as "requestId"',
}).narrow<{ id: string }>();

/** How many matching entries are read at once, and how often, to find the actions of a page. */
const candidates = 100;
const roundsMax = 4;

/** How many entries are sent with an action of a list, and with one that is opened. */
const shownMax = 12;
const openedMax = 200;

/** Entries of the same request or job belong to one action. */
export const keyOf = ({ requestId, id }: Head) => requestId ?? id;

/**
 * A topic as the tables that an index finds. If it has only some rows of a table, it stays a condition on neighboring
 * entries: rows of one table are far apart, and for a table without entries the planner would read all others.
 */
const withTopics = (f: Filter[]): Filter[] => {
  const topic = f.find(({ field, operator }) => field === "topic" && operator === "any");
  const named = topic?.values.map((name) => topics[name as Topic]) ?? [];
  if (!topic || named.some((one) => "only" in one) || f.some(({ field }) => field === "entity"))
    return f;
  const values = named.flatMap(({ entities }) => [...entities]);
  return [{ field: "entity", operator: "any", values }, ...f.filter((one) => one !== topic)];
};

/** The entries of the query that don't belong to one of the shown actions. */
const listOf = (searched: Searched | null, shown: readonly string[]) => {
  const { served, ...plain } = list;
  const conditions: ((values: Values) => string)[] = [];
  if (searched) conditions.push(searchCondition(searched));
  if (shown.length > 0)
    conditions.push(
      (values) => `(r.request_id is null or r.request_id <> all (${values.add(shown)}::text[]))`,
    );
  const made: List<typeof auditFields, Head> = {
    ...plain,
    // Without an arm per table, the searched entries are neighbours.
    ...(conditions.length === 0 && { served }),
    rows: heads,
    ...(conditions.length > 0 && {
      where: (values: Values) => conditions.map((sql) => sql(values)).join(" and "),
    }),
  };
  return made;
};

const cursorName = "actions";

/** Actions that the cursor is in the middle of, with their first entry. */
type Open = { request: string; first: number };
type Place = { from: string | null; open: Open[] };

/** Requests that run at the same time, and long jobs. A cursor has room for so many. */
const openMax = 15;

const writeOpen = ({ request, first }: Open) => `${first}:${request}`;
const readOpen = (text: string): Open => {
  const [first, ...request] = text.split(":");
  return { request: request.join(":"), first: Number(first) };
};

const placeOf = (after: string | undefined, { cursorKeys }: Paging): Place => {
  if (!after) return { from: null, open: [] };
  const [from = null, ...open] = readCursor(cursorKeys, after, cursorName);
  return { from, open: open.map(readOpen) };
};

type Asked = { query: HistoryQuery; searched: Searched | null; paging: Paging };

type Found = Map<string, Head>;

/** Adds entries until another action would be one too many. Returns the last one that was added. */
const take = (
  found: Found,
  items: readonly Head[],
  { size, open }: { size: number; open: readonly string[] },
) => {
  const over = items.findIndex((item) => {
    if (found.has(keyOf(item)) || open.includes(keyOf(item))) return false;
    if (found.size === size) return true;
    found.set(keyOf(item), item);
    return false;
  });
  const taken = over < 0 ? items : items.slice(0, over);
  return { last: taken.at(-1)?.id ?? null, isFull: over >= 0 };
};

const requestsIn = (found: Found) => [...found.values()].flatMap((one) => one.requestId ?? []);

/** The next actions by their newest matching entry, and where they end. */
const findHeads = async (db: Db, { query, searched, paging }: Asked, place: Place) => {
  const { size = 25, q } = query;
  const { cursorKeys } = paging;
  const found: Found = new Map();
  const f = withTopics(query.f);
  const open = place.open.map(({ request }) => request);
  const readAfter = (from: string | null, shown: readonly string[]) =>
    findPage(
      db,
      listOf(searched, shown),
      {
        f,
        sort: [],
        size: candidates,
        count: "none",
        ...(q && !searched && { q }),
        ...(from && { after: writeCursor(cursorKeys, { sort: "", values: [from] }) }),
      },
      paging,
    );
  let { from } = place;
  // Leaving out the shown actions searches more entries, so it is only done within a long one.
  let shown: string[] = [];
  for (let round = 0; round < roundsMax; round++) {
    const known = found.size;
    const page = await readAfter(from, shown);
    const { last, isFull } = take(found, page.items, { size, open });
    shown = found.size === known ? [...open, ...requestsIn(found)] : [];
    const end = isFull ? (last ?? from) : page.next && readCursor(cursorKeys, page.next, "")[0];
    const limit = isFull ? null : page.searched;
    if (isFull || !end || limit !== null)
      return { found: [...found.values()], end: end ?? null, searched: limit };
    from = end;
  }
  return { found: [...found.values()], end: from, searched: null };
};

const byNumber = (one: { id: string }, other: { id: string }) => Number(one.id) - Number(other.id);

const byWeight = (one: Entry, other: Entry) =>
  tellingPlace(one.entity) - tellingPlace(other.entity) || byNumber(one, other);

/** Reads the entries of these actions and who reverted them. */
const readEntries = async (db: Db, found: readonly Head[], max = entriesMax) => {
  const requestIds = found.flatMap(({ requestId }) => requestId ?? []);
  const ofRequests =
    requestIds.length > 0 ? await findEntriesOfRequests(db, requestIds, max + 1) : [];
  const known = new Set(ofRequests.map(({ id }) => id));
  const missing = found.map(({ id }) => id).filter((id) => !known.has(id));
  const others = missing.length > 0 ? await findEntriesById(db, missing) : [];
  const all = [...ofRequests, ...others];
  const reverts = await findReverts(db, all.map(({ id }) => id).slice(0, 300));
  return all.map((entry): Entry => ({ ...entry, revertedBy: reverts.get(entry.id) ?? null }));
};

const nameIn = (names: RecordNames, { entity, recordId }: Entry) => {
  const own = names[recordId];
  const expected = partTables[entity]?.record ?? entity;
  return own?.entity === expected ? own.name : null;
};

const factsOf = ({ before, after }: Entry) => {
  const row = after ?? before ?? {};
  const known = factColumns.filter((column) => row[column] !== undefined && row[column] !== null);
  return Object.fromEntries(known.map((column) => [camelCase(column), row[column]]));
};

type Told = {
  names: RecordNames;
  reader: Holder;
  published: readonly Published[];
  /** How many entries were read at most, and how many of them to show. */
  max?: number;
  shown?: number;
};

/** An action with the entries that say most about it. */
export const actionOf = (head: Head, own: Entry[], told: Told): Action[] => {
  const { names, reader, published, max = entriesMax, shown = shownMax } = told;
  const newest = own.find(({ id }) => id === head.id) ?? own.at(-1);
  if (!newest) return [];
  const weighed = own.toSorted(byWeight).slice(0, shown);
  const entries = weighed.includes(newest) ? weighed : [...weighed.slice(0, -1), newest];
  // The same version is in the actions that created and replaced it, which published something else or nothing.
  const changed = published.filter(({ requestId }) => requestId === keyOf(head));
  return [
    {
      id: head.id,
      at: newest.at,
      requestId: head.requestId,
      actor: { kind: newest.actorKind, id: newest.actorId, name: newest.actorName },
      reason: own.find(({ reason }) => reason !== null)?.reason ?? null,
      entries: entries.map((entry) => {
        const described = describe(entry, reader);
        const label = nameIn(names, entry) ?? described.label;
        const canRevert = described.canRevert || canRevertPrices(entry, changed, reader);
        return { ...described, canRevert, label, facts: factsOf(entry) };
      }),
      total: { count: Math.min(own.length, max), kind: own.length > max ? "at least" : "exact" },
      published: changed.map(({ requestId: _, ...one }) => one),
    },
  ];
};

/** One page of the history, newest action first. An action is on the page of its newest matching entry. */
export const findActions = async (
  db: Db,
  query: HistoryQuery,
  { paging, reader, sources }: { paging: Paging; reader: Holder; sources: HistorySources },
) => {
  const { q, fields = [], types = [] } = query;
  const isText = q !== undefined && !isNumberOrId(q);
  const searched = isText
    ? { typed: q, fields, types, recordIds: await sources.findNamed(db, q, paging, reader) }
    : null;
  const place = placeOf(query.after, paging);
  const { found, end, ...rest } = await findHeads(db, { query, searched, paging }, place);
  const entries = await readEntries(db, found);
  const names = await findNames(db, entries);
  const published = await sources.findPublished(db, entries);
  const items = found.flatMap((head) =>
    actionOf(
      head,
      entries.filter((entry) => keyOf(entry) === keyOf(head)),
      { names, reader, published },
    ),
  );
  return { items, next: end && nextPlace(end, place, { entries, paging }), names, ...rest };
};

/** The action of an entry, with its first entries and the entry itself. */
export const findAction = async (
  db: Db,
  { id, requestId }: Head,
  { reader, sources }: { reader: Holder; sources: HistorySources },
) => {
  const head = { id, requestId };
  const entries = await readEntries(db, [head], openedMax);
  const names = await findNames(db, entries);
  const published = await sources.findPublished(db, entries);
  const sizes = { max: openedMax, shown: openedMax };
  const [action] = actionOf(head, entries, { names, reader, published, ...sizes });
  return action && { action, names };
};

/** Other requests wrote entries between those of an action. The following pages must not show it again. */
const nextPlace = (
  end: string,
  { open }: Place,
  { entries, paging: { cursorKeys } }: { entries: readonly Entry[]; paging: Paging },
) => {
  const firsts = new Map(open.map(({ request, first }) => [request, first]));
  for (const { requestId, id } of entries)
    if (requestId) firsts.set(requestId, Math.min(firsts.get(requestId) ?? Number(id), Number(id)));
  const still = [...firsts]
    .map(([request, first]) => ({ request, first }))
    .filter(({ first }) => first < Number(end))
    .slice(-openMax);
  return writeCursor(cursorKeys, { sort: cursorName, values: [end, ...still.map(writeOpen)] });
};
