import type { Grant } from "@purser/contract/entitlements/grants";
import { type Db, run } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";
import { isMatch, patternsOf } from "../users/queries.ts";
import { joins, shown } from "./queries.ts";

const perPage = 25;
const limit = `limit ${perPage + 1}`;

/** How far back a page looks before it asks for those in force alone. */
const walkedMax = 20_000;
/** As many people as a search looks up one by one. */
const matchingMax = 5_000;

type Asked = { packageId: string; q?: string | undefined; after?: string | undefined; now: Date };

// $1 package, $2 now, $3 the last right that was shown.
const inForce = "g.starts_at <= $2 and g.ends_at > $2";
const beforeAll = "ffffffff-ffff-ffff-ffff-ffffffffffff";

// Compared and ordered by both columns, or the planner walks back through everybody else's rights.
const newestFirst = "order by g.package_id desc, g.id desc";
const further = (after: string) => `g.package_id is not null
  and (g.package_id, g.id) >= ($1, '00000000-0000-0000-0000-000000000000'::uuid)
  and (g.package_id, g.id) < ($1, ${after})`;

// A page is cut before anything is joined to it: that keeps the plan cheap.
const pageOf = (ids: string) => `
  with page as materialized (${ids} ${limit})
  select ${shown} from page join grants g using (id) ${joins} order by g.id desc`;

const whoIs = (match: string) =>
  `cross join lateral (select from users u where u.id = g.user_id ${match} offset 0) u`;

// Until a page is full. Bounded, because rights that ended stay where they were.
const walkNewest = (match: string) =>
  pageOf(`
    select g.id from (
      select * from grants g where ${further("$3")} ${newestFirst} limit ${walkedMax}
    ) g ${whoIs(match)} where ${inForce} ${newestFirst}`);

const goesFurther = `
  select g.id from grants g where ${further("$2")} ${newestFirst} offset ${walkedMax - 1} limit 1`;

// Version by version, so that the index gives only what has not ended.
const allInForce = (match: string) =>
  pageOf(`
    select g.id from (
      select g.id, g.user_id from package_versions v cross join lateral (
        select g.id, g.user_id from grants g
        where g.package_id = $1 and g.version_id = v.id and ${inForce} and g.id < $3 offset 0
      ) g where v.package_id = $1 order by g.id desc offset 0
    ) g ${whoIs(match)} order by g.id desc`);

const matches = `and ${isMatch("$4", "$5")}`;
const newestHolders = template(
  "entitlements.newestHolders",
  walkNewest,
  [""],
  [matches],
).narrow<Grant>();
const allHolders = template("entitlements.allHolders", allInForce, [""], [matches]).narrow<Grant>();

const ofPeople = statement(
  "entitlements.ofPeople",
  pageOf(`
  select g.id from unnest($4::uuid[]) as person (id) cross join lateral (
    select g.id from grants g
    where g.user_id = person.id and g.package_id = $1 and ${inForce} and g.id < $3 offset 0
  ) g order by g.id desc`),
).narrow<Grant>();

type Values = [packageId: string, now: Date, after: string];

const findInOrder = async (
  db: Db,
  [packageId, now, after]: Values,
  { match, patterns }: { match: string; patterns: string[] },
) => {
  const values = [packageId, now, after, ...patterns];
  const newest = await run(db, newestHolders.for(match), values);
  if (newest.length > perPage) return newest;
  const more = await run(db, goesFurther, [packageId, after]);
  return more.length > 0 ? run(db, allHolders.for(match), values) : newest;
};

const findMatchingPeopleSql = statement(
  "entitlements.findMatchingPeople",
  `select u.id from users u where ${isMatch("$1", "$2")} limit ${matchingMax + 1}`,
);

/** Those who are looked for: a few by themselves, many by walking through the holders. */
const findMatching = async (db: Db, q: string, values: Values) => {
  const { email, name } = patternsOf(q);
  const people = await run(db, findMatchingPeopleSql, [email, name]);
  return people.length > matchingMax
    ? findInOrder(db, values, { match: matches, patterns: [email, name] })
    : run(db, ofPeople, [...values, people.map(({ id }) => id)]);
};

/** Rights to a package that are in force now, newest first. */
export const findSubscribers = async (db: Db, { packageId, q, after, now }: Asked) => {
  const values: Values = [packageId, now, after ?? beforeAll];
  const rows = q
    ? await findMatching(db, q, values)
    : await findInOrder(db, values, { match: "", patterns: [] });
  const items = rows.slice(0, perPage);
  return { items, next: rows.length > perPage ? (items.at(-1)?.id ?? null) : null };
};
