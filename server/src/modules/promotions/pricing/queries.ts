import type { Value } from "@purser/contract/fields/values";
import { type Db, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { normalizeCode } from "../codes.ts";
import {
  type Amounts,
  type Discount,
  durationOf,
  isDiscount,
  type Promotion,
} from "./conditions.ts";

/** A promotion for the pricing rules, and the code that the buyer entered for it. */
export type Considered = {
  promotion: Promotion;
  codeId: string | null;
  code: string | null;
  /** Redeemed before, by the subscription that a change replaces. It isn't redeemed again. */
  isContinuing?: boolean;
};

const byCurrency = (column: string) =>
  `coalesce(jsonb_object_agg(a.currency, a.${column}) filter (where a.${column} is not null), '{}')`;

// $1 is the buyer, $2 the normalized codes.
const considered = statement(
  "promotions.considered",
  `select r.id, r.name, r.kind, r.basis_points as "basisPoints", r.trial_days as "trialDays",
    r.feature_id as "featureId", 'archived' in (f.status, o.status) as "isArchived", r.value, r.feature_days as "featureDays", r.level, r.duration, r.periods,
    r.starts_at as "startsAt", r.ends_at as "endsAt", r.max_uses as "redemptionLimit", r.uses as redemptions,
    r.max_uses_per_user as "redemptionLimitPerCustomer", r.audience, r.intervals, r.stacking, r.priority,
    r.needs_code as "requiresCode", r.published_at as "publishedAt", r.paused_at as "pausedAt",
    r.archived_at as "archivedAt", c.id as "codeId", c.shown as code,
    (select count(*)::int from redemptions u
      where u.promotion_id = r.id and u.user_id = $1 and u.returned_at is null) as "redemptionsByBuyer",
    exists (select from promotion_people l where l.promotion_id = r.id and l.user_id = $1) as "isBuyerListed",
    array(select t.package_id from promotion_packages t where t.promotion_id = r.id) as "packageIds",
    (select jsonb_build_object('off', ${byCurrency("off")}, 'minimum', ${byCurrency("minimum")},
        'cap', ${byCurrency("cap")}, 'budget', ${byCurrency("budget")}, 'given', ${byCurrency("given")})
      from promotion_amounts a where a.promotion_id = r.id) as amounts
  from promotions r
  left join features f on f.id = r.feature_id left join apps o on o.id = f.app_id
  left join lateral (
    select c.id, c.shown from promotion_codes c
    where c.promotion_id = r.id and c.code = any ($2::text[]) and (c.max_uses is null or c.uses < c.max_uses)
    order by c.id limit 1
  ) c on r.needs_code`,
).narrow<{
  value: Value | null;
  redemptionsByBuyer: number;
  amounts: Record<"off" | "minimum" | "cap" | "budget" | "given", Amounts>;
  isBuyerListed: boolean;
  packageIds: string[];
}>();

type Row = RowOf<typeof considered>;

// Automatic promotions are listed only while they can apply, promotions of an entered code always. Their ids are read
// first, from an index each, so that the planner expects few promotions and looks up the feature of each.
const relevant = considered.with(
  `where r.id = any (array(
    select p.id from promotions p where not p.needs_code and p.published_at is not null and p.archived_at is null
      and (p.ends_at > $3 or p.ends_at is null)
    union select c.promotion_id from promotion_codes c where c.code = any ($2::text[])))`,
);
const chosen = considered.with("where r.id = any ($3::uuid[])");

const promotionOf = (row: Row): Promotion => {
  const { kind, amounts, publishedAt, requiresCode, codeId, ...rest } = row;
  const conditions = {
    ...rest,
    isPublished: publishedAt !== null,
    minimum: amounts.minimum,
    code: requiresCode ? { given: codeId !== null } : null,
  };
  const discount = {
    ...conditions,
    duration: durationOf(row),
    cap: amounts.cap,
    budgets: amounts.budget,
    given: amounts.given,
  };
  switch (kind) {
    case "percent":
      return { ...discount, kind, basisPoints: row.basisPoints ?? 0 };
    case "fixed":
      return { ...discount, kind, amounts: amounts.off };
    case "trial":
      return { ...conditions, kind, days: row.trialDays ?? 0 };
    case "feature":
      return {
        ...conditions,
        kind,
        featureId: row.featureId ?? "",
        isArchived: row.isArchived ?? false,
        value: row.value ?? false,
        days: row.featureDays,
      };
  }
};

const consideredOf = (row: Row): Considered => ({
  promotion: promotionOf(row),
  codeId: row.codeId,
  code: row.code,
});

const moments = ["startsAt", "endsAt", "publishedAt", "pausedAt", "archivedAt"] as const;
type Moment = (typeof moments)[number];

/** A considered promotion as JSON, in which times are texts. */
export type ConsideredJson = Omit<Row, Moment> & Record<Moment, string | null>;

/**
 * The promotions to consider for an order as JSON: automatic ones, and those of the entered codes. $1 is the buyer, $2
 * the normalized codes and $3 the time of the order.
 */
export const consideredJson = `(select coalesce(jsonb_agg(to_jsonb(c)), '[]') from (${relevant.text}) c)`;

const momentOf = (text: string | null) => (text === null ? null : new Date(text));

export const consideredOfJson = (row: ConsideredJson): Considered =>
  consideredOf({
    ...row,
    startsAt: momentOf(row.startsAt),
    endsAt: momentOf(row.endsAt),
    publishedAt: momentOf(row.publishedAt),
    pausedAt: momentOf(row.pausedAt),
    archivedAt: momentOf(row.archivedAt),
  });

/** The codes in the form in which they are compared, without those that can't be a code. */
export const comparedCodes = (codes: readonly string[]) =>
  codes.flatMap((typed) => normalizeCode(typed) ?? []);

/** Promotions by ID, whether or not they can apply. */
export const findManyConsidered = async (db: Db, ids: readonly string[], userId: string | null) =>
  (await run(db, chosen, [userId, [], ids])).map(consideredOf);

export const findOneConsidered = async (db: Db, id: string, userId: string | null) =>
  (await findManyConsidered(db, [id], userId))[0];

const findRedeemedSql = statement(
  "promotions.findRedeemed",
  `select promotion_id as id, since from redemptions where subscription_id = $1 and returned_at is null`,
);

/**
 * The promotions redeemed for a subscription, at its purchase or later, each with the number of payments before it.
 * Restored redemptions are left out.
 */
export const findRedeemedPromotions = async (db: Db, subscriptionId: string) => {
  const used = await run(db, findRedeemedSql, [subscriptionId]);
  const since = new Map(used.map((one) => [one.id, one.since]));
  const rows = await run(db, chosen, [null, [], [...since.keys()]]);
  return rows
    .map(promotionOf)
    .map((promotion) => ({ ...promotion, since: since.get(promotion.id) ?? 0 }));
};

const findRedeemedOfSql = statement(
  "promotions.findRedeemedOf",
  `select subscription_id as "subscriptionId", promotion_id as id, since from redemptions
   where subscription_id = any ($1::uuid[]) and returned_at is null`,
).present<"subscriptionId">();

/** The redeemed promotions that take money off, for many subscriptions. Returns a function that finds those of one. */
export const findRedeemedOf = async (db: Db, subscriptionIds: readonly string[]) => {
  const used = await run(db, findRedeemedOfSql, [subscriptionIds]);
  const ids = [...new Set(used.map(({ id }) => id))];
  const rows = ids.length > 0 ? await run(db, chosen, [null, [], ids]) : [];
  const discounts = new Map(
    rows
      .map(promotionOf)
      .filter(isDiscount)
      .map((promotion) => [promotion.id, promotion]),
  );
  const redeemed = new Map<string, Map<string, Discount & { since: number }>>();
  for (const { subscriptionId, id, since } of used) {
    const promotion = discounts.get(id);
    if (!promotion) continue;
    const own = redeemed.get(subscriptionId) ?? new Map();
    redeemed.set(subscriptionId, own.set(id, { ...promotion, since }));
  }
  return (subscriptionId: string) => [...(redeemed.get(subscriptionId)?.values() ?? [])];
};

/** A query of the codes that promotions have, out of some normalized ones. */
export const knownCodesOf = (codes: string) =>
  `select code from promotion_codes where code = any (${codes}::text[])`;

const findKnownCodesSql = statement("promotions.findKnownCodes", knownCodesOf("$1"));

/** The codes that no promotion has, as entered. */
export const unknownCodesOf = (codes: readonly string[], known: readonly string[]) =>
  codes.filter((typed) => !known.some((code) => code === normalizeCode(typed)));

export const findUnknownCodes = async (db: Db, codes: readonly string[]) => {
  const known = await run(db, findKnownCodesSql, [comparedCodes(codes)]);
  return unknownCodesOf(
    codes,
    known.map(({ code }) => code),
  );
};

/** What audiences depend on, for the buyer $1. A buyer without an ID is new. */
export const buyerColumns = `
  exists (select from grants where user_id = $1) as "hasHeldAnything",
  exists (select from transactions where user_id = $1 and kind in ('purchase', 'change')
    and state in ('succeeded', 'disputed', 'pending')) as "hasPaid"`;
