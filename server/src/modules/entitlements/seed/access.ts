import { type Db, run } from "#platform/db/db.ts";
import type { DemoCustomer } from "./customers.ts";

// $1 is now, $2 and $3 the numbers and IDs of the customers.
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
      else array[date_trunc(f.reset, $1::timestamptz, 'UTC'),
        date_trunc(f.reset, $1::timestamptz, 'UTC') - ('1 ' || f.reset)::interval] end) as since,
      1 + (n * 13 + length(f.code) * 7) % 20 as share
  ) passed
  on conflict do nothing`;

/** Manual grants, and usage of what the customers have bought. */
export const seedDemoAccess = async (db: Db, made: readonly DemoCustomer[], now: Date) => {
  const values = [now, made.map(({ n }) => n), made.map(({ id }) => id)];
  await run(db, insertManualGrants, values);
  await run(db, insertUsage, values);
};
