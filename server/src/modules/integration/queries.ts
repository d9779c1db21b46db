import { type Db, first, run } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";
import type { Counted } from "./tally.ts";

// Rows are written in the order of their keys, so that two servers never wait for each other in a circle.
const writeSql = statement(
  "integration.write",
  `with counts as (
     insert into check_counts as c (app_id, resolution, at, key_id, feature, reason, is_allowed, checks, latencies)
     select app, resolution, to_timestamp(at / 1000.0), key, feature, reason, "isAllowed", checks, latencies
     from jsonb_to_recordset($1::jsonb -> 'counts') as given (app uuid, resolution text, at bigint, key uuid,
       feature text, reason text, "isAllowed" boolean, checks bigint, latencies bigint[])
     order by 1, 2, 3, 4, 5, 6
     on conflict (app_id, resolution, at, key_id, feature, reason) do update set checks = c.checks + excluded.checks,
       latencies = add_counts(c.latencies, excluded.latencies)
   ), rates as (
     insert into check_rates as r (app_id, resolution, at, key_id, checks, denied, latencies)
     select app, resolution, to_timestamp(at / 1000.0), key, checks, denied, latencies
     from jsonb_to_recordset($1::jsonb -> 'rates') as given (app uuid, resolution text, at bigint, key uuid,
       checks bigint, denied bigint, latencies bigint[])
     order by 1, 2, 3, 4
     on conflict (app_id, resolution, at, key_id) do update set checks = r.checks + excluded.checks,
       denied = r.denied + excluded.denied, latencies = add_counts(r.latencies, excluded.latencies)
   ), denials as (
     insert into check_denials as d (user_id, app_id, feature, reason, day, denials, last_at)
     select customer, app, feature, reason, day, denials, to_timestamp("lastAt" / 1000.0)
     from jsonb_to_recordset($1::jsonb -> 'denials') as given (customer uuid, app uuid, feature text, reason text,
       day date, denials bigint, "lastAt" bigint)
     order by 1, 2, 3, 4, 5
     on conflict (user_id, app_id, feature, reason, day) do update set denials = d.denials + excluded.denials,
       last_at = greatest(d.last_at, excluded.last_at)
   ), firsts as (
     insert into check_apps as a (app_id, first_check_at, first_denied_at)
     select app, to_timestamp("firstCheckAt" / 1000.0), to_timestamp("firstDeniedAt" / 1000.0)
     from jsonb_to_recordset($1::jsonb -> 'apps') as given (app uuid, "firstCheckAt" bigint, "firstDeniedAt" bigint)
     order by 1
     on conflict (app_id) do update set first_denied_at = excluded.first_denied_at
     where a.first_denied_at is null and excluded.first_denied_at is not null
   ) select true as written`,
)
  // A few for each of up to 20,000 counts, 20,000 rates and 5,000 denials. Usually there are some dozens.
  .bounded(300_000);

/** Adds what a server counted since it last did so. */
export const writeCounted = async (db: Db, { counts, rates, denials, apps }: Counted) => {
  const rows = { counts, rates, denials, apps };
  const sent = Object.fromEntries(
    Object.entries(rows).map(([name, own]) => [name, [...own.values()]]),
  );
  await run(db, writeSql, [JSON.stringify(sent)]);
};

export const forgottenAtOnce = 5000;

const forgetSql = template(
  "integration.forget",
  (table: "check_counts" | "check_rates") => `
    with old as (
      select ctid from ${table} where resolution = $1 and at < $2 order by at limit ${forgottenAtOnce}
    ), gone as (delete from ${table} t using old where t.ctid = old.ctid returning 1)
    select count(*)::int as rows from gone`,
  ["check_counts"],
  ["check_rates"],
)
  .bounded(60_000)
  .narrow<{ rows: number }>();

type Forgotten = {
  table: "check_counts" | "check_rates";
  resolution: "minute" | "hour";
  before: Date;
};

export const forgetRows = async (db: Db, { table, resolution, before }: Forgotten) =>
  (await first(db, forgetSql.for(table), [resolution, before]))?.rows ?? 0;

const forgetDenialsSql = statement(
  "integration.forgetDenials",
  `with old as (
     select ctid from check_denials where day < ($1::timestamptz)::date order by day limit ${forgottenAtOnce}
   ), gone as (delete from check_denials t using old where t.ctid = old.ctid returning 1)
   select count(*)::int as rows from gone`,
)
  .bounded(60_000)
  .narrow<{ rows: number }>();

export const forgetDenials = async (db: Db, before: Date) =>
  (await first(db, forgetDenialsSql, [before]))?.rows ?? 0;

const sharesSql = statement(
  "integration.shares",
  `select day.app_id as "appId", day.checks, day.denied, before.checks as "checksBefore",
     before.denied as "deniedBefore"
   from (
     select app_id, sum(checks)::float8 as checks, sum(denied)::float8 as denied from check_rates
     where resolution = 'hour' and at >= $1::timestamptz - interval '1 day' and at < $1
     group by app_id having sum(denied) >= $2
     order by sum(denied) desc limit 100
   ) day cross join lateral (
     select coalesce(sum(r.checks), 0)::float8 as checks, coalesce(sum(r.denied), 0)::float8 as denied
     from check_rates r
     where r.app_id = day.app_id and r.resolution = 'hour' and r.at >= $1::timestamptz - interval '7 days'
       and r.at < $1::timestamptz - interval '1 day'
   ) before`,
)
  // The hours of a day of every key in use, and of a week for at most 100 apps.
  .bounded(100_000)
  .narrow<{ checks: number; denied: number; checksBefore: number; deniedBefore: number }>();

/** The apps with the most denials in the last day, with the six days before. */
export const findShares = (db: Db, now: Date, deniedMin: number) =>
  run(db, sharesSql, [now, deniedMin]);

/** Since now, unless it is known for longer. */
export const setRisen = async (db: Db, appIds: readonly string[], now: Date) => {
  await run(
    db,
    `update check_apps set denials_rose_at = case when app_id = any ($1::uuid[]) then $2::timestamptz end
     where (denials_rose_at is not null) <> (app_id = any ($1::uuid[]))
       and (denials_rose_at is not null or app_id = any ($1::uuid[]))`,
    [appIds, now],
  );
};
