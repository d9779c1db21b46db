import type { AnswerReason } from "@purser/contract/entitlements/explanation";
import { type FeatureKind, isCounted } from "@purser/contract/fields/values";
import { lateDaysMax, type UsageRefusal } from "@purser/contract/usage/endpoints";

type Judged = { allowed: boolean; reason: AnswerReason; limit: number | null };
type Counting = { kind: FeatureKind; enforcement: "hard" | "soft" };
type Checked = { customerId: string | null; feature: Counting; answer: Judged };

const dayMs = 86_400_000;

/** Clocks of apps may be a little ahead. */
const aheadMs = 5 * 60_000;

/** A limit may be free again by the time that an event is written, or the event may be a repeated one. */
export const isLimitReached = ({ reason }: Pick<Judged, "reason">) =>
  reason === "limit reached" || reason === "amount exceeds remaining";

type Reported = { amount: number; at: Date };

/** Why an event can't be counted at all, or null. The limit is checked when it is written. */
export const refusalOf = (
  checked: Checked | undefined,
  { amount, at }: Reported,
  now: Date,
): UsageRefusal | null => {
  if (!checked) return "unknown feature";
  if (checked.customerId === null) return "unknown customer";
  if (!isCounted(checked.feature)) return "not counted";
  if (amount < 0 && checked.feature.kind !== "limit") return "negative amount";
  if (at.getTime() < now.getTime() - lateDaysMax * dayMs) return "too late";
  if (at.getTime() > now.getTime() + aheadMs) return "in the future";
  if (amount > 0 && !checked.answer.allowed && !isLimitReached(checked.answer)) return "no access";
  return null;
};

type Amounts = { used: number; reserved: number };

/** The limit that must not be exceeded, or null if there is none or exceeding it is only reported. */
export const boundOf = ({ feature, answer }: Pick<Checked, "feature" | "answer">) =>
  feature.enforcement === "hard" ? answer.limit : null;

/** The answer after something was counted, or wasn't because of the limit. */
export const answerAfter = <
  A extends Judged & { used: number | null; remaining: number | null; grants: readonly unknown[] },
>(
  { feature, answer }: { feature: Counting; answer: A },
  { used, reserved }: Amounts,
  isRefused: boolean,
): A => {
  const { limit } = answer;
  if (limit === null) return { ...answer, used };
  const remaining = Math.max(0, limit - used - reserved);
  const counted = { ...answer, allowed: !isRefused, used, remaining };
  if (isRefused)
    return { ...counted, reason: remaining === 0 ? "limit reached" : "amount exceeds remaining" };
  if (feature.enforcement === "soft" && used + reserved > limit)
    return { ...counted, reason: "over soft limit" };
  if (answer.allowed) return counted;
  // A repeated event that was counted before the limit was reached.
  return { ...counted, reason: answer.grants.length > 0 ? "granted" : "default" };
};
