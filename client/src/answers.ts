import type { Answer, Check, Fallback, Source } from "./types.ts";

/**
 * The answer for an amount, from the answer for one, after own usage that it doesn't include. Null if only Purser knows
 * it.
 */
export const answerFor = (check: Check, amount: number, own = 0): Check | null => {
  const { allowed, remaining, used, enforcement } = check;
  if (!allowed || remaining === null || (own === 0 && remaining >= amount)) return check;
  const left = Math.max(0, remaining - own);
  const lowered = { ...check, used: used === null ? null : used + own, remaining: left };
  if (left >= amount) return lowered;
  if (!enforcement) return amount === 1 && own === 0 ? check : null;
  return enforcement === "soft"
    ? { ...lowered, reason: "over soft limit" }
    : {
        ...lowered,
        allowed: false,
        reason: left === 0 ? "limit reached" : "amount exceeds remaining",
      };
};

export const answerFrom = (check: Check, source: Source): Answer => ({ ...check, source });

/** What is known of a feature that Purser hasn't answered for. */
export const unknownCheck = (feature: Check["feature"], now: number) => ({
  feature,
  value: null,
  limit: null,
  used: null,
  remaining: null,
  resetsAt: null,
  grants: [],
  asOf: new Date(now).toISOString(),
});

/** What applies if there is no answer to use. */
export const fallbackAnswer = (code: string, fallback: Fallback, now: number): Answer => ({
  ...unknownCheck({ code, kind: "switch" }, now),
  allowed: fallback === "allow",
  reason: "unreachable",
  fallback,
  source: "fallback",
});
