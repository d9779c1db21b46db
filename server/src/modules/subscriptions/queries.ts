import type { Subscription as Shown } from "@purser/contract/subscriptions/endpoints";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { existing } from "#platform/http/problem.ts";
import { lockSubscription } from "../billing/subscriptionQueries.ts";
import { openPayments } from "../transactions/sales/saleQueries.ts";
import { splitForSubscription } from "../transactions/split/splitCustomers.ts";

const columns = `
  s.id, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "user",
  jsonb_build_object('id', p.id, 'name', p.name, 'number', v.number) as "package",
  jsonb_build_object('currency', price.currency, 'amount', price.amount, 'interval', price.interval,
    'intervalCount', price.interval_count) as price,
  s.status, s.period_start as "periodStart", s.period_end as "periodEnd", s.quantity, s.billed_by as "billedBy",
  case when s.status in ('trialing', 'active', 'ending') then s.period_end else s.access_until end as "accessUntil",
  s.ended_at as "endedAt",
  case when n.id is not null then jsonb_build_object('package', np.name, 'number', n.number,
    'quantity', coalesce(s.change_quantity, s.quantity)) end as next,
  (select jsonb_build_object('transaction', jsonb_build_object('id', t.id, 'number', t.number), 'package',
     jsonb_build_object('id', l.package_id, 'name', l.name),
     'due', t.total - t.balance_amount)
   from transactions t join transaction_lines l on l.transaction_id = t.id and l.position = 0
   where t.changes_id = s.id and t.state in ('pending', 'unknown')) as "pendingChange",
  discounts.items as discounts,
  s.version, s.created_at as "createdAt"`;

const joins = `
  join packages p on p.id = s.package_id join version_prices price on price.id = s.price_id
  join users u on u.id = s.user_id join package_versions v on v.id = s.version_id
  left join package_versions n on n.id = coalesce(s.change_version_id, s.next_version_id)
  left join packages np on np.id = n.package_id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('name', d.name, 'basisPoints', d.basis_points, 'amount', a.off,
      'paymentsLeft', left_over) order by r.id), '[]') as items
    from redemptions r join promotions d on d.id = r.promotion_id and d.kind in ('percent', 'fixed')
    left join promotion_amounts a on a.promotion_id = d.id and a.currency = price.currency
    cross join lateral (
      select case d.duration when 'periods' then d.periods when 'once' then 1 end + r.since - (${openPayments("s.id")})
        as left_over
    ) counted
    where r.subscription_id = s.id and r.returned_at is null and coalesce(left_over, 1) > 0
  ) discounts`;

const subscriptions = statement(
  "subscriptions.subscriptions",
  `select ${columns} from subscriptions s ${joins}`,
).narrow<Shown>();
const oneShown = subscriptions.with("where s.id = $1");
const allOfUser = subscriptions.with("where s.user_id = $1 order by s.id desc limit 100");

const findShown = (db: Db, id: string) => first(db, oneShown, [id]);

export const findShownOf = (db: Db, userId: string) => run(db, allOfUser, [userId]);

export const readShown = async (db: Db, id: string) =>
  existing(await findShown(db, id), "subscription");

/** Locks before reading, so that a caller that waited reads the newest row. */
export const readForUpdate = async (db: Db, id: string) => {
  await splitForSubscription(db, id);
  const own = existing(await lockSubscription(db, id), "subscription");
  return { own, shown: await readShown(db, id) };
};

const findFreeSql = statement(
  "subscriptions.findFree",
  `select coalesce(sum(extract(epoch from g.ends_at - greatest(g.starts_at, $2))) * 1000, 0)::float8 as ms
   from grants g where g.subscription_id = $1 and g.source = 'manual' and g.ends_at > $2
     and g.ends_at < 'infinity' and g.revoked_at is null`,
).narrow<{ ms: number }>();

/** How much of the time that team members added is still ahead. */
export const findFreeMs = async (db: Db, id: string, now: Date) =>
  (await first(db, findFreeSql, [id, now]))?.ms ?? 0;

const findOriginSql = statement(
  "subscriptions.findOrigin",
  `select exists (select from grants g where g.subscription_id = s.id and g.source = 'trial'
       and g.starts_at = s.period_start) as "isTrial",
     (select l.id from transaction_lines l where l.subscription_id = s.id
      order by l.period_start desc, l.id desc limit 1) as "lineId"
   from subscriptions s where s.id = $1`,
).narrow<{ isTrial: boolean; lineId: string | null }>();

/** Whether the current period is a trial, and otherwise the line that pays for it. */
export const findOrigin = async (db: Db, id: string) =>
  (await first(db, findOriginSql, [id])) ?? { isTrial: false, lineId: null };

const findEarlierPackageSql = statement(
  "subscriptions.findEarlierPackage",
  `select p.name from subscriptions s join packages p on p.id = s.package_id
   where s.user_id = $1 and (s.package_id = $2 or s.group_code = $3 and s.status <> 'ended')
   union all
   select p.name from grants g join packages p on p.id = g.package_id
   where g.user_id = $1 and g.package_id = $2 limit 1`,
).narrow<{ name: string }>();

/** A package that rules out a trial: had before, or another one of its group that is still active. */
export const findEarlierPackage = (
  db: Db,
  { userId, packageId, group }: { userId: string; packageId: string; group: string | null },
) => first(db, findEarlierPackageSql, [userId, packageId, group]);

const findPaymentsSql = statement(
  "subscriptions.findPayments",
  `select (select t.id from transactions t where t.subscription_id = $1
     and t.kind in ('purchase', 'change', 'renewal') and t.state in ('succeeded', 'disputed')
     order by t.period_start desc, t.id desc limit 1) as last, paid.count,
     exists (select from redemptions r join promotions p on p.id = r.promotion_id
       where r.subscription_id = $1 and r.returned_at is null and r.since > 0
         and p.periods + r.since > paid.count) as "isGiven"
   from (${openPayments("$1")}) paid`,
).narrow<{ count: number; isGiven: boolean }>();

/**
 * The last payment, the number of payments including pending ones, and whether an earlier discount still applies.
 * Discounts of the purchase have `since` 0, those added later a higher one.
 */
export const findPayments = async (db: Db, subscriptionId: string) =>
  (await first(db, findPaymentsSql, [subscriptionId])) ?? { last: null, count: 0, isGiven: false };

/** Increases the version, so that a change based on an older reading is refused. */
export const touchSubscription = async (db: Db, id: string, now: Date) => {
  await run(db, "update subscriptions set updated_at = $2 where id = $1", [id, now]);
};
