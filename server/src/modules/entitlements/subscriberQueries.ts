import type { Grant } from "@purser/contract/entitlements/grants";
import { type Db, run } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";
import { escapeLike, hasTrigram, lastCharacter } from "#platform/lists/sql.ts";
import { joins, shown } from "./queries.ts";

const perPage = 25;
const limit = `limit ${perPage + 1}`;

/** How many grants a page scans before it queries active ones only. */
const scannedMax = 20_000;
/** Up to this many matching users, a search looks up each one's grants. */
const matchingMax = 5_000;

type Options = { packageId: string; q?: string | undefined; after?: string | undefined; now: Date };

// $1 is the package, $2 now, $3 the last grant of the previous page.
const isActive = "g.starts_at <= $2 and g.ends_at > $2";
const beforeAll = "ffffffff-ffff-ffff-ffff-ffffffffffff";

// Compared and sorted by both columns, otherwise the planner scans the grants of all packages.
const newestFirst = "order by g.package_id desc, g.id desc";
const further = (after: string) => `g.package_id is not null
  and (g.package_id, g.id) >= ($1, '00000000-0000-0000-0000-000000000000'::uuid)
  and (g.package_id, g.id) < ($1, ${after})`;

// The page is limited before the joins, which keeps the plan cheap.
const pageOf = (ids: string) => `
  with page as materialized (${ids} ${limit})
  select ${shown} from page join grants g using (id) ${joins} order by g.id desc`;

const ofUser = (match: string) =>
  `cross join lateral (select from users u where u.id = g.user_id ${match} offset 0) u`;

// Scans until a page is full. Bounded, because ended grants remain in the index.
const scanNewest = (match: string) =>
  pageOf(`
    select g.id from (
      select * from grants g where ${further("$3")} ${newestFirst} limit ${scannedMax}
    ) g ${ofUser(match)} where ${isActive} ${newestFirst}`);

const hasMore = `
  select g.id from grants g where ${further("$2")} ${newestFirst} offset ${scannedMax - 1} limit 1`;

// Version by version, so that the index returns only grants that haven't ended.
const allActive = (match: string) =>
  pageOf(`
    select g.id from (
      select g.id, g.user_id from package_versions v cross join lateral (
        select g.id, g.user_id from grants g
        where g.package_id = $1 and g.version_id = v.id and ${isActive} and g.id < $3 offset 0
      ) g where v.package_id = $1 order by g.id desc offset 0
    ) g ${ofUser(match)} order by g.id desc`);

// In byte order, so that an index finds the beginnings whatever the plan. $5 sorts after all that begin with $4.
const emailBegins = (from: string, to: string) => `u.email ~>=~ ${from} and u.email ~<=~ ${to}`;
const matches = `and (${emailBegins("$4", "$5")} or lower(u.name) like $6)`;
const newestSubscribers = template(
  "entitlements.newestSubscribers",
  scanNewest,
  [""],
  [matches],
).narrow<Grant>();
const allSubscribers = template(
  "entitlements.allSubscribers",
  allActive,
  [""],
  [matches],
).narrow<Grant>();

const ofUsers = statement(
  "entitlements.subscribersOfUsers",
  pageOf(`
  select g.id from unnest($4::uuid[]) as chosen (id) cross join lateral (
    select g.id from grants g
    where g.user_id = chosen.id and g.package_id = $1 and ${isActive} and g.id < $3 offset 0
  ) g order by g.id desc`),
)
  // Up to a thousand users are looked up.
  .bounded(6000)
  .narrow<Grant>();

type Values = [packageId: string, now: Date, after: string];

const findInOrder = async (
  db: Db,
  [packageId, now, after]: Values,
  { match, patterns }: { match: string; patterns: string[] },
) => {
  const values = [packageId, now, after, ...patterns];
  const newest = await run(db, newestSubscribers.for(match), values);
  if (newest.length > perPage) return newest;
  const more = await run(db, hasMore, [packageId, after]);
  return more.length > 0 ? run(db, allSubscribers.for(match), values) : newest;
};

const findMatchingUsersSql = statement(
  "entitlements.findMatchingUsers",
  `select distinct id from (
     (select u.id from users u where ${emailBegins("$1", "$2")} order by u.email using ~<~ limit ${matchingMax + 1})
     union all
     (select u.id from users u where lower(u.name) like $3 limit ${matchingMax + 1})
   ) found limit ${matchingMax + 1}`,
)
  // One page for each match.
  .bounded(12_000);

/** Looks up a few matching users one by one, and scans the subscribers if many match. */
const findMatching = async (db: Db, q: string, values: Values) => {
  const typed = q.toLowerCase();
  // Two letters are the beginning of a name, more are any part of it.
  const isPart = [...typed].length > 2;
  const name = `${isPart ? "%" : ""}${escapeLike(typed)}%`;
  const patterns = [typed, typed + lastCharacter, name];
  if (isPart && !hasTrigram(typed)) return findInOrder(db, values, { match: matches, patterns });
  const users = await run(db, findMatchingUsersSql, patterns);
  return users.length > matchingMax
    ? findInOrder(db, values, { match: matches, patterns })
    : run(db, ofUsers, [...values, users.map(({ id }) => id)]);
};

/** Active grants of a package, newest first. */
export const findSubscribers = async (db: Db, { packageId, q, after, now }: Options) => {
  const values: Values = [packageId, now, after ?? beforeAll];
  const rows = q
    ? await findMatching(db, q, values)
    : await findInOrder(db, values, { match: "", patterns: [] });
  const items = rows.slice(0, perPage);
  return { items, next: rows.length > perPage ? (items.at(-1)?.id ?? null) : null };
};
