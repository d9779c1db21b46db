/**
 * One statement inserts the sales of several rounds, in the same state as if the product had recorded them.
 * Every round has twenty transactions of six customers: a subscription paid eight times, one paid for three years,
 * a refunded one, an unpaid one, a partially refunded one, and a first month with a promotion. Their final states
 * depend on the number of the round.
 *
 * $1 and $2 are the first and last round, $3 the number of rounds, $4 the number of the first customer, $5 the
 * number of customers, $6 now, $7 the number of additional unpaid sales, $8 the features of each version for snapshots.
 */

/** The number of payments of each of the six customers of a round, and their refunds. */
const deals = `
  (values ('months', 0, 8), ('years', 1, 3), ('returned', 2, 4), ('nothing', 3, 1), ('partly', 4, 1), ('first', 5, 1))
    as d (kind, place, payments)`;

export const transactionsPerRound = 20;
export const customersPerRound = 6;
export const packagesCount = 11;

const offer = `
  select row_number() over (partition by price.currency, price.interval order by p.sort) - 1 as place,
    p.id as package_id, p.group_code, v.id as version_id, price.id as price_id, price.currency, price.interval, price.amount,
    jsonb_build_object('package', p.name, 'version', v.number, 'interval', price.interval, 'intervalCount', 1,
      'price', price.amount, 'credit', null, 'promotions', '[]'::jsonb, 'features', $8::jsonb -> v.id::text) as snapshot
  from packages p join package_versions v on v.package_id = p.id and v.state = 'on sale'
  join version_prices price on price.version_id = v.id
  where p.code like 'many-sold-%' and price.interval_count = 1`;

// A customer's sales are of different packages. The newest end today.
const deal = `
  select round, kind, payments, u.id as user_id, coalesce(u.country, (select seller ->> 'country' from settings)) as country, o.*, step,
    uuid_v7(anchor) as deal_id, anchor, kind = 'months' and round % 10 = 5 as is_lapsed,
    (array['cardline', 'cardline', 'sepa-direct', 'invoices', 'manual'])[1 + round % 5] as provider
  from (
    select round, kind, payments, round * ${customersPerRound} + place as number
    from generate_series($1::bigint, $2::bigint) round cross join ${deals}
    union all
    select $3 + more, 'nothing', 1, $3 * ${customersPerRound} + more from generate_series(0, $7::bigint - 1) more
  ) sold
  join users u on u.email = 'many-' || ($4::bigint + sold.number % $5::bigint) || '@example.com'
  join offer o on o.place = (sold.number / $5::bigint + sold.number % $5::bigint) % ${packagesCount}
    and o.currency = (array['EUR', 'EUR', 'USD', 'GBP', 'JPY'])[1 + round % 5]
    and o.interval = case kind when 'years' then 'year' else 'month' end
  cross join lateral (select ('1 ' || o.interval)::interval as step) every
  cross join lateral (
    select least($6::timestamptz - interval '3 years' * (1 - round::float8 / greatest($3::bigint, 1)),
      $6::timestamptz - (payments - 1) * step
        - make_interval(days => (round % case when kind = 'months' and round % 10 = 5 then 6 else 27 end)::int,
          secs => sold.number % 86000 + 300)) as anchor
  ) begun`;

const payment = `
  select paid.*, discount, tax, amount - discount + tax as total, rate.name as tax_name,
    rate.basis_points as tax_basis_points, case when rate.id is null then 'none' else 'rate' end as tax_treatment,
    'tax:' || coalesce(paid.country || ':' || rate.basis_points, 'none') as tax_account
  from (
    select d.*, nth, anchor + nth * step as starts, anchor + (nth + 1) * step as ends,
      uuid_v7(anchor + nth * step) as id,
      case
        when kind = 'nothing' and anchor > $6::timestamptz - interval '30 days'
          then (array['pending', 'unknown', 'draft'])[1 + round % 3]
        when kind = 'nothing' then (array['failed', 'canceled', 'voided', 'failed', 'failed'])[1 + round % 5]
        when is_lapsed and nth = 7 and anchor + 8 * step > $6
          then (array['failed', 'pending', 'unknown'])[1 + round / 10 % 3]
        when is_lapsed and nth = 7 then 'failed'
        when kind = 'partly' and round % 10 = 3 then 'charged back'
        when kind = 'first' and round % 20 = 7 then 'disputed'
        else 'succeeded' end as state,
      case when nth > 0 then null when kind = 'first' then 'MANY10'
        when kind = 'years' and round % 2 = 0 then 'MANY-OFF' end as code
    from deal d cross join generate_series(0, payments - 1) nth
  ) paid
  cross join lateral (
    select case code when 'MANY10' then (amount * 1000 + 5000) / 10000 when 'MANY-OFF' then 500 else 0 end as discount
  ) less
  left join tax_rates rate on rate.country = paid.country and rate.region is null and rate.category = 'standard'
    and rate.valid_from <= starts::date and starts::date < coalesce(rate.valid_until, 'infinity')
  cross join lateral (
    select ((amount - discount) * coalesce(rate.basis_points, 0) + 5000) / 10000 as tax
  ) more`;

// The refund of each sale: halfway to now, but after five days at most.
const sale = `
  select p.*, case
      when kind = 'returned' and nth = 3 then case round % 3 when 0 then total else total / 2 end
      when state = 'charged back' then total when kind = 'partly' then total / 3 else 0 end as refunded,
    starts + least(interval '5 days', ($6 - starts) / 2) as returned_at, uuid_v7(
      starts + least(interval '5 days', ($6 - starts) / 2)) as return_id,
    uuid_v7(starts) as line_id, uuid_v7(starts + interval '23 seconds') as entry_id, uuid_v7(
      starts + least(interval '5 days', ($6 - starts) / 2)) as return_entry_id,
    case when kind = 'returned' then (array['end now', 'keep', 'end with period'])[1 + round % 3] else 'keep' end as access,
    state in ('succeeded', 'disputed', 'charged back') as is_paid,
    case when state not in ('draft', 'voided') then case provider when 'manual'
      then 'SEPA ' || to_char(starts, 'YYYY-MM-DD') || ' ' else 'ch_' end || left(md5(p.id::text), 24) end as reference
  from payment p`;

// The subscription of each paid deal.
const subscription = `
  select *, case when returned_at is not null then 'ended' when is_lapsed and access_until > $6 then 'past due'
      when ends > $6 and (kind = 'returned' and round % 3 = 2 or round % 12 = 1) then 'ending'
      when ends > $6 then 'active' else 'ended' end as status,
    case when returned_at is not null then returned_at when is_lapsed and access_until <= $6 then access_until
      when is_lapsed or ends > $6 then null else ends end as ended_at
  from (
    select distinct on (deal_id) deal_id, round, kind, user_id, package_id, group_code, version_id, price_id, anchor, nth,
      starts, ends, ends + interval '7 days' as access_until, is_lapsed,
      case when kind = 'returned' and round % 3 = 0 or state = 'charged back' then returned_at end as returned_at
    from sale where is_paid order by deal_id, nth desc
  ) last`;

const insertSubscriptions = `
  insert into subscriptions (id, user_id, package_id, version_id, price_id, group_code, status, anchor, period_number,
    period_start, period_end, access_until, ended_at, created_at, updated_at)
  select deal_id, user_id, package_id, version_id, price_id, group_code, status, anchor, nth, starts, ends, access_until, ended_at,
    anchor, coalesce(ended_at, starts)
  from subscription`;

// The tax in what is refunded.
const taxed = "lateral (select (2 * tax * refunded + total) / (2 * total) as part) taxed";

const insertTransactions = `
  insert into transactions (id, kind, state, user_id, package_id, version_id, price_id, subscription_id, parent_id,
    currency, subtotal, discount, tax, total, refunded, provider, reference, period_start, period_end, access,
    occurred_at, settled_at, settled_by, is_split, reason, snapshot, created_at, updated_at)
  select sale.id, case nth when 0 then 'purchase' else 'renewal' end, state, user_id, package_id, version_id, price_id,
    case when kind <> 'nothing' then deal_id end, null, currency, amount, discount, tax, total, refunded, provider,
    reference, case when kind <> 'nothing' then starts end, case when kind <> 'nothing' then ends end, null, starts,
    case when is_paid then starts + interval '23 seconds' end, case when is_paid then provider end, true, null,
    case when code is null then snapshot else jsonb_set(snapshot, '{promotions}', jsonb_build_array(
      jsonb_build_object('promotionId', r.id, 'name', r.name, 'code', code, 'amount', discount))) end,
    starts, starts
  from sale left join many_promotion r using (code)
  union all
  select return_id, case state when 'charged back' then 'chargeback' else 'refund' end, 'succeeded', user_id, null, null,
    null, null, id, currency, refunded - part, 0, part, refunded, 0, provider, null, null, null,
    case when state <> 'charged back' then access end, returned_at, returned_at, provider, true, 'Canceled within the first days.',
    '{}', returned_at, returned_at
  from sale, ${taxed} where refunded > 0`;

const insertLines = `
  insert into transaction_lines (id, transaction_id, position, package_id, version_id, price_id, subscription_id, name,
    unit_amount, period_start, period_end, subtotal, discount, net, tax, gross, tax_treatment,
    tax_name, tax_basis_points, tax_country, tax_category, created_at)
  select line_id, id, 0, package_id, version_id, price_id, case when is_paid then deal_id end, snapshot ->> 'package',
    amount, case when is_paid then starts end, case when is_paid then ends end, amount, discount, amount - discount,
    tax, total, tax_treatment, tax_name, tax_basis_points, country, 'standard', starts
  from sale`;

const insertCredits = `
  insert into line_credits (line_id, transaction_id, reason, net, tax, gross, state, created_at)
  select line_id, return_id, case state when 'charged back' then 'chargeback' else 'refund' end, refunded - part, part,
    refunded, 'applied', returned_at
  from sale, ${taxed} where refunded > 0`;

const insertEntries = `
  insert into journal_entries (id, kind, source_id, at, currency, user_id, transaction_id)
  select entry_id, 'sale', id, starts + interval '23 seconds', currency, user_id, id from sale where is_paid and total > 0
  union all
  select return_entry_id, case state when 'charged back' then 'chargeback' else 'refund' end, return_id, returned_at,
    currency, user_id, return_id
  from sale where refunded > 0`;

const insertPostings = `
  insert into postings (entry_id, position, account, amount)
  select entry_id, position, account, posted from sale cross join lateral (values
    (0, 'cash:' || provider, total), (1, 'revenue', discount - amount), (2, tax_account, -tax)
  ) paid (position, account, posted)
  where is_paid and total > 0 and posted <> 0
  union all
  select return_entry_id, position, account, posted from sale, ${taxed}, lateral (values
    (0, 'revenue', refunded - part), (1, tax_account, part), (2, 'cash:' || provider, -refunded)
  ) returned (position, account, posted)
  where refunded > 0 and posted <> 0`;

const insertEvents = `
  insert into transaction_events (transaction_id, type, at, source, source_id, recorded_at)
  select id, type, at, case when type in ('created', 'voided') then 'system' else 'provider' end,
    case when type not in ('created', 'voided') then reference || '-' || type end, at
  from sale cross join lateral (values
    ('created', starts),
    (case when state not in ('draft', 'voided') then 'submitted' end, starts + interval '1 second'),
    (case when is_paid then 'succeeded' when state not in ('draft', 'pending') then state end,
      starts + interval '23 seconds'),
    (case when state in ('disputed', 'charged back') then 'disputed' end, returned_at - (returned_at - starts) / 4),
    (case when state = 'charged back' then 'dispute lost' end, returned_at)
  ) added (type, at)
  where type is not null
  union all
  select return_id, type, returned_at, 'system', null, returned_at
  from sale, unnest(array['created', 'submitted', 'succeeded']) type where refunded > 0`;

// Access continues during the grace period, unless the next period or an end comes first.
const insertGrants = `
  insert into grants (id, user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at,
    promised_until, revoked_at, line_id, created_at)
  select uuid_v7(s.starts), s.user_id, s.package_id, s.version_id, s.deal_id, 'transaction', s.id::text, s.starts,
    case when s.nth < last.nth then s.ends else coalesce(last.ended_at, last.access_until) end,
    s.ends + interval '7 days', case when s.nth = last.nth then last.returned_at end, s.line_id, s.starts
  from sale s join subscription last using (deal_id) where s.is_paid`;

const insertRedemptions = `
  insert into redemptions (promotion_id, code_id, user_id, transaction_id, subscription_id, nth, currency, amount,
    created_at)
  select r.id, r.code_id, s.user_id, s.id, s.deal_id, row_number() over (partition by r.id, s.user_id order by s.id)
    + (select coalesce(max(u.nth), 0) from redemptions u where u.promotion_id = r.id and u.user_id = s.user_id
      and u.returned_at is null),
    s.currency, s.discount, s.starts
  from sale s join many_promotion r using (code)`;

export const insertRounds = `
  with offer as materialized (${offer}), many_promotion as materialized (
    select r.id, r.name, c.id as code_id, c.shown as code from promotions r join promotion_codes c on c.promotion_id = r.id
    where c.code in ('MANY10', 'MANYOFF')
  ), deal as materialized (${deal}), payment as (${payment}), sale as materialized (${sale}),
  subscription as materialized (${subscription}),
  subscribed as (${insertSubscriptions}),
  paid as (${insertTransactions}),
  lined as (${insertLines}),
  credited as (${insertCredits}),
  entered as (${insertEntries}),
  posted as (${insertPostings}),
  added as (${insertEvents}),
  granted as (${insertGrants})
  ${insertRedemptions}`;
