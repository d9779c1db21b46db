import type { AnswerReason, NotAppliedReason } from "@purser/contract/entitlements/explanation";
import type { FeatureStatus } from "@purser/contract/features/fields";
import { isCounted, rankOf, type Value } from "@purser/contract/fields/values";
import type { Message } from "@purser/contract/messages/message";
import { entitledTo, type Feature } from "#modules/packages/entitle.ts";
import { message } from "#platform/messages.ts";

export type SubscriptionStatus = "trialing" | "active" | "past due" | "paused" | "ending" | "ended";

export type UserStatus = "invited" | "active" | "suspended" | "erased";

/** What decides whether a grant applies, as known at the requested moment. */
export type GrantFacts = {
  value: Value;
  startsAt: Date;
  /** Null means no end. */
  endsAt: Date | null;
  promisedUntil: Date | null;
  isRevoked: boolean;
  isTransferred: boolean;
  isSuperseded: boolean;
  /** Of its subscription. Null without one. */
  subscriptionStatus: SubscriptionStatus | null;
};

export type Facts<Grant extends GrantFacts> = {
  at: Date;
  status: UserStatus;
  /** A draft gives no access, and neither does a suspended app. An archived one does. */
  app: { isDraft: boolean; isSuspended: boolean };
  feature: Feature & { enforcement: "hard" | "soft"; status: FeatureStatus };
  grants: readonly Grant[];
  /** The usage since the last reset, or null for past moments. */
  used: number | null;
  /** What apps reserved and haven't used yet. */
  reserved: number;
  resetsAt: Date | null;
  /** How much the app asks for. */
  amount: number;
};

type Judged<Grant> = { grant: Grant; notApplied: NotAppliedReason | null };

export type Answer<Grant> = {
  allowed: boolean;
  reason: AnswerReason;
  value: Value | null;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  judged: Judged<Grant>[];
};

const isActive = ({ startsAt, endsAt }: GrantFacts, at: Date) =>
  startsAt <= at && (endsAt === null || endsAt > at);

/** Why a grant isn't active at a moment. */
const absenceOf = (grant: GrantFacts, at: Date): NotAppliedReason => {
  const { startsAt, endsAt, promisedUntil, isRevoked, isTransferred, isSuperseded } = grant;
  if (isTransferred) return "transferred";
  if (isRevoked) return "revoked";
  if (isSuperseded) return "superseded";
  const isCutShort = endsAt !== null && (promisedUntil === null || endsAt < promisedUntil);
  if (startsAt > at && !(isCutShort && +startsAt === +endsAt)) return "not started";
  return isCutShort ? "shortened" : "ended";
};

const judge = <Grant extends GrantFacts>({ at, status, app, feature, grants }: Facts<Grant>) => {
  const best = Math.max(
    ...grants.filter((grant) => isActive(grant, at)).map((grant) => rankOf(feature, grant.value)),
  );
  const whyNot = (grant: Grant): NotAppliedReason | null => {
    if (!isActive(grant, at)) return absenceOf(grant, at);
    if (status === "suspended" || status === "erased") return status;
    if (app.isSuspended) return "app suspended";
    if (feature.combining === "sum") return null;
    return rankOf(feature, grant.value) < best ? "smaller" : null;
  };
  return grants.map((grant) => ({ grant, notApplied: whyNot(grant) }));
};

const nothing = {
  allowed: false,
  value: null,
  limit: null,
  used: null,
  remaining: null,
  resetsAt: null,
};

const reasonIfAllowed = (isGranted: boolean): AnswerReason => (isGranted ? "granted" : "default");

const isPromised = ({ isTransferred, isSuperseded }: GrantFacts) => !isTransferred && !isSuperseded;

/** Why a customer without access doesn't have it: what became of their last grant, or when the next one starts. */
const lapseOf = <Grant extends GrantFacts>({ at, feature, grants }: Facts<Grant>): AnswerReason => {
  const own = grants.filter((grant) => isPromised(grant) && !isActive(grant, at));
  if (own.some((grant) => absenceOf(grant, at) === "not started")) return "not started";
  const [last] = own.toSorted((one, other) => Number(other.endsAt) - Number(one.endsAt));
  if (!last) return feature.status === "archived" ? "feature archived" : "not included";
  if (last.isRevoked) return "revoked";
  if (last.subscriptionStatus === "paused") return "paused";
  return last.subscriptionStatus === "past due" ? "payment overdue" : "expired";
};

/** What remains of a limit, and whether the amount is allowed. */
const quantityOf = <Grant extends GrantFacts>(
  facts: Facts<Grant>,
  value: Value,
  isGranted: boolean,
) => {
  const { feature, used, reserved, amount, resetsAt } = facts;
  if (typeof value !== "number")
    return {
      allowed: true,
      reason: "unlimited" as const,
      limit: null,
      used,
      remaining: null,
      resetsAt,
    };
  const remaining = used === null ? null : Math.max(0, value - used - reserved);
  const counted = { limit: value, used, remaining, resetsAt };
  if (value === 0)
    return {
      allowed: false,
      reason: isGranted ? ("not included" as const) : lapseOf(facts),
      ...counted,
    };
  if (remaining === null || remaining >= amount)
    return { allowed: true, reason: reasonIfAllowed(isGranted), ...counted };
  if (feature.enforcement === "soft")
    return { allowed: true, reason: "over soft limit" as const, ...counted };
  const reason =
    remaining === 0 ? ("limit reached" as const) : ("amount exceeds remaining" as const);
  return { allowed: false, reason, ...counted };
};

/**
 * The entitlement of a customer to a feature at a moment, and why. The only place that decides it: explanations,
 * checks of sold apps and test checks all show this answer.
 */
export const answerOf = <Grant extends GrantFacts>(facts: Facts<Grant>): Answer<Grant> => {
  const { feature, status, app } = facts;
  const judged = judge(facts);
  if (status === "suspended" || status === "erased")
    return { ...nothing, reason: `customer ${status}`, judged };
  if (app.isSuspended) return { ...nothing, reason: "app suspended", judged };
  if (app.isDraft) return { ...nothing, reason: "app inactive", judged };
  const counted = judged.filter(({ notApplied }) => notApplied === null);
  const isGranted = counted.length > 0;
  const value = entitledTo(
    feature,
    counted.map(({ grant }) => grant.value),
  );
  if (isCounted(feature)) return { ...quantityOf(facts, value, isGranted), value, judged };
  const allowed = value !== false;
  const reason = allowed ? reasonIfAllowed(isGranted) : isGranted ? "not included" : lapseOf(facts);
  return { ...nothing, allowed, reason, value, judged };
};

/** When the value changes next if nothing else happens, and which of its grants end then. */
export const changeAfter = <Grant extends GrantFacts>(
  facts: Facts<Grant>,
  answer: Answer<Grant>,
) => {
  const grants = facts.grants.filter(({ endsAt }) => endsAt === null || endsAt > facts.at);
  const moments = grants
    .flatMap(({ startsAt, endsAt }) => [startsAt, ...(endsAt ? [endsAt] : [])])
    .filter((moment) => moment > facts.at)
    .toSorted((one, other) => +one - +other);
  let before = answer;
  for (const at of moments) {
    const after = answerOf({ ...facts, grants, at });
    if (after.value !== before.value) {
      const counted = before.judged.filter(({ notApplied }) => notApplied === null);
      const ending = counted
        .map(({ grant }) => grant)
        .filter(({ endsAt }) => endsAt && endsAt <= at);
      return { at, ending };
    }
    before = after;
  }
  return null;
};

/** The rule that determined the value. */
export const ruleOf = (
  { kind, combining }: Pick<Feature, "kind" | "combining">,
  { reason, judged }: Pick<Answer<unknown>, "reason" | "judged">,
): Message => {
  if (reason === "customer suspended")
    return message("value_rule_suspended", "Suspended customers have no access.");
  if (reason === "customer erased")
    return message("value_rule_erased", "Erased customers have no access.");
  if (reason === "app inactive")
    return message("value_rule_app_draft", "Draft apps give no access.");
  if (reason === "app suspended")
    return message("value_rule_app_suspended", "Suspended apps give no access.");
  if (judged.every(({ notApplied }) => notApplied !== null))
    return message("value_rule_default", "Default value, because no package includes it.");
  if (kind === "switch") return message("value_rule_switch", "On if any grant turns it on.");
  if (kind === "choice") return message("value_rule_highest", "The highest option applies.");
  return combining === "sum"
    ? message("value_rule_sum", "The values are added together.")
    : message("value_rule_largest", "The largest value applies.");
};
