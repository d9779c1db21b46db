import { checksKeptDays } from "@purser/contract/integration/endpoints";
import { bucketsCount } from "../../../server/src/modules/integration/rules.ts";
import { heavyCustomer } from "./outliers.ts";

// What sold apps send: usage of customers and checks. Their app has several keys and is asked about several features.

const app = "(select id from apps where code = 'many-office')";

const keys = `
  insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
  select ${app}, 'Server ' || n, 'server', '{entitlements:read,usage:write}', 'scale', decode(md5(n::text), 'hex'), now()
  from generate_series(1, 5) n`;

/** The counters of the customers, with a moment of the last month for each. */
const counters = (rows: number) => `
  (select u.*, f.app_id, row_number() over (order by u.user_id, u.feature_id, u.window_start) as n
   from (select * from feature_use order by feature_id, user_id, window_start limit ${rows}) u
   join features f on f.id = u.feature_id) counted
  cross join lateral (select now() - interval '30 days' * (${rows} - n) / ${rows} as at) moment`;

const usage = (rows: number) => [
  // More counters than the seeder makes: a year of one feature.
  `insert into feature_use (user_id, feature_id, window_start, used)
   select u.id, f.id, date_trunc('month', now()) - make_interval(months => months), 1000
   from (select id from users where role is null order by id limit ${Math.ceil(rows / 12)}) u
   cross join (select id from features where kind = 'metered' and app_id = ${app} order by id limit 1) f
   cross join generate_series(0, 11) months on conflict do nothing`,
  `insert into usage_events (id, app_id, event_id, user_id, feature_id, window_start, amount, occurred_at, recorded_at)
   select uuid_v7(at), app_id, 'scale-' || n, user_id, feature_id, window_start, 1, at, at
   from ${counters(rows)} order by n`,
  `insert into usage_event_ids (app_id, event_id, user_id, feature_id, amount, recorded_at)
   select app_id, event_id, user_id, feature_id, amount, recorded_at from usage_events
   where event_id like 'scale-%' order by id`,
  `insert into usage_days (user_id, feature_id, day, used)
   select user_id, feature_id, at::date, 1 from ${counters(rows)} order by n on conflict do nothing`,
  `insert into usage_reservations (id, app_id, key_id, event_id, user_id, feature_id, window_start, amount, status,
     confirmed, expires_at, created_at, settled_at)
   select uuid_v7(at), app_id, key.id, 'held-' || n, user_id, feature_id, window_start, 1, status,
     case status when 'confirmed' then 1 end, now() + interval '5 minutes', at, case when status <> 'open' then at end
   from ${counters(rows)} cross join (select id from app_keys where prefix = 'scale' limit 1) key
   cross join lateral (select case n % 100 when 0 then 'open' when 1 then 'released' else 'confirmed' end as status) state
   order by n`,
  `insert into usage_corrections (id, user_id, feature_id, window_start, amount, reason, created_at)
   select uuid_v7(at), user_id, feature_id, window_start, 1, 'Failed.', at from ${counters(rows)} order by n`,
];

const heavy = `(select id as user_id from users where email = '${heavyCustomer}')`;
const counted = `
  (select id as feature_id, app_id from features where kind in ('metered', 'limit') and app_id = ${app}
   order by id limit 2)`;

/** A customer whose usage is reported every hour of a year, with a correction for each day. */
const heavyUsage = [
  `insert into feature_use (user_id, feature_id, window_start, used)
   select user_id, feature_id, date_trunc('month', now()) - make_interval(months => months), 1000
   from ${heavy} u cross join ${counted} f cross join generate_series(0, 11) months on conflict do nothing`,
  `insert into usage_events (id, app_id, event_id, user_id, feature_id, window_start, amount, occurred_at, recorded_at)
   select uuid_v7(at), app_id, 'heavy-' || n, user_id, feature_id, date_trunc('month', at), 1, at, at
   from ${heavy} u cross join ${counted} f cross join generate_series(1, 365 * 24) n
   cross join lateral (select now() - make_interval(hours => 365 * 24 - n) as at) moment order by n`,
  `insert into usage_days (user_id, feature_id, day, used)
   select user_id, feature_id, current_date - n, 24
   from ${heavy} u cross join ${counted} f cross join generate_series(0, 364) n on conflict do nothing`,
  `insert into usage_corrections (id, user_id, feature_id, window_start, amount, reason, created_at)
   select uuid_v7(at), user_id, feature_id, date_trunc('month', now()), 1, 'Failed.', at
   from ${heavy} u cross join ${counted} f cross join generate_series(1, 365) n
   cross join lateral (select now() - make_interval(days => 365 - n) as at) moment order by n`,
];

const latencies = `array_fill(10::bigint, array[${bucketsCount}])`;

/** Every minute of a day and every hour of a month. */
const times = (minutes: number) => `
  (select 'minute' as resolution, date_trunc('minute', now()) - make_interval(mins => n) as at
   from generate_series(0, ${minutes}) n
   union all
   select 'hour', date_trunc('hour', now()) - make_interval(hours => n)
   from generate_series(0, ${checksKeptDays * 24}) n) time`;

const asked = `(select code from features where app_id = ${app} order by code limit 5) feature`;

const checks = (rows: number) => [
  `insert into check_apps (app_id, first_check_at, first_denied_at) values (${app}, now(), now())`,
  `insert into app_webhooks (app_id, confirmed_at) values (${app}, now())`,
  `insert into check_rates (app_id, resolution, at, key_id, checks, denied, latencies)
   select app_id, resolution, at, id, 1000, 100, ${latencies}
   from app_keys cross join ${times(24 * 60)} where prefix = 'scale' order by at`,
  `insert into check_counts (app_id, resolution, at, key_id, feature, reason, is_allowed, checks, latencies)
   select app_id, resolution, at, app_keys.id, code, reason, reason = 'granted', 100, array_fill(10::bigint, array[10])
   from app_keys cross join ${times(60)} cross join ${asked} cross join unnest(array['granted', 'expired']) reason
   where prefix = 'scale' order by at`,
  `insert into check_denials (user_id, app_id, feature, reason, day, denials, last_at)
   select u.id, ${app}, 'feature-1', 'expired', current_date - (n % ${checksKeptDays})::int, 3, now() - make_interval(days => (n % ${checksKeptDays})::int)
   from (select id, row_number() over (order by id) as n from users where role is null limit ${rows}) u`,
  `insert into check_denials (user_id, app_id, feature, reason, day, denials, last_at)
   select user_id, ${app}, code, 'not started', current_date - n, 3, now() - make_interval(days => n)
   from ${heavy} u cross join ${asked} cross join generate_series(0, ${checksKeptDays - 1}) n`,
];

/** The statements that fill what sold apps send, with about so many rows of each. */
export const usageAndChecks = (rows: number) => [
  keys,
  ...usage(rows),
  ...heavyUsage,
  ...checks(rows),
];
