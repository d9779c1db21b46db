import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

/** The tax account of a line, as `taxAccountOf` of the ledger. */
const taxAccount = `case when l.tax_treatment = 'rate' and l.tax_country is not null and l.tax_basis_points is not null
  then 'tax:' || l.tax_country || coalesce('-' || regexp_replace(l.tax_region, '[^a-zA-Z0-9]', '', 'g'), '')
    || ':' || l.tax_basis_points
  else 'tax:' || replace(l.tax_treatment, ' ', '-') end`;

/**
 * A sale with several promotions counts for the one with the highest discount. A discount that a team member gives later
 * is stored as redeemed by the last payment, which it doesn't lower.
 */
const promotion = `(select r.promotion_id from redemptions r join promotions p on p.id = r.promotion_id
  where r.transaction_id = l.transaction_id and p.given_by is null order by r.amount desc, r.promotion_id limit 1)`;

const dimensions = `e.id as entry_id, e.currency, (e.at at time zone $1)::date as day, coalesce(l.version_id::text, '') as version,
  coalesce(l.tax_country, '') as country, coalesce(${promotion}::text, '') as promotion, ${taxAccount} as account`;

/** What each line of the entries adds. Credits of changes lower what was charged. The first parameter is the time zone. */
export const facts = `
  select ${dimensions}, (l.position = 0)::int as payments, 0 as refund_count, 0 as dispute_count, l.gross as charged,
    l.tax, 0::bigint as refunds, 0::bigint as disputes, l.net, l.discount
  from entries e join transaction_lines l on l.transaction_id = e.source_id where e.kind = 'sale'
  union all
  select ${dimensions}, 0, (e.kind = 'refund' and c.nth = 1)::int, (e.kind = 'chargeback' and c.nth = 1)::int,
    case e.kind when 'credit' then -c.gross else 0 end, -c.tax, case e.kind when 'refund' then c.gross else 0 end,
    case e.kind when 'chargeback' then c.gross else 0 end, -c.net, 0
  from entries e
  cross join lateral (
    select c.line_id, c.net, c.tax, c.gross, row_number() over (order by c.id) as nth from line_credits c
    where c.transaction_id = e.source_id and c.state = 'applied'
      and c.reason = case e.kind when 'credit' then 'change' else e.kind end
  ) c
  join transaction_lines l on l.id = c.line_id
  where e.kind in ('credit', 'refund', 'chargeback')`;

const measures = [
  ...["payments", "refund_count", "dispute_count"],
  ...["charged", "tax", "refunds", "disputes", "net", "discount"],
];

/** Adds the entries of a query to the days. The first parameter is the time zone. */
const addEntries = (entries: string) => `
  entries as (${entries}), facts as (${facts}), added as (
    insert into revenue_days (dimension, currency, day, key, ${measures.join(", ")})
    select case when grouping(version) = 0 then 'package' when grouping(country) = 0 then 'country'
        when grouping(promotion) = 0 then 'promotion' when grouping(account) = 0 then 'tax' else 'total' end as dimension,
      currency, day, coalesce(version, country, promotion, account, '') as key,
      ${measures.map((name) => `sum(${name})`).join(", ")}
    from facts group by grouping sets ((currency, day), (currency, day, version), (currency, day, country),
      (currency, day, promotion), (currency, day, account))
    order by 1, 2, 3, 4
    on conflict (dimension, currency, day, key) do update set
      ${measures.map((name) => `${name} = revenue_days.${name} + excluded.${name}`).join(", ")}
  )
  select count(*)::int as rows from entries`;

const columns = "e.id, e.kind, e.source_id, e.at, e.currency";

// A calculation: the rows of a batch are anywhere.
const drainSql = statement(
  "reports.drainRevenue",
  `with taken as (
     delete from revenue_queue where id in (select id from revenue_queue order by id limit $2) returning entry_id
   ), ${addEntries(`select ${columns} from taken join journal_entries e on e.id = taken.entry_id`)}`,
)
  .bounded(1_000_000)
  .narrow<{ rows: number }>();

/** Adds the next waiting entries. Returns how many there were. */
export const drainRevenue = async (db: Db, zone: string, limit: number) => {
  const [drained] = await run(db, drainSql, [zone, limit]);
  return drained?.rows ?? 0;
};

// One statement removes waiting entries and adds all entries of the same moment, so none is added twice or never.
const countDaysSql = statement(
  "reports.countDays",
  `with bounds as materialized (
     select $2::date::timestamp at time zone $1 as since, $3::date::timestamp at time zone $1 as until
   ), taken as (
     delete from revenue_queue q using bounds b where q.at >= b.since and q.at < b.until
   ), ${addEntries(`select ${columns} from bounds b join journal_entries e on e.at >= b.since and e.at < b.until`)}`,
)
  .bounded(1_000_000_000)
  .narrow<{ rows: number }>();

type Days = { zone: string; from: string; until: string };

/** Counts the entries of some days again. `until` is the day after the last. */
export const countDays = async (db: Db, { zone, from, until }: Days) => {
  await run(db, "delete from revenue_days where day >= $1::date and day < $2::date", [from, until]);
  const [counted] = await run(db, countDaysSql, [zone, from, until]);
  return counted?.rows ?? 0;
};

const findDaysSql = statement(
  "reports.findDays",
  `select (min(at) at time zone $1)::date::text as first, (max(at) at time zone $1)::date::text as last from journal_entries`,
).narrow<{ first: string | null; last: string | null }>();

/** The days of the first and last entry, or null if there is none. */
export const findDays = async (db: Db, zone: string) => {
  const [{ first, last } = { first: null, last: null }] = await run(db, findDaysSql, [zone]);
  return first !== null && last !== null ? { first, last } : null;
};

/** Removes the figures of days before the first and after the last entry. */
export const removeOtherDays = async (db: Db, days: { first: string; last: string } | null) => {
  if (days)
    await run(db, "delete from revenue_days where day < $1::date or day > $2::date", [
      days.first,
      days.last,
    ]);
  else await run(db, "delete from revenue_days");
};
