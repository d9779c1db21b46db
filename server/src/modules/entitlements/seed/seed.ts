import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const customersCount = 300;

// $1 is now. Two years of sales, the same on every run: everything about customer n follows from n.
const planned = `
  select n, first || ' ' || last as name, lower(first || '.' || last) || '@example.com' as email,
    $1::timestamptz - make_interval(days => 15 + n * 37 % 670, hours => n * 5 % 24) as bought,
    case when n * 7 % 20 < 8 then 'solo' when n * 7 % 20 < 15 then 'studio' when n * 7 % 20 < 18 then 'team'
      when n * 7 % 20 = 18 then 'fleet' end as plan,
    (array['EUR', 'EUR', 'USD', 'GBP', 'JPY'])[1 + n % 5] as currency,
    case when n % 3 = 0 then 'year' else 'month' end as "interval"
  from generate_series(0, ${customersCount - 1}) n, lateral (
    select (array['Ada', 'Bruno', 'Chiara', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kira',
        'Liam', 'Mira', 'Noor', 'Oskar', 'Paula', 'Rafael', 'Sanne', 'Tomo', 'Yara'])[1 + n % 20] as first,
      (array['Albers', 'Bianchi', 'Costa', 'Dahl', 'Eriksen', 'Fontaine', 'Grieg', 'Hansen', 'Ito', 'Jensen',
        'Keller', 'Lindgren', 'Moreau', 'Novak', 'Okafor'])[1 + n / 20] as last
  ) names`;

const places = `(values (0, 'PT', 'pt', 'Europe/Lisbon'), (1, 'IT', 'it', 'Europe/Rome'), (2, 'US', 'en', 'America/New_York'),
  (3, 'GB', 'en-GB', 'Europe/London'), (4, 'JP', 'ja', 'Asia/Tokyo'), (5, 'DE', 'de', 'Europe/Berlin'),
  (6, 'NL', 'nl', 'Europe/Amsterdam'), (7, null, null, null)) as places (place, country, locale, zone)`;

const insertCustomersSql = statement(
  "entitlements.insertCustomers",
  `insert into users (id, email, name, status, external_id, country, locale, time_zone, created_at, updated_at)
   select uuid_v7(bought), email, name, case when n % 61 = 7 then 'suspended' else 'active' end, 'nq-' || 10000 + n,
     country, locale, zone, bought, bought
   from (${planned}) planned, ${places} where place = n % 8
   on conflict (email) do nothing returning id`,
);

const insertCustomers = (db: Db, now: Date) => run(db, insertCustomersSql, [now]);

/** Subscriptions of the customers $2 to what was on sale then, with grants of the current and previous period. */
const subscribe = (db: Db, values: unknown[], bought: string) =>
  run(
    db,
    `with sold as (
       select planned.n, u.id as user_id, p.id as package_id, p.group_code, v.id as version_id, price.id as price_id,
         planned.bought, step,
         case planned."interval" when 'year' then extract(year from age)
           else extract(year from age) * 12 + extract(month from age) end as periods,
         case when n % 31 = 4 and planned.bought + step < $1 then 'ended'
           when planned.bought > $1::timestamptz - interval '30 days' then 'trialing'
           when n % 17 = 3 then 'past due' when n % 23 = 5 then 'ending' when n % 41 = 6 then 'paused'
           else 'active' end as status
       from (${bought}) planned
       join users u on u.email = planned.email and u.id = any ($2::uuid[])
       join packages p on p.code = planned.plan
       cross join lateral (
         select v.id from package_versions v where v.package_id = p.id and v.published_at <= planned.bought
         order by v.published_at desc limit 1
       ) v
       join version_prices price on price.version_id = v.id and price.currency = planned.currency
         and price.interval = planned."interval"
       cross join lateral (
         select ('1 ' || planned."interval")::interval as step, age($1::timestamptz, planned.bought) as age
       ) passed
     ), timed as (
       select *, bought + case status when 'ended' then 0 else periods end * step as period_start from sold
     ), subscribed as (
       insert into subscriptions (user_id, package_id, version_id, price_id, group_code, status, period_start,
         period_end, access_until, created_at, updated_at)
       select user_id, package_id, version_id, price_id, group_code, status, period_start, period_start + step,
         period_start + step + case status when 'ended' then interval '0' else interval '7 days' end, bought, bought
       from timed returning *
     )
     insert into grants (id, user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at,
       promised_until, created_at)
     select uuid_v7(starts), s.user_id, s.package_id, s.version_id, s.id,
       case s.status when 'trialing' then 'trial' else 'transaction' end, 'demo-' || t.n, starts, ends, ends, starts
     from subscribed s join timed t on t.user_id = s.user_id and t.package_id = s.package_id
     cross join lateral (
       values (s.period_start, s.access_until), (s.period_start - t.step, s.period_start)
     ) as period (starts, ends)
     where starts >= t.bought`,
    values,
  );

const ofAddOn = (code: string, every: string) =>
  `select n, email, greatest(bought, $1::timestamptz - interval '450 days') as bought, '${code}' as plan, currency,
     "interval" from (${planned}) planned where plan is not null and ${every}`;

/** Customers without a package try Studio, and some got a grant as compensation. */
const insertManualGrants = (db: Db, values: unknown[]) =>
  run(
    db,
    `insert into grants (id, user_id, package_id, version_id, feature_id, value, source, source_id, reason, starts_at,
       ends_at, promised_until, created_at)
     select uuid_v7(starts), u.id, given.package_id, given.version_id, given.feature_id, given.value, 'manual', 'demo',
       given.reason, starts, ends, ends, starts
     from (${planned}) planned
     join users u on u.email = planned.email and u.id = any ($2::uuid[])
     cross join lateral (
       select p.id as package_id, v.id as version_id, null::uuid as feature_id, null::jsonb as value,
         (array['A pilot until the season begins.', 'Teaches sailing at a school: three months free.',
           'Wrote our handbook with us.'])[1 + n % 3] as reason
       from packages p join package_versions v on v.package_id = p.id and v.state = 'on sale'
       where p.code = 'studio' and planned.plan is null
       union all
       select null, null, f.id, '500'::jsonb, 'An apology for messages that came late in March.'
       from features f join apps a on a.id = f.app_id
       where a.code = 'harbor' and f.code = 'text-messages' and n % 25 = 6
     ) given
     cross join lateral (
       select $1::timestamptz - make_interval(days => n % 40) as starts,
         $1::timestamptz + make_interval(days => 20 + n % 60) as ends
     ) period`,
    values,
  );

/** Usage. Some customers use more than the draft of Studio would allow. */
const insertUsage = (db: Db, values: unknown[]) =>
  run(
    db,
    `insert into feature_use (user_id, feature_id, window_start, used)
     select g.user_id, f.id, since, floor((held.value #>> '{}')::numeric * share / 20)
     from (${planned}) planned
     join users u on u.email = planned.email and u.id = any ($2::uuid[])
     join grants g on g.user_id = u.id and g.starts_at <= $1 and g.ends_at > $1
     join packages p on p.id = g.package_id and p.kind = 'base'
     join version_values held on held.version_id = g.version_id and jsonb_typeof(held.value) = 'number'
     join features f on f.id = held.feature_id and (f.kind = 'limit' or f.reset in ('day', 'month'))
     cross join lateral (
       select unnest(case when f.kind = 'limit' then array['-infinity'::timestamptz]
         else array[date_trunc(f.reset, $1::timestamptz, 'UTC'),
           date_trunc(f.reset, $1::timestamptz, 'UTC') - ('1 ' || f.reset)::interval] end) as since,
         1 + (n * 13 + length(f.code) * 7) % 20 as share
     ) passed
     on conflict do nothing`,
    values,
  );

/** Customers with purchases, manual grants and usage. Existing customers aren't changed. */
export const seedDemoCustomers = async (db: Db, now: Date) => {
  const customers = await insertCustomers(db, now);
  const values = [now, customers.map(({ id }) => id)];
  await subscribe(db, values, planned);
  await subscribe(db, values, ofAddOn("more-storage", "n % 6 = 1"));
  await subscribe(db, values, ofAddOn("message-bundle", "n % 9 = 2"));
  await insertManualGrants(db, values);
  await insertUsage(db, values);
  return customers.length;
};
