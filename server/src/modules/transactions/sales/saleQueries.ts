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
  new Map((await run(db, findFeatureNamesSql, [ids])).map(({ id, name }) => [id, name]));

const findVersionFeaturesSql = statement(
  "transactions.findVersionFeatures",
  `select a.name as app, a.icon, f.name as feature, f.kind, f.reset, f.options, given.value,
     ${unitOf("f")} as unit
   from version_values given join features f on f.id = given.feature_id join apps a on a.id = f.app_id
   where given.version_id = $1 order by lower(a.name), a.id, f.id`,
).narrow<{
  unit: { one: string; many: string } | null;
  options: { code: string; name: string }[];
  value: Value;
}>();

export const findVersionFeatures = (db: Db, versionId: string) =>
  run(db, findVersionFeaturesSql, [versionId]);

const findDuplicatesSql = statement(
  "transactions.findDuplicates",
  `select id, number, occurred_at as "occurredAt" from transactions
   where user_id = $1 and package_id = $2 and currency = $3 and total = $4
     and kind in ('purchase', 'renewal', 'change') and state not in ('voided', 'failed', 'canceled')
     and occurred_at between $5::timestamptz - interval '24 hours' and $5::timestamptz + interval '24 hours'
   order by occurred_at desc, id desc limit 5`,
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
