import { isDeepStrictEqual } from "node:util";
import {
  type GrantLimit,
  grantingRoles,
  type SettingsDetails,
} from "@purser/contract/workspace/settings";

export type RefundLimits = Pick<
  SettingsDetails,
  "refundLimits" | "refundDailyLimits" | "refundCustomerLimits"
>;

/** The limits of one currency, or null if it has none. The limit of a refund applies to sums without their own. */
export const limitsIn = (
  currency: string,
  { refundLimits, refundDailyLimits, refundCustomerLimits }: RefundLimits,
) => {
  const perSale = refundLimits[currency];
  if (perSale === undefined) return null;
  return {
    perSale,
    perDay: refundDailyLimits[currency] ?? perSale,
    perCustomer: refundCustomerLimits[currency] ?? perSale,
  };
};

type Ruled = Pick<SettingsDetails, "approvalRules" | "refundLimits">;

const missingIn = ({ approvalRules, refundLimits }: Ruled, used: readonly string[]) =>
  approvalRules.includes("refund") ? used.filter((code) => !(code in refundLimits)) : [];

/**
 * Currencies in use that would be without a limit. Those that already are don't prevent other changes, because
 * their refunds require approval anyway.
 */
export const newlyMissing = (
  before: Ruled,
  after: Ruled,
  { usedBefore, usedAfter }: Record<"usedBefore" | "usedAfter", readonly string[]>,
) => {
  const known = missingIn(before, usedBefore);
  return missingIn(after, usedAfter).filter((code) => !known.includes(code));
};

export type Change = { before: SettingsDetails; after: SettingsDetails };

const loses = <T>(before: readonly T[], after: readonly T[]) =>
  before.some((one) => !after.includes(one));

/** Groups that come before the last one with the owner role decide who becomes an owner. */
const ownerGroups = ({ signInGroups }: SettingsDetails) =>
  signInGroups.slice(0, signInGroups.findLastIndex(({ role }) => role === "owner") + 1);

const raisesLimits = ({ before, after }: Change) =>
  before.approvalRules.includes("refund") &&
  Object.keys(after.refundLimits).some((currency) => {
    const was = limitsIn(currency, before);
    const is = limitsIn(currency, after);
    if (!is || !was) return is !== null;
    return is.perSale > was.perSale || is.perDay > was.perDay || is.perCustomer > was.perCustomer;
  });

const exceeds = (is: GrantLimit, was: GrantLimit) => {
  const isLonger = was.days !== null && (is.days === null || is.days > was.days);
  const hasMore =
    was.packages.length > 0 && (is.packages.length === 0 || loses(is.packages, was.packages));
  return isLonger || hasMore;
};

const raisesGrants = ({ before, after }: Change) =>
  before.approvalRules.includes("grant") &&
  grantingRoles.some((role) => {
    const was = before.grantLimits[role];
    const is = after.grantLimits[role];
    return is !== undefined && (was === undefined || exceeds(is, was));
  });

/** Whether what shows a break-in would be removed sooner, or without an archive. */
const forgetsSooner = ({ before: { retention: was }, after: { retention: is } }: Change) =>
  is.signInDays < was.signInDays || (was.archiveMonths && !is.archiveMonths);

/**
 * Whether a change loosens a rule, a limit, two-factor authentication or sign-in, removes the sign-in log sooner, or
 * changes who becomes an owner.
 */
export const isLoosening = (change: Change) => {
  const { before, after } = change;
  return (
    loses(before.approvalRules, after.approvalRules) ||
    raisesLimits(change) ||
    raisesGrants(change) ||
    after.waitingHours < before.waitingHours ||
    loses(before.twoFactorRoles, after.twoFactorRoles) ||
    after.twoFactorGraceDays > before.twoFactorGraceDays ||
    (after.passwordsAllowed && !before.passwordsAllowed) ||
    forgetsSooner(change) ||
    !isDeepStrictEqual(ownerGroups(before), ownerGroups(after))
  );
};
