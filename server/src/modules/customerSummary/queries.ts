// No rules.ts: renewals are priced by the rules of subscriptions, and the rest is only read.
import type { intervals } from "@purser/contract/packages/prices";
import { countedMax, type customerProblems } from "@purser/contract/users/summary";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

type Counts = { payments: number; transactions: number; documents: number; notes: number };

const countSql = statement(
  "customerSummary.count",
  `select counted.transactions, counted.payments,
     (select count(*)::int from (select from documents where user_id = $1 limit ${countedMax}) d) as documents,
     (select count(*)::int from (
       select from user_notes where user_id = $1 and record_id is null limit ${countedMax}) n) as notes
   from (
     select count(*)::int as transactions,
       count(*) filter (where kind in ('purchase', 'renewal', 'change') and state in ('succeeded', 'disputed'))::int
         as payments
     from (select kind, state from transactions where user_id = $1 order by occurred_at desc, id desc limit ${countedMax}) t
   ) counted`,
)
  .bounded(2500)
  .narrow<Counts>();

export const countRecords = async (db: Db, userId: string) =>
  (await first(db, countSql, [userId])) ?? { payments: 0, transactions: 0, documents: 0, notes: 0 };

const problemsSql = statement(
  "customerSummary.problems",
  `select case t.state when 'unknown' then 'payment unknown' when 'disputed' then 'disputed' else 'payment failed' end
       as kind,
     jsonb_build_object('id', t.id, 'number', t.number) as transaction, p.name as package, t.currency,
     (t.total - t.balance_amount)::float8 as amount, t.occurred_at as at
   from (select * from transactions where user_id = $1 order by occurred_at desc, id desc limit ${countedMax}) t
   left join packages p on p.id = t.package_id
   left join subscriptions s on s.id = t.subscription_id
   where t.state in ('unknown', 'disputed')
     -- A failed renewal is a problem only while the subscription waits for it.
     or t.state = 'failed' and s.status = 'past due' and t.period_start = s.period_end
   order by t.id desc limit 20`,
)
  .bounded(2500)
  .narrow<{
    kind: (typeof customerProblems)[number];
    transaction: { id: string; number: string };
    amount: number;
  }>();

/** Payments that need a decision, newest first. */
export const findProblems = (db: Db, userId: string) => run(db, problemsSql, [userId]);

const overdueSql = statement(
  "customerSummary.overdue",
  `select s.id, t.total::float8 as total from subscriptions s
   join transactions t on t.subscription_id = s.id and t.kind = 'renewal' and t.period_start = s.period_end
   where s.user_id = $1 and s.status = 'past due'`,
).narrow<{ total: number }>();

/** What the renewals of overdue subscriptions were recorded with, by subscription. */
export const findOverdue = async (db: Db, userId: string) =>
  new Map((await run(db, overdueSql, [userId])).map(({ id, total }) => [id, total]));

const offerSql = statement(
  "customerSummary.offer",
  // What is on sale is read first. It is little, while the feature may be in the versions of many years.
  `with sold as materialized (
     select v.id, v.package_id, p.name from package_versions v join packages p on p.id = v.package_id
     where v.state = 'on sale' and p.status = 'active'
   )
   select jsonb_build_object('id', s.package_id, 'name', s.name) as package, price.currency,
     price.amount::float8 as amount, price.interval, price.interval_count as "intervalCount"
   from sold s join version_values f on f.version_id = s.id and f.feature_id = $2
   join version_prices price on price.version_id = s.id and price.currency = $3
   where f.value not in ('false', '0') and s.package_id <> all (array(
     select g.package_id from grants g where g.user_id = $1 and g.package_id is not null
       and g.starts_at <= $4 and g.ends_at > $4))
   -- By the price of a day, so that intervals can be compared. One-time prices come last.
   order by price.interval = 'once',
     price.amount / (price.interval_count * case price.interval
       when 'day' then 1 when 'week' then 7 when 'month' then 30.4375 when 'year' then 365.25 else 1 end),
     price.amount, s.package_id
   limit 1`,
).narrow<{
  package: { id: string; name: string };
  amount: number;
  interval: (typeof intervals)[number];
}>();

type Wanted = { userId: string; featureId: string; currency: string; now: Date };

/** The cheapest package on sale with a feature, among those that the customer doesn't have. */
export const findOffer = (db: Db, { userId, featureId, currency, now }: Wanted) =>
  first(db, offerSql, [userId, featureId, currency, now]);

const currencySql = statement(
  "customerSummary.currency",
  "select currency from transactions where user_id = $1 order by occurred_at desc, id desc limit 1",
);

/** The currency of the customer's last transaction. */
export const findCurrency = async (db: Db, userId: string) =>
  (await first(db, currencySql, [userId]))?.currency;
