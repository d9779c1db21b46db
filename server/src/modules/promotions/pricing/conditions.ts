import type { Value } from "@purser/contract/fields/values";
import type { Price } from "@purser/contract/packages/prices";
import type { PromotionDetails } from "@purser/contract/promotions/endpoints";

/** Minor units by currency. */
export type Amounts = Readonly<Record<string, number>>;

/** A package at one of its prices. */
export type Line = Price & { packageId: string; versionId?: string; trialDays: number };

/** What audiences depend on. */
export type Buyer = { hasHeldAnything: boolean; hasPaid: boolean };

export type Duration =
  | { kind: "once" }
  | { kind: "periods"; periods: number }
  | { kind: "forever" };

export const durationOf = ({
  duration,
  periods,
}: Pick<PromotionDetails, "duration" | "periods">): Duration =>
  duration === "periods" ? { kind: duration, periods: periods ?? 1 } : { kind: duration };

type Conditions = {
  id: string;
  name: string;
  isPublished: boolean;
  pausedAt: Date | null;
  archivedAt: Date | null;
  startsAt: Date | null;
  endsAt: Date | null;
  redemptionLimit: number | null;
  redemptions: number;
  redemptionLimitPerCustomer: number | null;
  redemptionsByBuyer: number;
  /** Compared with the subtotal of the lines that the promotion applies to. */
  minimum: Amounts;
  audience: "anyone" | "new" | "existing" | "listed" | "first purchase";
  isBuyerListed: boolean;
  /** If empty, the promotion applies to all packages. */
  packageIds: readonly string[];
  intervals: readonly Price["interval"][];
  stacking: "exclusive" | "stackable";
  /** Higher comes first. */
  priority: number;
  /** Null if no code is required, otherwise whether the buyer entered a valid one. */
  code: { given: boolean } | null;
};

/** A promotion that takes money off. */
export type Discount = Conditions &
  ({ kind: "percent"; basisPoints: number } | { kind: "fixed"; amounts: Amounts }) & {
    level: "line" | "order";
    duration: Duration;
    /** The maximum discount of one redemption. */
    cap: Amounts;
    /** The maximum discount of all redemptions together, and what they took off so far. */
    budgets: Amounts;
    given: Amounts;
  };

export type Promotion =
  | Discount
  | (Conditions & { kind: "trial"; days: number })
  | (Conditions & {
      kind: "feature";
      featureId: string;
      /** Whether the feature or its app is archived. */
      isArchived: boolean;
      value: Value;
      days: number | null;
    });

/** Why a promotion doesn't apply. */
export type Reason =
  | "draft"
  | "archived"
  | "feature archived"
  | "paused"
  | "not started"
  | "ended"
  | "used up"
  | "code"
  | "used by buyer"
  | "audience"
  | "package"
  | "interval"
  | "currency"
  | "minimum"
  | "nothing left"
  | "budget"
  | "beaten"
  | "over";

export const isDiscount = (promotion: Promotion): promotion is Discount =>
  promotion.kind === "percent" || promotion.kind === "fixed";

type Targets = Pick<Conditions, "packageIds" | "intervals">;

const hasPackage = ({ packageIds }: Targets, { packageId }: Pick<Line, "packageId">) =>
  packageIds.length === 0 || packageIds.includes(packageId);

const hasInterval = ({ intervals }: Targets, { interval }: Pick<Line, "interval">) =>
  intervals.length === 0 || intervals.includes(interval);

/** Whether a promotion applies to a line. */
export const appliesTo = (targets: Targets, line: Line) =>
  hasPackage(targets, line) && hasInterval(targets, line);

/** Why a redeemed promotion doesn't continue in another package, or null. */
export const refusalToContinue = (
  promotion: Promotion,
  line: Pick<Line, "packageId" | "interval" | "currency">,
): "package" | "interval" | "currency" | null => {
  if (!hasPackage(promotion, line)) return "package";
  if (!hasInterval(promotion, line)) return "interval";
  return promotion.kind === "fixed" && !(line.currency in promotion.amounts) ? "currency" : null;
};

export type Order = {
  lines: readonly Line[];
  promotions: readonly Promotion[];
  buyer: Buyer;
  at: Date;
};

const refusalByStatus = (promotion: Promotion, at: Date): Reason | null => {
  if (!promotion.isPublished) return "draft";
  if (promotion.archivedAt) return "archived";
  if (promotion.kind === "feature" && promotion.isArchived) return "feature archived";
  if (promotion.pausedAt) return "paused";
  if (promotion.startsAt && at < promotion.startsAt) return "not started";
  if (promotion.endsAt && at >= promotion.endsAt) return "ended";
  return null;
};

const isInAudience = ({ audience, isBuyerListed }: Promotion, buyer: Buyer) => {
  switch (audience) {
    case "anyone":
      return true;
    case "new":
      return !buyer.hasHeldAnything;
    case "existing":
      return buyer.hasHeldAnything;
    case "listed":
      return isBuyerListed;
    case "first purchase":
      return !buyer.hasPaid;
  }
};

const refusalByBuyer = (promotion: Promotion, buyer: Buyer): Reason | null => {
  const { redemptions, redemptionLimit, redemptionsByBuyer, redemptionLimitPerCustomer, code } =
    promotion;
  if (redemptionLimit !== null && redemptions >= redemptionLimit) return "used up";
  if (code && !code.given) return "code";
  if (redemptionLimitPerCustomer !== null && redemptionsByBuyer >= redemptionLimitPerCustomer)
    return "used by buyer";
  return isInAudience(promotion, buyer) ? null : "audience";
};

/** A promotion that is limited in some currencies must not be unlimited in the others. */
const isForCurrency = (promotion: Promotion, currency: string) => {
  const limits = isDiscount(promotion)
    ? [promotion.minimum, promotion.cap, promotion.budgets]
    : [promotion.minimum];
  return (
    limits.every((amounts) => Object.keys(amounts).length === 0 || currency in amounts) &&
    (promotion.kind !== "fixed" || currency in promotion.amounts)
  );
};

const refusalByLines = (promotion: Promotion, lines: readonly Line[]): Reason | null => {
  const withPackage = lines.filter((line) => hasPackage(promotion, line));
  const targeted = withPackage.filter((line) => hasInterval(promotion, line));
  const [line] = targeted;
  if (withPackage.length === 0) return "package";
  if (!line) return "interval";
  if (!isForCurrency(promotion, line.currency)) return "currency";
  const subtotal = targeted.reduce((sum, { amount }) => sum + amount, 0);
  return subtotal < (promotion.minimum[line.currency] ?? 0) ? "minimum" : null;
};

/** Why a promotion can't be used for an order, or null. Ignores other promotions. */
export const refusalToUse = (
  promotion: Promotion,
  { lines, buyer, at }: Omit<Order, "promotions">,
): Reason | null =>
  refusalByStatus(promotion, at) ??
  refusalByBuyer(promotion, buyer) ??
  refusalByLines(promotion, lines);
