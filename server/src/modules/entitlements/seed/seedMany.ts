import { unlimited, type Value } from "@purser/contract/fields/values";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import {
  pricesOf,
  type SeedPackage,
  type SeedValues,
  type SeedVersion,
  seedPackages,
} from "../../packages/seed/seed.ts";

const appCode = "many-office";
const featuresCount = 24;
const addOnsCount = 11;
const customersPerStatement = 50_000;

const insertFeatures = async (db: Db, now: Date) => {
  await run(
    db,
    `insert into apps (code, name, description, status, activated_at)
     values ($1, 'Office of many', 'Made by the seeder.', 'active', $2) on conflict (code) do nothing`,
    [appCode, now],
  );
  await run(
    db,
    `insert into features (app_id, code, name, kind, combining, reset, options, default_value, enforcement, fallback,
       status, activated_at)
     select a.id, 'feature-' || n, 'Feature ' || n, kind,
       case when kind = 'metered' or n % 8 = 1 then 'sum' else 'largest' end,
       case kind when 'metered' then 'month' end,
       case kind when 'choice' then '[{"code": "low", "name": "Low"}, {"code": "high", "name": "High"}]' else '[]' end::jsonb,
       case kind when 'switch' then 'false' when 'choice' then '"low"' else '0' end::jsonb,
       'hard', 'deny', 'active', $2
     from apps a, generate_series(1, ${featuresCount}) n,
       lateral (select (array['switch', 'limit', 'metered', 'choice'])[1 + n % 4] as kind) kinds
     where a.code = $1 on conflict (app_id, code) do nothing`,
    [appCode, now],
  );
};

/** A value of feature n that grows with the level. `insertFeatures` chooses the kind in the same way. */
const valueAt = (n: number, level: number): Value => {
  if (n % 4 === 0) return level > 1;
  if (n % 4 === 3) return level > 2 ? "high" : "low";
  return level > 8 ? unlimited : level * 10 + n;
};

const valuesAt = (level: number, every: number): SeedValues =>
  Object.fromEntries(
    Array.from({ length: featuresCount }, (_, place) => place + 1)
      .filter((n) => n % every === 0)
      .map((n) => [`${appCode}/feature-${n}`, valueAt(n, level)]),
  );

const versionAt = (level: number, daysAgo: number | null, every = 1): SeedVersion => ({
  values: valuesAt(level, every),
  prices: pricesOf({ EUR: 1000 + level, USD: 1100 + level, GBP: 900 + level, JPY: 1600 + level }),
  trialDays: 14,
  note: `Level ${level}.`,
  daysAgo,
});

const sold: SeedPackage[] = [
  {
    code: "many-plan",
    name: "Plan of many",
    description: "Made by the seeder.",
    kind: "base",
    group: "many",
    sort: 1000,
    versions: [
      versionAt(1, 900),
      versionAt(3, 600),
      versionAt(5, 300),
      versionAt(4, 100),
      versionAt(3, null),
    ],
  },
  ...Array.from({ length: addOnsCount }, (_, place) => ({
    code: `many-add-on-${place + 1}`,
    name: `Add-on ${place + 1}`,
    description: "Made by the seeder.",
    kind: "add-on" as const,
    group: null,
    sort: 1001 + place,
    versions: [versionAt(1 + place, 800, 2 + (place % 3))],
  })),
];

const findOffersSql = statement(
  "entitlements.findOffers",
  `select array_agg(v.id order by p.sort, v.number) as versions,
     array_agg(p.id order by p.sort, v.number) as packages,
     (select array_agg(price.id order by held.number, price.id) from version_prices price
       join package_versions held on held.id = price.version_id and held.published_at is not null
       join packages plan on plan.id = held.package_id and plan.code = 'many-plan') as prices,
     (select f.id from features f join apps a on a.id = f.app_id
       where a.code = $1 and f.code = 'feature-1') as feature
   from packages p join package_versions v on v.package_id = p.id and v.published_at is not null
   where p.code like 'many-%'`,
).narrow<{ versions: string[]; packages: string[]; prices: string[]; feature: string }>();

/** The published versions: several of the plan, with eight prices each, and one of each add-on. */
const findOffers = async (db: Db) => {
  const offers = await first(db, findOffersSql, [appCode]);
  if (!offers) throw new Error("The packages of the seeder are missing.");
  return offers;
};

// $1 and $2 are the first and last number, $3 the number of customers, $4 of subscribers, $5 of add-on grants, $6 now,
// $7 versions, $8 packages, $9 prices, $10 the used feature. Subscribers are spread evenly over all customers:
// n is one if the share of subscribers up to n is larger than up to n - 1.
const insertMany = `
  with customers as (
    insert into users (id, email, external_id, country, name, status, created_at, updated_at)
    select uuid_v7(at), 'many-' || n || '@example.com', case when n % 4 > 0 then 'app-' || n end,
      (array['DE', 'FR', 'GB', 'IT', 'JP', 'PT', 'US', null])[1 + n % 8],
      (array['Ada', 'Bruno', 'Chiara', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hugo'])[1 + n % 8] || ' '
        || (array['Albers', 'Bianchi', 'Costa', 'Dahl', 'Eriksen', 'Fontaine', 'Grieg'])[1 + n % 7] || ' ' || n,
      'active', at, at
    from generate_series($1::bigint, $2::bigint) n,
      lateral (select $6::timestamptz - make_interval(mins => (n * 7 % 1000000)::int) as at) joined
    returning id, email
  ), customer as (
    select id, n, n * $4 / $3 as subscribers, (n - 1) * $4 / $3 as subscribers_before,
      n * $5 / $3 - (n - 1) * $5 / $3 as others
    from customers, lateral (select substring(email from '[0-9]+')::bigint as n) numbered
  ), planned as (
    select id, subscribers, 1 + (array[0, 1, 1, 2, 2, 2, 3, 3, 3, 3])[1 + subscribers % 10] as version,
      $6::timestamptz - make_interval(days => (subscribers % 28)::int) as period_start
    from customer where subscribers > subscribers_before
  ), subscribed as (
    insert into subscriptions (user_id, package_id, version_id, price_id, group_code, status, period_start, period_end,
      access_until)
    select id, ($8::uuid[])[1], ($7::uuid[])[version], ($9::uuid[])[8 * version - 7 + subscribers / 10 % 8], 'many',
      (array['active', 'active', 'active', 'active', 'past due', 'ending', 'trialing'])[1 + subscribers % 7],
      period_start, period_start + interval '1 month', period_start + interval '37 days'
    from planned returning id, user_id, package_id, version_id, period_start, access_until
  ), used as (
    insert into feature_use (user_id, feature_id, used)
    select id, $10, subscribers % 60 from planned where subscribers % 2 = 0
  )
  insert into grants (id, user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at,
    promised_until)
  select uuid_v7(period_start), user_id, package_id, version_id, id, 'import', 'seed', period_start,
    access_until, access_until from subscribed
  union all
  select uuid_v7(starts), id, ($8::uuid[])[place], ($7::uuid[])[place], null, 'import', 'seed', starts, ends, ends
  from customer, generate_series(1, others) nth,
    lateral (select 5 + (n * 7 + nth * 5) % ${addOnsCount} as place,
      $6::timestamptz - make_interval(days => (1 + n % 300)::int) as starts,
      case when n % 4 = 0 then $6::timestamptz - make_interval(secs => 1 + n % 50000) else 'infinity' end as ends
    ) given`;

type Many = { customers: number; subscribers: number; grants: number };

/** Runs a part of the work in its own transaction, so that memory use doesn't grow with the number of customers. */
type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

const countSeededSql = statement(
  "entitlements.countSeeded",
  "select count(*)::int as count from users where email like 'many-%'",
).narrow<{ count: number }>();

const prepare = async (db: Db, now: Date) => {
  await insertFeatures(db, now);
  await seedPackages(db, sold, now);
  const made = await first(db, countSeededSql);
  return { offers: await findOffers(db), first: made?.count ?? 0 };
};

// A large pending list makes the trigram index of names much cheaper to build.
const settings = [
  "set local gin_pending_list_limit = '256MB'",
  "set local work_mem = '256MB'",
  "set local synchronous_commit = off",
  "set local jit = off",
  // From the sixth statement on, the triggers would use plans for few rows, which compare all rows with each other.
  "set local plan_cache_mode = force_custom_plan",
];

/**
 * Creates many customers with imported grants of a dozen packages, because only sales have transactions. Returns the
 * number of the first one.
 */
export const seedManyCustomers = async (
  step: Step,
  { customers, subscribers, grants }: Many,
  { now, onProgress }: { now: Date; onProgress: (made: number) => void },
) => {
  const { offers, first } = await step((db) => prepare(db, now));
  const { versions, packages, prices, feature } = offers;
  const constant = [
    customers,
    subscribers,
    grants - subscribers,
    now,
    versions,
    packages,
    prices,
    feature,
  ];
  for (let made = 0; made < customers; made += customersPerStatement) {
    const to = Math.min(made + customersPerStatement, customers);
    await step(async (db) => {
      for (const setting of settings) await run(db, setting);
      await run(db, insertMany, [first + made + 1, first + to, ...constant]);
    });
    onProgress(to);
  }
  await step((db) => run(db, "analyze users, subscriptions, grants, feature_use"));
  return { first: first + 1 };
};
