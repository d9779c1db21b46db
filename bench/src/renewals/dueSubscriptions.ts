import type { BenchDatabase } from "../setup/database.ts";

// Triggers and foreign keys are off, because only the renewals are measured.
const fast = "set session_replication_role = replica";

// Everything else of the seeder is history here: a month ago each subscription was paid, and now its period is over.
const makeDue = `
  update subscriptions s set status = 'active', period_number = 0, price_id = price.id, version_id = price.version_id,
    period_start = now() - make_interval(months => 1, secs => place % 3600),
    anchor = now() - make_interval(months => 1, secs => place % 3600),
    period_end = now() - make_interval(secs => place % 3600),
    access_until = now() - make_interval(secs => place % 3600) + interval '7 days'
  from (select id, row_number() over (order by id) as place from subscriptions) counted
  cross join lateral (
    select p.id, p.version_id from version_prices p join package_versions v on v.id = p.version_id
    join packages k on k.id = v.package_id and k.code = 'many-plan'
    where p.interval = 'month' and v.published_at is not null order by p.id offset place % 8 limit 1
  ) price
  where s.id = counted.id`;

const addPurchases = `
  insert into transactions (kind, state, user_id, package_id, version_id, price_id, subscription_id, currency, subtotal,
    total, provider, reference, period_start, period_end, occurred_at, settled_at, settled_by, is_split)
  select 'purchase', 'succeeded', s.user_id, s.package_id, s.version_id, s.price_id, s.id, price.currency, price.amount,
    price.amount, 'manual', s.id::text, s.period_start, s.period_end, s.period_start, s.period_start, 'manual', true
  from subscriptions s join version_prices price on price.id = s.price_id`;

// Every tenth customer has a balance that is too low for the renewal.
const addBalances = `
  with added as (
    insert into balance_entries (user_id, currency, amount, kind, reason)
    select user_id, currency, 250, 'added', 'Measured.' from (
      select s.user_id, price.currency, row_number() over (order by s.id) as place
      from subscriptions s join version_prices price on price.id = s.price_id
    ) counted where place % 10 = 0
    returning user_id, currency, amount
  )
  insert into balances (user_id, currency, amount) select user_id, currency, amount from added`;

const addTaxRates = `
  insert into tax_rates (country, name, category, basis_points, valid_from)
  select country, 'VAT', 'standard', 1900, '2020-01-01' from unnest(array['DE', 'FR', 'IT', 'PT']) country`;

// Every tenth subscription has a discount that lasts.
const addDiscounts = [
  `insert into promotions (name, kind, basis_points, level, duration, audience, stacking, needs_code, returns_use,
     published_at)
   values ('Bench', 'percent', 1000, 'line', 'forever', 'anyone', 'stackable', true, true, now())`,
  `insert into redemptions (promotion_id, user_id, transaction_id, subscription_id, currency, amount, nth)
   select p.id, t.user_id, t.id, t.subscription_id, t.currency, 0, 1
   from promotions p cross join (
     select *, row_number() over (order by id) as place from transactions where kind = 'purchase'
   ) t where p.name = 'Bench' and t.place % 10 = 5`,
];

/** Makes the period of every subscription end. Returns how many there are. */
export const makeAllDue = async ({ query }: BenchDatabase) => {
  // One text is one transaction on one connection.
  for (const text of [makeDue, addPurchases, addBalances, addTaxRates, ...addDiscounts])
    await query(`begin; ${fast}; ${text}; set session_replication_role = origin; commit`);
  await query("vacuum (analyze)");
  const [row] = await query<{ count: number }>("select count(*)::int from subscriptions");
  return row?.count ?? 0;
};

export const countDue = async ({ query }: BenchDatabase) => {
  const [row] = await query<{ due: number }>(
    `select count(*)::int as due from subscriptions
     where status in ('trialing', 'active', 'ending') and period_end <= now()`,
  );
  return row?.due ?? 0;
};

/** Subscriptions that were renewed more than once or not at all, and renewals without their rows. */
export const countWrong = async ({ query }: BenchDatabase) => {
  const [row] = await query<{ twice: number; missing: number; incomplete: number }>(
    `select count(*) filter (where renewals > 1)::int as twice, count(*) filter (where renewals = 0)::int as missing,
       (select count(*)::int from transactions t where t.kind = 'renewal' and (
          (select count(*) from transaction_lines l where l.transaction_id = t.id) <> 1
          or (select count(*) from transaction_events e where e.transaction_id = t.id) <> 2
          or (select coalesce(-sum(b.amount), 0) from balance_entries b where b.transaction_id = t.id) <> t.balance_amount
        )) as incomplete
     from (
       select (select count(*) from transactions t where t.subscription_id = s.id and t.kind = 'renewal') as renewals
       from subscriptions s
     ) counted`,
  );
  return row ?? { twice: 0, missing: 0, incomplete: 0 };
};
