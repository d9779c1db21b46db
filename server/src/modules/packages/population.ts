import type { Price } from "@purser/contract/packages";
import type { Value } from "@purser/contract/values";
import { type Db, run } from "#platform/db/db.ts";
import type { Feature } from "./entitle.ts";
import type { Group } from "./impact.ts";

/** Whose rights a change of the package is about, and which grants of theirs count. */
export type Population = {
  packageId: string;
  /** Versions that give any of the features in question. */
  versionIds: readonly string[];
  featureIds: readonly string[];
  now: Date;
};

// $1 package, $2 now, $3 versions in question, $4 features in question. A person is what they hold: people
// who hold the same are one group, of which there are as many as combinations sold.
const held = `
  select g.user_id,
    coalesce(array_agg(g.version_id::text order by g.version_id)
      filter (where g.version_id = any ($3::uuid[])), '{}') as versions,
    coalesce(jsonb_agg(jsonb_build_object('featureId', g.feature_id, 'value', g.value)
      order by g.feature_id, g.value) filter (where g.feature_id = any ($4::uuid[])), '[]') as extras
  from grants g
  where g.ends_at > $2 and g.starts_at <= $2 and g.user_id in (
    select user_id from grants where package_id = $1 and ends_at > $2 and starts_at <= $2
  )
  group by g.user_id`;

const valuesOf = ({ packageId, now, versionIds, featureIds }: Population) => [
  packageId,
  now,
  versionIds,
  featureIds,
];

export type FoundGroup = Group & { samples: string[] };

/** The holders of the package by what they hold, with a few people of each. */
export const groupsStatement = (population: Population) => ({
  text: `select versions, extras, count(*)::int as people,
      (array_agg(user_id::text order by user_id))[1:5] as samples
    from (${held}) held group by versions, extras`,
  values: valuesOf(population),
});

export const findGroups = (db: Db, population: Population) => {
  const { text, values } = groupsStatement(population);
  return run<FoundGroup>(db, text, values);
};

/** The statement of every holder with what they hold, for a file. */
export const peopleStatement = (population: Population) => ({
  text: `select u.id, u.email, u.name, held.versions, held.extras
    from (${held}) held join users u on u.id = held.user_id order by u.id`,
  values: valuesOf(population),
});

export type Use = Group & { featureId: string; used: number };

/** How much holders use of these features, by what they hold: of limits what they have, of allowances the largest of this and the last window. */
export const findUse = (db: Db, population: Population, features: readonly string[]) =>
  run<Use>(
    db,
    `select held.versions, held.extras, u.feature_id as "featureId", u.used::float8 as used,
       count(*)::int as people
     from (
       select u.user_id, u.feature_id, max(u.used) as used
       from feature_use u join features f on f.id = u.feature_id
       where u.feature_id = any ($5::uuid[]) and (
         f.reset is null or f.reset = 'never'
         or u.window_start >= date_trunc(f.reset, $2::timestamptz) - ('1 ' || f.reset)::interval
       ) group by u.user_id, u.feature_id
     ) u join (${held}) held on held.user_id = u.user_id
     group by 1, 2, 3, 4`,
    [...valuesOf(population), features],
  );

/** The features that any version of the package or the draft gives, and every version that gives one. */
export const findQuestion = async (
  db: Db,
  { packageId, draftValues }: { packageId: string; draftValues: ReadonlyMap<string, Value> },
) => {
  const features = await run<Feature & { code: string; name: string; app: string }>(
    db,
    `select f.id, f.code, f.name, a.name as app, f.kind, f.combining, f.options, f.reset,
       f.default_value as "defaultValue",
       case when f.unit_one is not null then
         jsonb_build_object('one', f.unit_one, 'many', f.unit_many) end as unit
     from features f join apps a on a.id = f.app_id
     where f.id = any ($2::uuid[]) or exists (
       select from version_values held join package_versions v on v.id = held.version_id
       where held.feature_id = f.id and v.package_id = $1 and v.state not in ('draft', 'scheduled')
     ) order by lower(a.name), a.id, f.id`,
    [packageId, [...draftValues.keys()]],
  );
  const rows = await run<{ versionId: string; featureId: string; value: Value; own: boolean }>(
    db,
    `select held.version_id as "versionId", held.feature_id as "featureId", held.value,
       v.package_id = $1 as own
     from version_values held join package_versions v on v.id = held.version_id
     where held.feature_id = any ($2::uuid[]) and v.published_at is not null`,
    [packageId, features.map(({ id }) => id)],
  );
  const own = await run<{ id: string }>(
    db,
    "select id from package_versions where package_id = $1 and published_at is not null",
    [packageId],
  );
  const versions = new Map<string, Map<string, Value>>(own.map(({ id }) => [id, new Map()]));
  for (const { versionId, featureId, value } of rows) {
    const values = versions.get(versionId) ?? new Map<string, Value>();
    versions.set(versionId, values.set(featureId, value));
  }
  return { features, versions, moved: new Set(own.map(({ id }) => id)) };
};

export type Renewal = {
  currency: string;
  renewals: number;
  changed: number;
  before: number;
  after: number;
  withoutPrice: number;
  last: Date;
};

/** What is paid at the next renewals, before and after, by currency. */
export const findRenewals = (db: Db, packageId: string, prices: readonly Price[]) =>
  run<Renewal>(
    db,
    `select p.currency, count(*)::int as renewals,
       count(*) filter (where asked.amount <> p.amount)::int as changed,
       coalesce(sum(p.amount) filter (where asked.amount <> p.amount), 0)::float8 as before,
       coalesce(sum(asked.amount) filter (where asked.amount <> p.amount), 0)::float8 as after,
       count(*) filter (where asked.amount is null)::int as "withoutPrice",
       max(s.period_end) as last
     from subscriptions s
     join version_prices p on p.id = s.price_id
     left join jsonb_to_recordset($2::jsonb)
       as asked (currency text, amount bigint, "interval" text, "intervalCount" integer)
       on asked.currency = p.currency and asked."interval" = p.interval
       and asked."intervalCount" = p.interval_count
     where s.package_id = $1 and s.status in ('trialing', 'active', 'past due', 'paused')
       and p.interval <> 'once'
     group by p.currency order by p.currency`,
    [packageId, JSON.stringify(prices)],
  );

/** Of these people, those who are still here, in the order of the ids. */
export const findPeople = (db: Db, ids: readonly string[]) =>
  run<{ id: string; name: string; email: string }>(
    db,
    "select id, name, email from users where id = any ($1::uuid[]) order by array_position($1::uuid[], id)",
    [ids],
  );

/** Drafts that publishing the version makes active. */
export const findInactive = (db: Db, appIds: readonly string[], featureIds: readonly string[]) =>
  run<{ what: "app" | "feature"; id: string; name: string; status: string }>(
    db,
    `select 'app' as what, id, name, status from apps where id = any ($1::uuid[]) and status <> 'active'
     union all
     select 'feature', id, name, status from features where id = any ($2::uuid[]) and status <> 'active'
     order by 3`,
    [appIds, featureIds],
  );
