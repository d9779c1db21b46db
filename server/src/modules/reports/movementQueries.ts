import { monthsOf } from "#modules/packages/queries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

/** The net amount of a whole period: a change of the quantity is charged for the rest of one. */
const fullNet = `case when l.subtotal > 0
  then l.net::numeric * l.unit_amount * case when price.per_unit then l.quantity else 1 end / l.subtotal else 0 end`;

/**
 * The movements of customers, calculated from what they paid, when they paused and when their subscriptions ended. So
 * the same facts always have the same result, however often and in which order they are counted. `$1` is the time zone.
 */
const movements = (customers: string) => `
  customers as materialized (${customers}),
  subscribed as materialized (
    select s.id, s.user_id, s.price_id, s.package_id, s.ended_at from customers c join subscriptions s on s.user_id = c.id
  ),
  -- The value of each paid period per month, from its start or its payment, whichever is later.
  paid as materialized (
    select s.id, s.user_id, t.currency, greatest(l.period_start, t.settled_at) as at, l.id as line_id,
      coalesce(l.package_id, s.package_id) as package_id,
      round(${fullNet} / ${monthsOf("price")})::bigint as value
    from subscribed s
    join transaction_lines l on l.subscription_id = s.id
    join transactions t on t.id = l.transaction_id
    join version_prices price on price.id = coalesce(l.price_id, s.price_id)
    where t.settled_at is not null and l.period_start is not null and price.interval <> 'once'
      -- Not those of an import that was undone.
      and t.reference is distinct from 'undone ' || t.id
      and (s.ended_at is null or greatest(l.period_start, t.settled_at) < s.ended_at)
  ),
  -- A subscription can change its currency, and then it has no value in the other.
  valued as materialized (
    select distinct p.id, p.user_id, p.currency, s.ended_at from paid p join subscribed s on s.id = p.id
  ),
  events as (
    select v.id, v.user_id, v.currency, p.at, 0 as place, p.line_id, p.package_id,
      case when p.currency = v.currency then p.value else 0 end as value, 0 as pause
    from valued v join paid p on p.id = v.id
    union all
    select v.id, v.user_id, v.currency, e.at, 1, null, null, null, e.pause
    from valued v join subscription_pauses x on x.subscription_id = v.id
    cross join lateral (values (x.paused_at, 1), (x.resumed_at, -1)) e (at, pause)
    where e.at is not null and (v.ended_at is null or e.at < v.ended_at)
    union all
    select id, user_id, currency, ended_at, 2, null, null, 0, 0 from valued where ended_at is not null
  ),
  states as (
    select *, count(value) over past as part, sum(pause) over past as paused from events
    window past as (partition by id, currency order by at, place, line_id)
  ),
  levels as (
    select id, user_id, currency, at, place, line_id, (at at time zone $1)::date as day,
      case when paused > 0 then 0 else coalesce(max(value) over (partition by id, currency, part), 0) end as level,
      -- A part has one payment, which all of its rows belong to.
      max(package_id::text) over (partition by id, currency, part)::uuid as package_id
    from states
  ),
  -- The last of a day, so that a change of the package on one day is one movement.
  daily as (
    select distinct on (id, currency, day) id, user_id, currency, day, level, package_id from levels
    order by id, currency, day, at desc, place desc, line_id desc
  ),
  steps as (
    select user_id, currency, day, package_id, level, lag(package_id) over subscription as package_before,
      lag(level, 1, 0::bigint) over subscription as level_before, level - lag(level, 1, 0::bigint) over subscription as step
    from daily window subscription as (partition by id, currency order by day)
  ),
  changes as (
    select user_id, currency, day, sum(step)::bigint as amount from steps group by 1, 2, 3 having sum(step) <> 0
  ),
  totals as (
    select *, sum(amount) over customer as total, row_number() over customer as nth,
      date_trunc('month', min(day) over (partition by user_id, currency))::date as cohort
    from changes window customer as (partition by user_id, currency order by day)
  ),
  trials as (
    select s.user_id, price.currency, s.ended_at, min(g.starts_at) as at,
      (select min(p.at) from paid p where p.id = s.id and p.value > 0) as paid_at
    from subscribed s
    join grants g on g.subscription_id = s.id and g.source = 'trial'
    join version_prices price on price.id = s.price_id
    group by s.id, s.user_id, price.currency, s.ended_at
  ),
  moved as materialized (
    select user_id, currency, day, case when nth = 1 then 'new' when total = amount then 'reactivation'
      when total = 0 then 'churn' when amount > 0 then 'expansion' else 'contraction' end as kind, amount, cohort
    from totals
  ),
  -- A change of the package lowers one package and raises another.
  package_changes as (
    select user_id, currency, day, package_id, sum(amount)::bigint as amount from (
      select user_id, currency, day, package_id, level as amount from steps where level <> 0
      union all
      select user_id, currency, day, package_before, -level_before from steps where level_before <> 0
    ) p group by 1, 2, 3, 4 having sum(amount) <> 0
  ),
  package_totals as (
    select *, sum(amount) over (partition by user_id, currency, package_id order by day) as total from package_changes
  ),
  calculated_packages as materialized (
    select p.user_id, p.currency, p.day, coalesce(m.kind, 'expansion') as kind, p.package_id, p.amount,
      ((p.total > 0)::int - (p.total - p.amount > 0)::int)::smallint as subscribers
    -- Another package at the same price is no movement of the customer. Its parts add up to 0.
    from package_totals p left join moved m using (user_id, currency, day)
  ),
  calculated as materialized (
    select user_id, currency, day, kind, amount, cohort from moved
    union all
    select distinct t.user_id, t.currency, (e.at at time zone $1)::date, e.kind, 0::bigint, null::date
    from trials t cross join lateral (values ('trial', t.at), ('trial paid', t.paid_at),
      ('trial lost', case when t.paid_at is null then t.ended_at end)) e (kind, at)
    where e.at is not null
  ),
  stored as materialized (
    select m.user_id, m.currency, m.day, m.kind, m.amount, m.cohort
    from customers c join mrr_movements m on m.user_id = c.id
  ),
  differing as materialized (
    select user_id, currency, day, kind, n.key is not null as is_there, n.amount, n.cohort,
      o.amount as old_amount, o.cohort as old_cohort, o.key is not null as was_there
    from (select *, user_id as key from calculated) n
    full join (select *, user_id as key from stored) o using (user_id, currency, day, kind)
    where (n.key, n.amount, n.cohort) is distinct from (o.key, o.amount, o.cohort)
  ),
  stored_packages as materialized (
    select m.user_id, m.currency, m.day, m.kind, m.package_id, m.amount, m.subscribers
    from customers c join mrr_package_movements m on m.user_id = c.id
  ),
  differing_packages as materialized (
    select user_id, currency, day, kind, package_id, n.key is not null as is_there, n.amount, n.subscribers,
      o.amount as old_amount, o.subscribers as old_subscribers, o.key is not null as was_there
    from (select *, user_id as key from calculated_packages) n
    full join (select *, user_id as key from stored_packages) o using (user_id, currency, day, kind, package_id)
    where (n.key, n.amount, n.subscribers) is distinct from (o.key, o.amount, o.subscribers)
  )`;

const write = `
  written as (
    insert into mrr_movements (user_id, currency, day, kind, amount, cohort)
    select user_id, currency, day, kind, amount, cohort from differing where is_there
    on conflict (user_id, currency, day, kind) do update set amount = excluded.amount, cohort = excluded.cohort
  ), removed as (
    delete from mrr_movements m using differing d
    where not d.is_there and m.user_id = d.user_id and m.currency = d.currency and m.day = d.day and m.kind = d.kind
  ), summed as (
    insert into mrr_days (currency, day, kind, customers, amount)
    select currency, day, kind, sum(is_there::int - was_there::int), sum(coalesce(amount, 0) - coalesce(old_amount, 0))
    from differing group by 1, 2, 3 order by 1, 2, 3
    on conflict (currency, day, kind) do update set customers = mrr_days.customers + excluded.customers,
      amount = mrr_days.amount + excluded.amount
  ), retained as (
    insert into retention_months (currency, cohort, month, change)
    select currency, cohort, date_trunc('month', day)::date, sum(change) from (
      select currency, cohort, day, kind, 1 as sign from differing where is_there
      union all
      select currency, old_cohort, day, kind, -1 from differing where was_there
    ) d cross join lateral (
      select sign * case kind when 'churn' then -1 when 'new' then 1 when 'reactivation' then 1 else 0 end as change
    ) c
    where cohort is not null and change <> 0 group by 1, 2, 3 order by 1, 2, 3
    on conflict (currency, cohort, month) do update set change = retention_months.change + excluded.change
  ), written_packages as (
    insert into mrr_package_movements (user_id, currency, day, kind, package_id, amount, subscribers)
    select user_id, currency, day, kind, package_id, amount, subscribers from differing_packages where is_there
    on conflict (user_id, currency, day, kind, package_id) do update set amount = excluded.amount,
      subscribers = excluded.subscribers
  ), removed_packages as (
    delete from mrr_package_movements m using differing_packages d
    where not d.is_there and (m.user_id, m.currency, m.day, m.kind, m.package_id)
      = (d.user_id, d.currency, d.day, d.kind, d.package_id)
  ), summed_packages as (
    insert into mrr_package_days (currency, package_id, day, kind, customers, subscribers, amount)
    select currency, package_id, day, kind, sum(is_there::int - was_there::int),
      sum(coalesce(subscribers, 0) - coalesce(old_subscribers, 0)), sum(coalesce(amount, 0) - coalesce(old_amount, 0))
    from differing_packages group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (currency, package_id, day, kind) do update set
      customers = mrr_package_days.customers + excluded.customers,
      subscribers = mrr_package_days.subscribers + excluded.subscribers,
      amount = mrr_package_days.amount + excluded.amount
  )
  select count(*)::int as rows from differing`;

// A calculation: the subscriptions of a batch are anywhere.
const countSql = statement(
  "reports.countMovements",
  `with ${movements("select unnest($2::uuid[]) as id")}, ${write}`,
)
  .bounded(1_000_000_000)
  .narrow<{ rows: number }>();

/** Calculates the movements of these customers again. Returns how many were different. */
export const countMovements = async (db: Db, zone: string, customerIds: readonly string[]) => {
  const [counted] = await run(db, countSql, [zone, customerIds]);
  return counted?.rows ?? 0;
};

const takeSql = statement(
  "reports.takeCustomers",
  `with taken as (
     delete from mrr_queue where id in (select id from mrr_queue order by id limit $1) returning user_id
   ), ids as (select distinct user_id from taken)
   select user_id as id from ids
   union
   -- What belonged to a merged customer belongs to the remaining record.
   select current_customer(i.user_id) from ids i join users u on u.id = i.user_id where u.merged_into is not null`,
)
  .bounded(100_000)
  .narrow<{ id: string }>();

/** The next customers who may have changed. */
export const takeCustomers = async (db: Db, limit: number) =>
  (await run(db, takeSql, [limit])).map(({ id }) => id);

const findCustomersSql = statement(
  "reports.findCustomers",
  `select id from users where id > $1 order by id limit $2`,
).bounded(100_000);

export const findCustomersAfter = async (db: Db, after: string, limit: number) =>
  (await run(db, findCustomersSql, [after, limit])).map(({ id }) => id);

const differencesSql = statement(
  "reports.findMovementDifferences",
  `with ${movements("select id from users")}
   select user_id as "userId", currency, day::text as day, kind, amount::float8 as calculated, old_amount::float8 as stored
   from (
     select user_id, currency, day, kind, amount, old_amount from differing
     union all
     select user_id, currency, day, kind, amount, old_amount from differing_packages
   ) d order by 3, 1 limit 5`,
)
  .bounded(1_000_000_000)
  .narrow<{ day: string }>();

/** The first movements that differ from what was paid. */
export const findMovementDifferences = (db: Db, zone: string) => run(db, differencesSql, [zone]);
