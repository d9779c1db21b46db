import type { AnswerReason } from "@purser/contract/entitlements/explanation";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { bucketsCount, type Rate } from "./rules.ts";

type Wanted = {
  appId: string;
  resolution: "minute" | "hour";
  from: Date;
  /** Null for all keys. */
  key: string | null;
};

const valuesOf = ({ appId, resolution, from, key }: Wanted) => [appId, resolution, from, key];

const chosen = "app_id = $1 and resolution = $2 and at >= $3 and ($4::uuid is null or key_id = $4)";

const latencies = Array.from(
  { length: bucketsCount },
  (_, place) => `coalesce(sum(latencies[${place + 1}]), 0)::float8`,
).join(", ");

const ratesSql = statement(
  "integration.rates",
  `select at, sum(checks)::float8 as checks, sum(denied)::float8 as denied, to_jsonb(array[${latencies}]) as latencies
   from check_rates where ${chosen} group by at order by at`,
)
  // A row per minute and key of a day, or per hour and key of 30 days.
  .bounded(20_000)
  .narrow<Rate>();

export const findRates = (db: Db, wanted: Wanted) => run(db, ratesSql, valuesOf(wanted));

const countsSql = statement(
  "integration.counts",
  `select feature, reason, is_allowed as "isAllowed", sum(checks)::float8 as checks
   from check_counts where ${chosen} group by 1, 2, 3`,
)
  // A row per hour, key, feature and reason of 30 days.
  .bounded(60_000)
  .narrow<{ reason: AnswerReason; checks: number }>();

/** The checks by feature and reason. */
export const findCounts = (db: Db, wanted: Wanted) => run(db, countsSql, valuesOf(wanted));

const featuresSql = statement(
  "integration.features",
  `select feature, reason, is_allowed as "isAllowed", sum(checks)::float8 as checks,
     to_jsonb(array[${latencies}]) as latencies
   from check_counts where ${chosen} group by 1, 2, 3`,
)
  // The rows of integration.counts.
  .bounded(60_000)
  .narrow<{ reason: AnswerReason; checks: number; latencies: number[] }>();

/** The checks by feature and reason, with their durations. */
export const findCheckedFeatures = (db: Db, wanted: Wanted) =>
  run(db, featuresSql, valuesOf(wanted));

const keysSql = statement(
  "integration.keys",
  `select key_id as id, sum(checks)::float8 as checks, sum(denied)::float8 as denied
   from check_rates where app_id = $1 and resolution = $2 and at >= $3 group by key_id`,
)
  .bounded(20_000)
  .narrow<{ checks: number; denied: number }>();

/** The checks of each key. */
export const countByKey = (db: Db, { appId, resolution, from }: Omit<Wanted, "key">) =>
  run(db, keysSql, [appId, resolution, from]);

// The first feature from each code on. The planner expects few features in an app, and would read all of them otherwise.
const namesSql = statement(
  "integration.names",
  `select f.code, f.name from unnest($2::text[]) as asked (code) cross join lateral (
     select app_id, code, name from features where (app_id, code) >= ($1::uuid, asked.code)
     order by app_id, code limit 1) f
   where f.app_id = $1 and f.code = asked.code`,
);

export const findNames = (db: Db, appId: string, codes: readonly string[]) =>
  run(db, namesSql, [appId, codes]);

/** Of one feature. More customers aren't counted. */
export const customersMax = 10_000;

const customersSql = statement(
  "integration.customers",
  `select asked.code, counted.customers
   from unnest($2::text[]) as asked (code) cross join lateral (
     select count(distinct user_id)::int as customers from (
       select d.user_id from check_denials d
       where d.app_id = $1 and d.feature = asked.code and d.day >= ($3::timestamptz)::date - 1 and d.last_at >= $3
       limit ${customersMax}
     ) few
   ) counted`,
)
  // Up to 10,000 rows for each of ten features.
  .bounded(120_000)
  .narrow<{ code: string; customers: number }>();

/** How many customers were denied a feature since a moment. */
export const countCustomers = (db: Db, appId: string, codes: readonly string[], from: Date) =>
  run(db, customersSql, [appId, codes, from]);

const setupSql = statement(
  "integration.setup",
  `select
     (select count(*)::int from app_keys k
       where k.app_id = a.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)) as keys,
     c.first_check_at as "firstCheckAt", c.first_denied_at as "firstDeniedAt",
     (select count(*)::int from features f
       where f.app_id = a.id and f.kind in ('metered', 'limit') and f.status = 'active') as "countedFeatures",
     (select min(used.day)::text from features f cross join lateral (
       select d.day from usage_days d where d.feature_id = f.id order by d.day limit 1) used
       where f.app_id = a.id and f.kind in ('metered', 'limit')) as "firstUsageDay",
     (select count(*)::int from webhook_endpoints w where w.status = 'active') as "webhookEndpoints",
     h.confirmed_at as "webhookConfirmedAt"
   from apps a left join check_apps c on c.app_id = a.id left join app_webhooks h on h.app_id = a.id where a.id = $1`,
)
  // Three for each counted feature of the app.
  .bounded(8000)
  .narrow<{ keys: number; countedFeatures: number; webhookEndpoints: number }>();

export const findSetup = (db: Db, appId: string, now: Date) => first(db, setupSql, [appId, now]);

const denialsMax = 50;

const denialsSql = statement(
  "integration.denials",
  `select jsonb_build_object('id', a.id, 'name', a.name, 'icon', a.icon) as app,
     jsonb_build_object('id', f.id, 'code', f.code, 'name', f.name) as feature,
     d.reason, d.count, d."lastAt"
   from (
     select app_id, feature, reason, sum(denials)::float8 as count, max(last_at) as "lastAt"
     from check_denials where user_id = $1 and last_at >= $2
     group by 1, 2, 3
   ) d join apps a on a.id = d.app_id join features f on f.app_id = d.app_id and f.code = d.feature
   order by d."lastAt" desc, a.id, f.id, d.reason limit ${denialsMax}`,
)
  // A row per feature, reason and day of a month.
  .bounded(10_000)
  .narrow<{
    app: { id: string; name: string; icon: string };
    feature: { id: string; code: string; name: string };
    reason: AnswerReason;
    count: number;
    lastAt: Date;
  }>();

/** What a customer was denied since a moment, the latest first. */
export const findDenials = (db: Db, userId: string, since: Date) =>
  run(db, denialsSql, [userId, since]);
