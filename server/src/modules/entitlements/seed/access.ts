import { type Db, run } from "#platform/db/db.ts";
import type { DemoCustomer } from "./customers.ts";

// $1 is now, $2 and $3 the numbers and IDs of the customers, $4 the company's time zone.
const customers = "unnest($2::int[], $3::uuid[]) as customer (n, id)";

/** Customers who never bought anything try Studio, and some have a grant as compensation. */
const insertManualGrants = `
  insert into grants (id, user_id, package_id, version_id, feature_id, value, source, source_id, reason, starts_at,
    ends_at, promised_until, created_at)
  select uuid_v7(starts), customer.id, given.package_id, given.version_id, given.feature_id, given.value, 'manual',
    'demo', given.reason, starts, ends, ends, starts
  from ${customers}
  cross join lateral (
    select p.id as package_id, v.id as version_id, null::uuid as feature_id, null::jsonb as value,
      (array['Pilot until the season starts.', 'Sailing school, three months free.',
        'Helped us write the user guide.'])[1 + n % 3] as reason
    from packages p join package_versions v on v.package_id = p.id and v.state = 'on sale'
    where p.code = 'studio' and not exists (select from subscriptions s where s.user_id = customer.id)
    union all
    select null, null, f.id, '500'::jsonb, 'Compensation for messages that were sent late in March.'
    from features f join apps a on a.id = f.app_id
    where a.code = 'harbor' and f.code = 'text-messages' and n % 25 = 6
  ) given
  cross join lateral (
    select $1::timestamptz - make_interval(days => n % 40) as starts,
      $1::timestamptz + make_interval(days => 20 + n % 60) as ends
  ) period`;

/** Usage. Some customers use more than the draft of Studio would allow. */
const insertUsage = `
  insert into feature_use (user_id, feature_id, window_start, used)
  select g.user_id, f.id, since, floor((included.value #>> '{}')::numeric * share / 20)
  from ${customers}
  join grants g on g.user_id = customer.id and g.starts_at <= $1 and g.ends_at > $1
  join packages p on p.id = g.package_id and p.kind = 'base'
  join version_values included on included.version_id = g.version_id and jsonb_typeof(included.value) = 'number'
  join features f on f.id = included.feature_id and (f.kind = 'limit' or f.reset in ('day', 'month'))
  cross join lateral (
    select unnest(case when f.kind = 'limit' then array['-infinity'::timestamptz]
      else array[date_trunc(f.reset, $1::timestamptz, $4),
        date_trunc(f.reset, $1::timestamptz, $4) - ('1 ' || f.reset)::interval] end) as since,
      1 + (n * 13 + length(f.code) * 7) % 20 as share
  ) passed
  on conflict do nothing`;

/** The events that make up the usage, at most ten per counter, and their sums by day. */
const insertEvents = `
  with events as (
    insert into usage_events
      (id, app_id, event_id, user_id, feature_id, window_start, amount, occurred_at, recorded_at)
    select uuid_v7(at), f.app_id, 'demo-' || u.user_id || '-' || f.code || '-' || extract(epoch from since)::bigint || '-' || part, u.user_id, f.id,
      u.window_start, u.used * (part + 1) / parts - u.used * part / parts, at, at
    from ${customers}
    join feature_use u on u.user_id = customer.id and u.used > 0
    join features f on f.id = u.feature_id
    cross join lateral (
      select least(u.used, 10)::int as parts,
        case when f.kind = 'limit' then $1::timestamptz - interval '30 days' else u.window_start end as since
    ) counter
    cross join lateral (
      select least($1::timestamptz, since + case when f.kind = 'limit' then interval '30 days'
        else ('1 ' || f.reset)::interval end) as until
    ) span
    cross join generate_series(0, parts - 1) part
    cross join lateral (select since + (until - since) * (part + 0.5) / parts as at) moment
    returning user_id, feature_id, occurred_at, amount
  )
  insert into usage_days (user_id, feature_id, day, used)
  select user_id, feature_id, (occurred_at at time zone $4)::date, sum(amount) from events group by 1, 2, 3`;

/** Manual grants, and usage of what the customers have bought. */
export const seedDemoAccess = async (
  db: Db,
  made: readonly DemoCustomer[],
  { now, zone }: { now: Date; zone: string },
) => {
  const values = [now, made.map(({ n }) => n), made.map(({ id }) => id)];
  await run(db, insertManualGrants, values);
  await run(db, insertUsage, [...values, zone]);
  await run(db, insertEvents, [...values, zone]);
};
