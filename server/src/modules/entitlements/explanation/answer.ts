import type { AnswerReason, NotAppliedReason } from "@purser/contract/entitlements/explanation";
import { rankOf, type Value } from "@purser/contract/fields/values";
import type { Message } from "@purser/contract/messages/message";
import { entitledTo, type Feature } from "#modules/packages/entitle.ts";
import { message } from "#platform/messages.ts";

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
};

export type Facts<Grant extends GrantFacts> = {
  at: Date;
  status: UserStatus;
  /** A draft gives no access, and neither does a suspended app. An archived one does. */
  app: { isDraft: boolean; isSuspended: boolean };
  feature: Feature & { enforcement: "hard" | "soft" };
  grants: readonly Grant[];
  /** The usage since the last reset, or null for past moments. */
  used: number | null;
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

type Window = { start: Date | null; end: Date | null };

/** The period in which usage is counted, in UTC. Without a start, it covers all time. */
export const windowAt = ({ kind, reset }: Pick<Feature, "kind" | "reset">, at: Date): Window => {
  if (kind !== "metered" || reset === null || reset === "never") return { start: null, end: null };
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  // The API can't write dates after the year 9999.
  const between = (start: number, end: number) => ({
    start: new Date(start),
    end: end < Date.UTC(10_000, 0) ? new Date(end) : null,
  });
  const monday = day - ((at.getUTCDay() + 6) % 7);
  switch (reset) {
    case "hour": {
      const start = Date.UTC(year, month, day, at.getUTCHours());
      return between(start, start + 3_600_000);
    }
    case "day":
      return between(Date.UTC(year, month, day), Date.UTC(year, month, day + 1));
    case "week":
      return between(Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7));
    case "month":
      return between(Date.UTC(year, month), Date.UTC(year, month + 1));
    case "year":
      return between(Date.UTC(year, 0), Date.UTC(year + 1, 0));
  }
};

const reasonIfAllowed = (isGranted: boolean): AnswerReason => (isGranted ? "granted" : "default");

/** What remains of a limit, and whether one more use is allowed. */
const quantityOf = <Grant extends GrantFacts>(
  { feature, used, at }: Facts<Grant>,
  value: Value,
  isGranted: boolean,
) => {
  const resetsAt = windowAt(feature, at).end;
  if (typeof value !== "number")
    return {
      allowed: true,
      reason: reasonIfAllowed(isGranted),
      limit: null,
      used,
      remaining: null,
      resetsAt,
    };
  const remaining = used === null ? null : Math.max(0, value - used);
  const counted = { limit: value, used, remaining, resetsAt };
  if (value === 0) return { allowed: false, reason: "not granted" as const, ...counted };
  if (remaining !== 0) return { allowed: true, reason: reasonIfAllowed(isGranted), ...counted };
  return feature.enforcement === "soft"
    ? { allowed: true, reason: "over limit" as const, ...counted }
    : { allowed: false, reason: "used up" as const, ...counted };
};

/**
 * The entitlement of a customer to a feature at a moment, and why. The only place that decides it: explanations,
 * checks of sold apps and test checks all show this answer.
 */
export const answerOf = <Grant extends GrantFacts>(facts: Facts<Grant>): Answer<Grant> => {
  const { feature, status, app } = facts;
  const judged = judge(facts);
  if (status === "suspended" || status === "erased") return { ...nothing, reason: status, judged };
  if (app.isSuspended) return { ...nothing, reason: "app suspended", judged };
  if (app.isDraft) return { ...nothing, reason: "app inactive", judged };
  const counted = judged.filter(({ notApplied }) => notApplied === null);
  const isGranted = counted.length > 0;
  const value = entitledTo(
    feature,
    counted.map(({ grant }) => grant.value),
  );
  if (feature.kind === "limit" || feature.kind === "metered")
    return { ...quantityOf(facts, value, isGranted), value, judged };
  const allowed = value !== false;
  const reason = allowed ? reasonIfAllowed(isGranted) : "not granted";
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
  if (reason === "suspended")
    return message("value_rule_suspended", "Suspended customers have no access.");
  if (reason === "erased") return message("value_rule_erased", "Erased customers have no access.");
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
