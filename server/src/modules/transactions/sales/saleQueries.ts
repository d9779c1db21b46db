import type { Value } from "@purser/contract/fields/values";
import { unitOf } from "#modules/features/queries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { NewTransaction } from "../queries.ts";

const findFeatureNamesSql = statement(
  "transactions.findFeatureNames",
  "select id, name from features where id = any ($1::uuid[])",
);

export const findFeatureNames = async (db: Db, ids: readonly string[]) =>
  new Map(
    (ids.length === 0 ? [] : await run(db, findFeatureNamesSql, [ids])).map(({ id, name }) => [
      id,
      name,
    ]),
  );

const versionFeature = `
  f.id, a.name as app, a.icon, f.name as feature, f.kind, f.reset, f.options, given.value,
    given.per_unit as "perUnit", ${unitOf("f")} as unit
  from version_values given join features f on f.id = given.feature_id join apps a on a.id = f.app_id`;

/** A query of the features of a version, with what their values look like as text. */
export const versionFeaturesOf = (version: string) => `
  select ${versionFeature} where given.version_id = ${version} order by lower(a.name), a.id, f.id`;

type Narrowed = {
  unit: { one: string; many: string } | null;
  options: { code: string; name: string }[];
  value: Value;
};

const findVersionFeaturesSql = statement(
  "transactions.findVersionFeatures",
  versionFeaturesOf("$1"),
).narrow<Narrowed>();

export const findVersionFeatures = (db: Db, versionId: string) =>
  run(db, findVersionFeaturesSql, [versionId]);
export type VersionFeature = Awaited<ReturnType<typeof findVersionFeatures>>[number];

type DuplicatesOf = Record<"userId" | "packageId" | "currency" | "total" | "at", string>;

/** A query of sales within a day that may be duplicates. The arguments are placeholders. */
export const duplicatesOf = ({ userId, packageId, currency, total, at }: DuplicatesOf) => `
  select id, number, occurred_at as "occurredAt" from transactions
  where user_id = ${userId} and package_id = ${packageId} and currency = ${currency} and total = ${total}
    and kind in ('purchase', 'renewal', 'change') and state not in ('voided', 'failed', 'canceled')
    and occurred_at between ${at}::timestamptz - interval '24 hours' and ${at}::timestamptz + interval '24 hours'
  order by occurred_at desc, id desc limit 5`;

const findFeaturesOfVersionsSql = statement(
  "transactions.findFeaturesOfVersions",
  `select given.version_id as "versionId", ${versionFeature} where given.version_id = any ($1::uuid[])
   order by lower(a.name), a.id, f.id`,
).narrow<Narrowed>();

/** As `findVersionFeatures`, for many versions. */
export const findFeaturesOfVersions = async (db: Db, versionIds: readonly string[]) =>
  Map.groupBy(await run(db, findFeaturesOfVersionsSql, [versionIds]), ({ versionId }) => versionId);

const findDuplicatesSql = statement(
  "transactions.findDuplicates",
  duplicatesOf({ userId: "$1", packageId: "$2", currency: "$3", total: "$4", at: "$5" }),
);

/** Sales to the same customer of the same package and amount within a day, which may be duplicates. */
export const findDuplicates = (
  db: Db,
  {
    userId,
    packageId,
    currency,
    total,
    occurredAt,
  }: Pick<NewTransaction, "userId" | "packageId" | "currency" | "total" | "occurredAt">,
) => run(db, findDuplicatesSql, [userId, packageId, currency, total, occurredAt]);

const findReplacedSql = statement(
  "transactions.findReplaced",
  `select g.id as "grantId", p.name, nullif(g.ends_at, 'infinity') as until
   from grants g join packages p on p.id = g.package_id
   where g.subscription_id = $1 and g.ends_at > $2 order by g.starts_at`,
);

/** Grants that end when another package replaces this subscription. */
export const findReplaced = (db: Db, subscriptionId: string, now: Date) =>
  run(db, findReplacedSql, [subscriptionId, now]);

const findCodeIdSql = statement(
  "transactions.findCodeId",
  "select id from promotion_codes where promotion_id = $1 and shown = $2 order by id limit 1",
);

export const findCodeId = async (db: Db, promotionId: string, code: string | null) =>
  (await first(db, findCodeIdSql, [promotionId, code]))?.id ?? null;

const findPromotedFeaturesSql = statement(
  "transactions.findPromotedFeatures",
  `select feature_id as "featureId", value, feature_days as days
   from promotions
   where kind = 'feature' and (id = any ($1::uuid[]) or feature_days is null and id in (
     select promotion_id from redemptions where subscription_id = $2 and returned_at is null))
   order by id`,
).present<"featureId">();

/** Features of these promotions, and the lasting ones of promotions that the subscription redeemed before. */
export const findPromotedFeatures = (
  db: Db,
  promotionIds: readonly string[],
  subscriptionId: string | null,
) => run(db, findPromotedFeaturesSql, [promotionIds, subscriptionId]);

const findLastingFeaturesSql = statement(
  "transactions.findLastingFeatures",
  `select feature_id as "featureId", value from promotions
   where kind = 'feature' and feature_days is null and id in (
     select promotion_id from redemptions where subscription_id = $1 and returned_at is null)
   order by id`,
).present<"featureId">();

/** Features that promotions grant for as long as the subscription lasts. */
export const findLastingFeatures = (db: Db, subscriptionId: string) =>
  run(db, findLastingFeaturesSql, [subscriptionId]);

const paidStates = "'succeeded', 'disputed'";

const paymentsIn = (subscription: string, states: string) => `
  select count(*)::int from transactions t where t.subscription_id = ${subscription}
    and t.kind in ('purchase', 'change', 'renewal') and t.state in (${states})
    and (t.kind = 'renewal' or not exists (select from transactions earlier
      where earlier.subscription_id = t.subscription_id and earlier.period_start < t.period_start
        and earlier.state in (${states})))`;

/**
 * Counts the payments that use up a discount: the one that started the subscription and its renewals.
 * A later period recorded manually is priced without discounts, so it uses none of them up.
 */
const paymentsMade = (subscription: string) => paymentsIn(subscription, paidStates);

/** Includes pending payments. */
export const openPayments = (subscription: string) =>
  paymentsIn(subscription, `${paidStates}, 'pending', 'unknown'`);

const countPaymentsOfSql = statement(
  "transactions.countPaymentsOf",
  `select s.id, (${paymentsMade("s.id")}) as count from unnest($1::uuid[]) as s (id)`,
).narrow<{ id: string; count: number }>();

export const countPaymentsOf = async (db: Db, subscriptionIds: readonly string[]) =>
  new Map(
    (await run(db, countPaymentsOfSql, [subscriptionIds])).map(({ id, count }) => [id, count]),
  );

export const countPayments = async (db: Db, subscriptionId: string) =>
  (await countPaymentsOf(db, [subscriptionId])).get(subscriptionId) ?? 0;

/** Links a redemption to the subscription that replaces another one. */
export const moveRedemption = async (
  db: Db,
  {
    promotionId,
    fromId,
    toId,
    since,
  }: { promotionId: string; fromId: string; toId: string; since: number },
) => {
  await run(
    db,
    `update redemptions set subscription_id = $3, since = $4
     where promotion_id = $1 and subscription_id = $2 and returned_at is null`,
    [promotionId, fromId, toId, since],
  );
};

const findOpenChargesSql = statement(
  "transactions.findOpenCharges",
  `select t.id, t.state, t.currency, current_customer(t.user_id) as "userId" from transactions t
   where (t.subscription_id = $1 and t.kind = 'renewal' and not $3 or t.changes_id = $1)
     and t.state in ('pending', 'failed') and t.id is distinct from $2
   order by t.id for update of t`,
).narrow<{ userId: string; state: "pending" | "failed" }>();

/** Renewals and changes of a subscription that wait for their payment. */
export const findOpenCharges = (
  db: Db,
  subscriptionId: string,
  { exceptId, isOnlyChange }: { exceptId: string | null; isOnlyChange: boolean },
) => run(db, findOpenChargesSql, [subscriptionId, exceptId, isOnlyChange]);

/** A draft becomes a change when it is submitted, if the customer has another package of the group. */
export const setCharge = async (
  db: Db,
  id: string,
  {
    balanceAmount,
    changed,
  }: { balanceAmount: number; changed: { id: string; version: number } | null },
) => {
  await run(
    db,
    `update transactions set kind = $2, balance_amount = $3, changes_id = $4, changes_version = $5 where id = $1`,
    [id, changed ? "change" : "purchase", balanceAmount, changed?.id, changed?.version],
  );
};

const findBaseSql = statement(
  "transactions.findBase",
  `select p.id from grants g join packages p on p.id = g.package_id
   where g.user_id = $1 and p.kind = 'base' and (cardinality($2::text[]) = 0 or p.group_code = any ($2))
     and g.starts_at <= $3 and g.ends_at > $3 limit 1`,
);

/** Whether a customer has a base package of one of these groups, or any if none is named. */
export const hasBase = async (
  db: Db,
  { userId, groups, at }: { userId: string; groups: readonly string[]; at: Date },
) => (await first(db, findBaseSql, [userId, groups, at])) !== undefined;

/** Links a sale and its redemptions to the subscription that it paid for. */
export const setSubscription = async (
  db: Db,
  transactionId: string,
  { subscriptionId, period }: { subscriptionId: string; period: { start: Date; end: Date } | null },
) => {
  await run(
    db,
    `update transactions set subscription_id = $2, period_start = $3, period_end = $4 where id = $1`,
    [transactionId, subscriptionId, period?.start, period?.end],
  );
  await run(
    db,
    "update redemptions set subscription_id = $2 where transaction_id = $1 and returned_at is null",
    [transactionId, subscriptionId],
  );
};
