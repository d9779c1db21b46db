import type { Price } from "@purser/contract/packages/prices";
import type {
  Subscription as Shown,
  SubscriptionStatus,
} from "@purser/contract/subscriptions/endpoints";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

/** A subscription with what it renews at. */
export type Subscription = Pick<Price, "currency" | "interval" | "intervalCount" | "amount"> & {
  id: string;
  userId: string;
  packageId: string;
  packageName: string;
  group: string | null;
  versionId: string;
  priceId: string;
  status: SubscriptionStatus;
  anchor: Date;
  periodNumber: number;
  periodStart: Date;
  periodEnd: Date;
  accessUntil: Date;
  pausedAt: Date | null;
  /** What was paid for the period. */
  paid: number;
  nextVersionId: string | null;
  changeVersionId: string | null;
  changePriceId: string | null;
  version: number;
};

const shown = `
  s.id, s.user_id as "userId", s.package_id as "packageId", p.name as "packageName", s.group_code as "group",
  s.version_id as "versionId", s.price_id as "priceId", s.status, s.anchor, s.period_number as "periodNumber",
  s.period_start as "periodStart", s.period_end as "periodEnd", s.access_until as "accessUntil",
  s.paused_at as "pausedAt", coalesce((
    select t.total - t.refunded from transactions t
    where t.subscription_id = s.id and t.period_start <= s.period_start and t.period_end > s.period_start
      and t.kind in ('purchase', 'renewal', 'change') and t.state in ('succeeded', 'disputed')
    order by t.period_start desc limit 1), 0)::float8 as paid, s.next_version_id as "nextVersionId", s.change_version_id as "changeVersionId",
  s.change_price_id as "changePriceId", s.version, price.currency, price.interval,
  price.interval_count as "intervalCount", price.amount::float8 as amount`;

const joins =
  "join packages p on p.id = s.package_id join version_prices price on price.id = s.price_id";

const findSubscriptionSql = statement(
  "billing.findSubscription",
  `select ${shown} from subscriptions s ${joins} where s.id = $1`,
)
  .present<"priceId">()
  .narrow<Subscription>();

export const findSubscription = (db: Db, id: string) => first(db, findSubscriptionSql, [id]);

/** Locked first and read then, so that whoever waited sees what was done. */
export const lockSubscription = async (db: Db, id: string) => {
  await run(db, "select from subscriptions where id = $1 for update", [id]);
  return findSubscription(db, id);
};

const made = "'succeeded', 'disputed'";

const paymentsIn = (subscription: string, states: string) => `
  select count(*)::int from transactions t where t.subscription_id = ${subscription}
    and t.kind in ('purchase', 'change', 'renewal') and t.state in (${states})
    and (t.kind = 'renewal' or not exists (select from transactions earlier
      where earlier.subscription_id = t.subscription_id and earlier.period_start < t.period_start
        and earlier.state in (${states})))`;

/**
 * What a discount for some payments of a subscription is counted by: the payment that began it and its renewals. A
 * later period that was recorded by hand is priced without its discounts, so it uses none of them up.
 */
export const paymentsMade = (subscription: string) => paymentsIn(subscription, made);

/** With those that are waited for. */
export const payments = (subscription: string) =>
  paymentsIn(subscription, `${made}, 'pending', 'unknown'`);

// As people see it.
const told = `
  s.id, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "user",
  jsonb_build_object('id', p.id, 'name', p.name, 'number', v.number) as "package",
  jsonb_build_object('currency', price.currency, 'amount', price.amount, 'interval', price.interval,
    'intervalCount', price.interval_count) as price,
  s.status, s.period_start as "periodStart", s.period_end as "periodEnd", s.access_until as "accessUntil",
  s.ended_at as "endedAt",
  case when n.id is not null then jsonb_build_object('package', np.name, 'number', n.number) end as next,
  discounts.items as discounts,
  s.version, s.created_at as "createdAt"`;

const toldJoins = `
  ${joins} join users u on u.id = s.user_id join package_versions v on v.id = s.version_id
  left join package_versions n on n.id = coalesce(s.change_version_id, s.next_version_id)
  left join packages np on np.id = n.package_id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('name', d.name, 'basisPoints', d.basis_points, 'amount', a.off,
      'paymentsLeft', left_over) order by r.id), '[]') as items
    from redemptions r join promotions d on d.id = r.promotion_id and d.kind in ('percent', 'fixed')
    left join promotion_amounts a on a.promotion_id = d.id and a.currency = price.currency
    cross join lateral (
      select case d.duration when 'periods' then d.periods when 'once' then 1 end + r.since - (${payments("s.id")})
        as left_over
    ) counted
    where r.subscription_id = s.id and r.returned_at is null and coalesce(left_over, 1) > 0
  ) discounts`;

const subscriptions = statement(
  "billing.subscriptions",
  `select ${told} from subscriptions s ${toldJoins}`,
).narrow<Shown>();
const oneShown = subscriptions.with("where s.id = $1");
const allOfUser = subscriptions.with("where s.user_id = $1 order by s.id desc limit 100");

export const findShown = (db: Db, id: string) => first(db, oneShown, [id]);

export const findShownOf = (db: Db, userId: string) => run(db, allOfUser, [userId]);

const lockCurrentSql = statement(
  "billing.lockCurrent",
  `select id from subscriptions
   where user_id = $1 and status <> 'ended' and (package_id = $2 or group_code = $3)
   order by package_id = $2 desc for update limit 1`,
);

/** The person's subscription to the package, or to another of its group, that is not over. */
export const lockCurrent = async (
  db: Db,
  { userId, packageId, group }: { userId: string; packageId: string; group: string | null },
) => {
  const row = await first(db, lockCurrentSql, [userId, packageId, group]);
  return row && findSubscription(db, row.id);
};

type NewSubscription = Pick<
  Subscription,
  | "userId"
  | "packageId"
  | "group"
  | "versionId"
  | "priceId"
  | "status"
  | "anchor"
  | "periodStart"
  | "periodEnd"
  | "accessUntil"
> &
  Partial<Pick<Subscription, "periodNumber">>;

export const insertSubscription = async (db: Db, { group, ...given }: NewSubscription) => {
  const { id } = await db
    .insertInto("subscriptions")
    .values({ ...given, groupCode: group })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const updateSubscription = async (
  db: Db,
  id: string,
  values: Partial<
    Pick<
      Subscription,
      | "versionId"
      | "priceId"
      | "status"
      | "anchor"
      | "periodNumber"
      | "periodStart"
      | "periodEnd"
      | "accessUntil"
      | "nextVersionId"
      | "changeVersionId"
      | "changePriceId"
    >
  > & { endedAt?: Date | null; pausedAt?: Date | null },
) => {
  await db.updateTable("subscriptions").set(values).where("id", "=", id).execute();
};

const findHeldSql = statement(
  "billing.findHeld",
  `select p.name from subscriptions s join packages p on p.id = s.package_id
   where s.user_id = $1 and (s.package_id = $2 or s.group_code = $3 and s.status <> 'ended')
   union all
   select p.name from grants g join packages p on p.id = g.package_id
   where g.user_id = $1 and g.package_id = $2 limit 1`,
).narrow<{ name: string }>();

/** Whoever held the package, or still holds another of its group, has nothing to try. */
export const findHeld = (
  db: Db,
  { userId, packageId, group }: { userId: string; packageId: string; group: string | null },
) => first(db, findHeldSql, [userId, packageId, group]);

type Right = {
  userId: string;
  packageId: string;
  versionId: string;
  subscriptionId: string | null;
  source: "transaction" | "trial" | "staff";
  sourceId: string;
  reason?: string;
  startsAt: Date;
  /** Null has no end. */
  endsAt: Date | null;
  /** Begins where other periods of the same package end. */
  isAfterOthers?: boolean;
};

export const insertRight = async (db: Db, right: Right) => {
  await run(
    db,
    `insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, reason, starts_at,
       ends_at, promised_until)
     select $1, $2, $3, $4, $5, $6, $7, least(until, greatest($8::timestamptz, (
         select max(g.ends_at) from grants g where $10 and g.user_id = $1 and g.package_id = $2
           and g.subscription_id is not null and g.ends_at > g.starts_at and g.ends_at < 'infinity'))), until, until
     from (select coalesce($9::timestamptz, 'infinity') as until) period`,
    [
      right.userId,
      right.packageId,
      right.versionId,
      right.subscriptionId,
      right.source,
      right.sourceId,
      right.reason ?? null,
      right.startsAt,
      right.endsAt,
      right.isAfterOthers ?? false,
    ],
  );
};

/** A right to one feature that a promotion promised. */
export const insertFeatureGrant = async (
  db: Db,
  right: Pick<Right, "userId" | "subscriptionId" | "sourceId" | "startsAt" | "endsAt"> & {
    featureId: string;
    value: unknown;
  },
) => {
  await run(
    db,
    `insert into grants (user_id, feature_id, value, subscription_id, source, source_id, starts_at, ends_at, promised_until)
     select $1, $2, $3::jsonb, $4, 'promotion', $5, $6, until, until
     from (select coalesce($7::timestamptz, 'infinity') as until) period`,
    [
      right.userId,
      right.featureId,
      JSON.stringify(right.value),
      right.subscriptionId,
      right.sourceId,
      right.startsAt,
      right.endsAt,
    ],
  );
};

type End = {
  at: Date;
  /** When they were taken away, where they do not just run out. */
  revokedAt?: Date;
};

/**
 * Ends the grants of which a condition holds at a moment, those that would begin later too. They are locked by a
 * statement of its own, so that what was put in the place of one meanwhile is seen by the next, and ends too.
 */
export const endGrants = async (
  db: Db,
  { which, values }: { which: string; values: readonly string[] },
  { at, revokedAt }: End,
) => {
  const given = [...values, at];
  const [moment, taken] = [`$${given.length}`, `$${given.length + 1}`];
  const chosen = `${which} and ends_at > ${moment}`;
  await run(db, `select from grants where ${chosen} order by id for update`, given);
  await run(
    db,
    `update grants set ends_at = greatest(starts_at, ${moment}), revoked_at = coalesce(revoked_at, ${taken})
     where ${chosen}`,
    [...given, revokedAt ?? null],
  );
};

/** Ends a subscription's rights at a moment. */
export const endSubscriptionGrants = (db: Db, subscriptionId: string, end: End) =>
  endGrants(db, { which: "subscription_id = $1", values: [subscriptionId] }, end);

/** Ends what somebody was given of a package that another one subscribes to, and whose payments or refunds end it. */
export const endRightsOfOthers = (
  db: Db,
  { userId, packageId }: Pick<Subscription, "userId" | "packageId">,
  end: End,
) =>
  endGrants(
    db,
    {
      which: `user_id = $1 and package_id = $2
        and subscription_id in (select s.id from subscriptions s where s.user_id <> $1)`,
      values: [userId, packageId],
    },
    end,
  );

export const endSubscription = async (db: Db, id: string, end: End) => {
  await endSubscriptionGrants(db, id, end);
  await updateSubscription(db, id, { status: "ended", endedAt: end.at });
};
