import type { Value } from "@purser/contract/fields/values";
import type { Price } from "@purser/contract/packages/prices";
import { unitOf } from "#modules/features/queries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import type { Feature } from "../entitle.ts";
import { monthsOf } from "../queries.ts";
import { renews } from "../rollouts/rolloutQueries.ts";
import type { Group } from "./impact.ts";

/** The subscribers of a package, and which of their grants matter for the impact. */
export type Population = {
  packageId: string;
  /** Versions that give any of the features in question. */
  versionIds: readonly string[];
  featureIds: readonly string[];
  now: Date;
};

// $2 is now. Grants in force of the subscribers of package $1.
const inForce = "g.ends_at > $2 and g.starts_at <= $2";
const ofSubscribers = `${inForce} and g.user_id in (
    select g.user_id from grants g where g.package_id = $1 and ${inForce}
  )`;

// The grants to versions $3 and features $4, by customer.
const held = (condition: string) => `
  select g.user_id,
    coalesce(array_agg(g.version_id::text order by g.version_id)
      filter (where g.version_id = any ($3::uuid[])), '{}') as versions,
    coalesce(jsonb_agg(jsonb_build_object('featureId', g.feature_id, 'value', g.value)
      order by g.feature_id, g.value) filter (where g.feature_id = any ($4::uuid[])), '[]') as extras
  from grants g where ${condition} group by g.user_id`;

const valuesOf = ({ packageId, now, versionIds, featureIds }: Population) => [
  packageId,
  now,
  versionIds,
  featureIds,
];

// Sums of hashes identify equal sets of grants at a fraction of the cost of lists. They have two halves
// of 64 bits; the order of grants doesn't matter and their number does.
const highOf = (hash: string) => `(${hash} >> 32)::int`;
const lowOf = (hash: string) => `(${hash} << 32 >> 32)::int`;
const versionHash = "uuid_hash_extended(id, 0)";
const extraHash = `case when g.feature_id = any ($4::uuid[])
    then hashtextextended(g.feature_id::text || g.value::text, 0) end`;

const marked = `
  select g.user_id, coalesce(sum(coalesce(v.high, ${highOf(extraHash)})), 0) as high,
    coalesce(sum(coalesce(v.low, ${lowOf(extraHash)})), 0) as low
  from grants g left join (
    select id, ${highOf(versionHash)} as high, ${lowOf(versionHash)} as low from unnest($3::uuid[]) id
  ) v on v.id = g.version_id
  where ${ofSubscribers} group by g.user_id`;

// The current use of a limit; of an allowance the larger use of this window and the last.
const used = `
  select u.user_id, u.feature_id, max(u.used) as used
  from feature_use u join features f on f.id = u.feature_id
  where u.feature_id = any ($5::uuid[]) and (
    f.reset is null or f.reset = 'never'
    or u.window_start >= date_trunc(f.reset, $2::timestamptz) - ('1 ' || f.reset)::interval
  ) group by u.user_id, u.feature_id`;

type Marked = { mark: string; customers: number } & (
  | { samples: string[]; featureId: null }
  | { samples: null; featureId: string; used: number }
);

const subscriberGroups = statement(
  "packages.subscriberGroups",
  `with marked as materialized (${marked})
   select high || ' ' || low as mark, count(*)::int as customers, (array_agg(user_id))[1:5] as samples,
     null as "featureId", null::float8 as used
   from marked group by high, low
   union all
   select high || ' ' || low, count(*)::int, null, u.feature_id::text, u.used::float8
   from (${used}) u join marked using (user_id) group by high, low, u.feature_id, u.used`,
)
  // The grants and the use of up to 50,000 subscribers, about eight pages for each.
  .bounded(400_000)
  .narrow<Marked>();

/** Customers with equal grants are one group, so there are only as many groups as combinations sold. */
export const groupsStatement = (population: Population, usedFeatureIds: readonly string[]) => ({
  statement: subscriberGroups,
  values: [...valuesOf(population), usedFeatureIds],
});

export type FoundGroup = Group & {
  /** A few of its customers. */
  samples: string[];
  /** How many of them use how much of a feature. */
  uses: { featureId: string; used: number; customers: number }[];
};

const holdingsSql = statement(
  "packages.holdings",
  held(`${inForce} and $1::uuid is not null and g.user_id = any ($5::uuid[])`),
).narrow<{ versions: string[]; extras: Group["extras"] }>();

/** The subscribers grouped by their grants, with their use of these features. */
export const findGroups = async (
  db: Db,
  population: Population,
  usedFeatureIds: readonly string[],
): Promise<FoundGroup[]> => {
  // One pass over the grants of many customers needs more memory and time than usual.
  await run(db, "set local work_mem = '64MB'");
  await run(db, "set local statement_timeout = '9s'");
  const { statement: grouped, values } = groupsStatement(population, usedFeatureIds);
  const rows = await run(db, grouped, values);
  const groups = rows.filter((row) => row.featureId === null);
  const firsts = groups.map(({ samples }) => samples[0]);
  const holdings = await run(db, holdingsSql, [...valuesOf(population), firsts]);
  const uses = Map.groupBy(
    rows.filter((row) => row.featureId !== null),
    ({ mark }) => mark,
  );
  return groups.map(({ mark, customers, samples }) => ({
    ...(holdings.find((one) => one.user_id === samples[0]) ?? { versions: [], extras: [] }),
    customers,
    samples: samples.toSorted(),
    uses: uses.get(mark) ?? [],
  }));
};

const customers = statement(
  "packages.customers",
  `select u.id, u.email, u.name, held.versions, held.extras
   from (${held(ofSubscribers)}) held join users u on u.id = held.user_id order by u.id`,
).narrow<{ versions: string[]; extras: Group["extras"] }>();

export type CustomerRow = RowOf<typeof customers>;

/** Every subscriber with their grants, for an export. */
export const customersStatement = (population: Population) => ({
  statement: customers,
  values: valuesOf(population),
});

const affectedFeaturesSql = statement(
  "packages.affectedFeatures",
  `select f.id, f.code, f.name, a.name as app, f.kind, f.combining, f.options, f.reset,
     f.default_value as "defaultValue",
     ${unitOf("f")} as unit
   from features f join apps a on a.id = f.app_id
   where f.id = any (array(
     select unnest($2::uuid[]) union
     select held.feature_id from package_versions v join version_values held on held.version_id = v.id
     where v.package_id = $1 and v.state not in ('draft', 'scheduled')
   )) order by lower(a.name), a.id, f.id`,
).narrow<Feature & { code: string; name: string; app: string }>();

const publishedValuesSql = statement(
  "packages.publishedValues",
  `select held.version_id as "versionId", held.feature_id as "featureId", held.value,
     v.package_id = $1 as own
   from version_values held join package_versions v on v.id = held.version_id
   where held.feature_id = any ($2::uuid[]) and v.published_at is not null`,
).narrow<{ value: Value; own: boolean }>();

const publishedVersionsSql = statement(
  "packages.publishedVersions",
  "select id from package_versions where package_id = $1 and published_at is not null",
);

/** The features in any version of the package or in the draft, and every version with one of them. */
export const findQuestion = async (
  db: Db,
  { packageId, draftValues }: { packageId: string; draftValues: ReadonlyMap<string, Value> },
) => {
  const features = await run(db, affectedFeaturesSql, [packageId, [...draftValues.keys()]]);
  const rows = await run(db, publishedValuesSql, [packageId, features.map(({ id }) => id)]);
  const own = await run(db, publishedVersionsSql, [packageId]);
  const versions = new Map<string, Map<string, Value>>(own.map(({ id }) => [id, new Map()]));
  for (const { versionId, featureId, value } of rows) {
    const values = versions.get(versionId) ?? new Map<string, Value>();
    versions.set(versionId, values.set(featureId, value));
  }
  return { features, versions, migrated: new Set(own.map(({ id }) => id)) };
};

const findRenewalsSql = statement(
  "packages.findRenewals",
  `select p.currency, sum(s.count)::int as renewals,
     coalesce(sum(s.count) filter (where asked.amount <> p.amount), 0)::int as changed,
     coalesce(sum(s.count * p.amount) filter (where asked.amount <> p.amount), 0)::float8 as before,
     coalesce(sum(s.count * asked.amount) filter (where asked.amount <> p.amount), 0)::float8 as after,
     coalesce(sum(s.count) filter (where asked.amount is null), 0)::int as "withoutPrice",
     coalesce(round(sum(s.count * (asked.amount - p.amount) / ${monthsOf("p")})), 0)::float8 as mrr,
     max(s.last) as last
   from (
     select price_id, count(*) as count, max(period_end) as last from subscriptions r
     where package_id = $1 and ${renews("r")} and status <> 'ended'
     group by price_id
   ) s
   join version_prices p on p.id = s.price_id
   left join jsonb_to_recordset($2::jsonb)
     as asked (currency text, amount bigint, "interval" text, "intervalCount" integer)
     on asked.currency = p.currency and asked."interval" = p.interval
     and asked."intervalCount" = p.interval_count
   where p.interval <> 'once'
   group by p.currency order by p.currency`,
)
  // All subscriptions of the package, from an index: about 100 on a page.
  .bounded(20_000)
  .narrow<{
    renewals: number;
    changed: number;
    before: number;
    after: number;
    withoutPrice: number;
    mrr: number;
    last: Date;
  }>();

/** The amounts of the next renewals before and after, by currency. */
export const findRenewals = (db: Db, packageId: string, prices: readonly Price[]) =>
  run(db, findRenewalsSql, [packageId, JSON.stringify(prices)]);

const findCustomersSql = statement(
  "packages.findCustomers",
  "select id, name, email from users where id = any ($1::uuid[]) order by array_position($1::uuid[], id)",
);

/** Of these customers, those who are still here, in the order of the ids. */
export const findCustomers = (db: Db, ids: readonly string[]) => run(db, findCustomersSql, [ids]);

const findInactiveSql = statement(
  "packages.findInactive",
  `select 'app' as what, id, name, status from apps where id = any ($1::uuid[]) and status <> 'active'
   union all
   select 'feature', id, name, status from features where id = any ($2::uuid[]) and status <> 'active'
   order by 3`,
).narrow<{ what: "app" | "feature"; id: string; name: string; status: string }>();

/** Drafts that publishing activates, and archived records that prevent it. */
export const findInactive = (db: Db, appIds: readonly string[], featureIds: readonly string[]) =>
  run(db, findInactiveSql, [appIds, featureIds]);
