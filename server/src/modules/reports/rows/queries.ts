import type { RowGroup } from "@purser/contract/reports/rows";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";
import { facts } from "../revenueQueries.ts";

/** So many entries or customers are searched at once. */
export const searchedAtOnce = 250;

/** Which entries of a group belong to one of the keys, that of the rollup. */
const matches: Record<RowGroup, string> = {
  total: "true",
  package: "f.version = any ($6::text[])",
  country: "f.country = any ($6::text[])",
  promotion: "f.promotion = any ($6::text[])",
  tax: "f.account = any ($6::text[])",
};

const entriesSql = template(
  "reports.searchEntries",
  (group: RowGroup) => `
    with entries as materialized (
      select e.id, e.kind, e.source_id, e.at, e.currency from journal_entries e
      where e.at >= ($2::date::timestamp at time zone $1) and e.at < (($3::date + 1)::timestamp at time zone $1)
        and ($4::timestamptz is null or (e.at, e.id) < ($4::timestamptz, $5::uuid))
      order by e.at desc, e.id desc limit ${searchedAtOnce}
    ), facts as (${facts}), own as (
      select f.entry_id, sum(f.charged)::float8 as charged, sum(f.tax)::float8 as tax,
        sum(f.refunds + f.disputes)::float8 as returned, sum(f.net)::float8 as net,
        sum(f.discount)::float8 as discount
      from facts f where f.currency = $7 and ${matches[group]} and ($6::text[] is not null) group by f.entry_id
    )
    select s.searched, s.last, e.id, e.at, e.kind, o.charged, o.tax, o.returned, o.net, o.discount,
      jsonb_build_object('id', t.id, 'number', t.number) as transaction,
      jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as user
    from (select count(*)::int as searched, (array_agg(id order by at, id))[1] as last from entries) s
    left join (own o
      join entries e on e.id = o.entry_id
        -- What isn't in the figures yet, because a job adds it.
        and not exists (select from revenue_queue q where q.at = e.at and q.entry_id = e.id)
      join transactions t on t.id = e.source_id join users u on u.id = t.user_id) on true
    order by e.at desc, e.id desc`,
  ["total"],
  ["package"],
  ["promotion"],
)
  // The lines, credits and redemptions of each entry.
  .bounded(10_000)
  .narrow<{
    searched: number;
    kind: "sale" | "credit" | "refund" | "chargeback" | null;
    charged: number | null;
    tax: number | null;
    returned: number | null;
    net: number | null;
    discount: number | null;
    transaction: { id: string; number: string };
    user: { id: string; name: string; email: string };
  }>();

/** Where a search continues: the time as text, because it has microseconds, and its day. */
export type Place = { id: string; at: string; day: string };

const placeSql = statement(
  "reports.findEntryPlace",
  `select id, at::text as at, (at at time zone $2)::date::text as day from journal_entries where id = $1`,
).narrow<{ at: string; day: string }>();

export const findPlace = (db: Db, id: string, zone: string): Promise<Place | undefined> =>
  first(db, placeSql, [id, zone]);

export type Asked = {
  group: RowGroup;
  /** Keys of the rollup: the versions of a package, or the key itself. */
  keys: readonly string[];
  currency: string;
  zone: string;
  from: string;
  until: string;
};

/** The entries of a group among the next ones before a place, the latest first. */
export const searchEntries = async (
  db: Db,
  { group, keys, currency, zone, from, until }: Asked,
  before: Place | null,
) => {
  const rows = await run(db, entriesSql.for(group), [
    ...[zone, from, until, before?.at ?? null, before?.id ?? null, [...keys], currency],
  ]);
  const items = rows.flatMap((row) => {
    const { id, at, kind, transaction, user, charged, tax, returned, net, discount } = row;
    // A search without a result has one row, with what was searched.
    if (!id || !at || !kind || charged === null || tax === null) return [];
    return returned === null || net === null || discount === null
      ? []
      : { id, at, kind, transaction, user, charged, tax, returned, net, discount };
  });
  return { items, searched: rows[0]?.searched ?? 0, last: rows[0]?.last ?? null };
};

const lastDaySql = statement(
  "reports.findLastDay",
  `select d.day::text as day from revenue_days d
   where d.dimension = $1 and d.currency = $2 and d.day between $3::date and $4::date and d.key = any ($5::text[])
   order by d.day desc limit 1`,
)
  .bounded(4000)
  .narrow<{ day: string }>();

/** The last day that has something of the group, so that days without are skipped. */
export const findLastDay = async (db: Db, { group, keys, currency, from, until }: Asked) =>
  (await first(db, lastDaySql, [group, currency, from, until, [...keys]]))?.day ?? null;

const versionsSql = statement(
  "reports.findVersions",
  "select id::text as id from package_versions where package_id = $1",
).narrow<{ id: string }>();

export const findVersions = async (db: Db, packageId: string) =>
  (await run(db, versionsSql, [packageId])).map(({ id }) => id);

type Cohort = { currency: string; cohort: string; month: string };

const retainedCountSql = statement(
  "reports.countRetained",
  `select coalesce(sum(change), 0)::int as count from retention_months
   where currency = $1 and cohort = date_trunc('month', $2::date)::date and month <= $3::date`,
).narrow<{ count: number }>();

export const countRetained = async (db: Db, { currency, cohort, month }: Cohort) =>
  (await first(db, retainedCountSql, [currency, cohort, month]))?.count ?? 0;

const subscribedSql = statement(
  "reports.countSubscribed",
  `select coalesce(sum(amount), 0)::float8 as mrr,
     coalesce(sum(case when kind = 'churn' then -customers when kind in ('new', 'reactivation') then customers else 0 end),
       0)::int as count
   from mrr_days where currency = $1 and day <= $2::date`,
)
  // Each kind of movement of each day since the first sale.
  .bounded(20_000)
  .narrow<{ mrr: number; count: number }>();

/** How many customers were subscribed at the end of a day, and their recurring revenue. */
export const countSubscribed = async (db: Db, currency: string, at: string) =>
  (await first(db, subscribedSql, [currency, at])) ?? { mrr: 0, count: 0 };

const retainedSql = statement(
  "reports.searchRetained",
  `with customers as materialized (
     select m.user_id, m.day from mrr_movements m
     where m.currency = $1 and m.kind = 'new' and m.day between $2::date and $3::date
       and ($5::uuid is null or (m.day, m.user_id) < ((select n.day from mrr_movements n
         where n.user_id = $5 and n.currency = $1 and n.kind = 'new'), $5::uuid))
     order by m.day desc, m.user_id desc limit ${searchedAtOnce}
   )
   select s.searched, s.last, c.day::text as day, c.amount,
     jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as user
   from (select count(*)::int as searched, (array_agg(user_id order by day, user_id))[1] as last from customers) s
   left join (
     select c.user_id, c.day, kept.amount from customers c cross join lateral (
       select sum(v.amount)::float8 as amount from mrr_movements v where v.user_id = c.user_id and v.currency = $1
         and v.day <= $4::date
     ) kept
   ) c on c.amount > 0
   left join users u on u.id = c.user_id
   order by c.day desc, c.user_id desc`,
)
  // The movements of each customer.
  .bounded(5000)
  .narrow<{
    searched: number;
    day: string | null;
    amount: number | null;
    user: { id: string; name: string; email: string };
  }>();

export type Subscribed = {
  currency: string;
  /** The days of the first payments, both included. */
  from: string;
  until: string;
  /** The day at whose end they were subscribed. */
  at: string;
};

/** Customers with recurring revenue at the end of a day, among the next ones after a customer. */
export const searchRetained = async (
  db: Db,
  { currency, from, until, at }: Subscribed,
  after: string | null,
) => {
  const rows = await run(db, retainedSql, [currency, from, until, at, after]);
  return {
    items: rows.flatMap(({ day, amount, user }) =>
      day !== null && amount !== null ? { day, amount, user } : [],
    ),
    searched: rows[0]?.searched ?? 0,
    last: rows[0]?.last ?? null,
  };
};
