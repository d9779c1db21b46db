import { addDays, addMonths, firstOfMonth } from "@purser/contract/reports/days";
import type { RowGroup } from "@purser/contract/reports/rows";
import type { Db } from "#platform/db/db.ts";
import { isUuid } from "#platform/lists/sql.ts";
import {
  type Asked,
  countRetained,
  countSubscribed,
  findLastDay,
  findPlace,
  findVersions,
  type Place,
  type Subscribed,
  searchEntries,
  searchedAtOnce,
  searchRetained,
} from "./queries.ts";

const rowsPerPage = 50;
/** A page is shorter if so many searches found less. */
const searchesMax = 4;

type Found<Item> = { items: Item[]; searched: number; last: string | null };

/** Searches until a page is full. `search` continues after an id, and `idOf` is the id of an item. */
const fillPage = async <Item>(
  start: string | null,
  search: (after: string | null) => Promise<Found<Item> | null>,
  idOf: (item: Item) => string,
) => {
  const items: Item[] = [];
  let after = start;
  for (let nth = 0; nth < searchesMax; nth += 1) {
    const found = await search(after);
    if (!found) return { items, next: null };
    items.push(...found.items);
    const last = items[rowsPerPage - 1];
    if (items.length > rowsPerPage && last)
      return { items: items.slice(0, rowsPerPage), next: idOf(last) };
    if (found.searched < searchedAtOnce) return { items, next: null };
    after = found.last;
  }
  return { items, next: after };
};

/** The keys of the rollup that a key of the report stands for. */
const keysOf = async (db: Db, group: RowGroup, key: string) => {
  if (group !== "package" || key === "") return [key];
  return isUuid(key) ? findVersions(db, key) : [];
};

type Wanted = Omit<Asked, "keys"> & { key: string };

/** The entries behind a number of the revenue report, the latest first. */
export const readRows = async (db: Db, { key, ...wanted }: Wanted, after: string | undefined) => {
  const asked = { ...wanted, keys: await keysOf(db, wanted.group, key) };
  return fillPage(
    after ?? null,
    async (id) => {
      const place: Place | null | undefined =
        id === null ? null : await findPlace(db, id, asked.zone);
      if (place === undefined) return null;
      const until = place && place.day < asked.until ? place.day : asked.until;
      const day = await findLastDay(db, { ...asked, until });
      return day === null ? null : searchEntries(db, { ...asked, until: day }, place);
    },
    ({ id }) => id,
  );
};

type Cohort = { currency: string; cohort: string; month: string };

const fillSubscribed = (db: Db, wanted: Subscribed, after: string | undefined) =>
  fillPage(
    after ?? null,
    (id) => searchRetained(db, wanted, id),
    ({ user }) => user.id,
  );

const lastOfMonth = (day: string) => addDays(addMonths(firstOfMonth(day), 1), -1);

/** The customers behind a cell of the retention report, the latest first. */
export const readRetained = async (db: Db, cohort: Cohort, after: string | undefined) => {
  const { currency, cohort: from, month } = cohort;
  const days = { from: firstOfMonth(from), until: lastOfMonth(from), at: lastOfMonth(month) };
  return {
    count: await countRetained(db, cohort),
    ...(await fillSubscribed(db, { currency, ...days }, after)),
  };
};

const firstDay = "1970-01-01";

/** All customers with recurring revenue at the end of a day, the latest first. */
export const readSubscribers = async (
  db: Db,
  { currency, until: at }: { currency: string; until: string },
  after: string | undefined,
) => ({
  ...(await countSubscribed(db, currency, at)),
  ...(await fillSubscribed(db, { currency, from: firstDay, until: at, at }, after)),
});
