import type { Answer, Check, Fallback, Source } from "./types.ts";

/** The answer for an amount, from the answer for one. Null if only Purser knows it. */
export const answerFor = (check: Check, amount: number): Check | null => {
  const { allowed, remaining, enforcement } = check;
  if (amount === 1 || !allowed || remaining === null || remaining >= amount) return check;
  if (!enforcement) return null;
  return enforcement === "soft"
    ? { ...check, reason: "over soft limit" }
    : {
        ...check,
        allowed: false,
        reason: remaining === 0 ? "limit reached" : "amount exceeds remaining",
      };
};

export const answerFrom = (check: Check, source: Source): Answer => ({ ...check, source });

/** What applies if there is no answer to use. */
export const fallbackAnswer = (code: string, fallback: Fallback, now: number): Answer => ({
  feature: { code, kind: "switch" },
  allowed: fallback === "allow",
  reason: "unreachable",
  value: null,
  limit: null,
  used: null,
  remaining: null,
  resetsAt: null,
  grants: [],
  asOf: new Date(now).toISOString(),
  fallback,
  source: "fallback",
});
