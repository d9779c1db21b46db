import type { Check } from "@purser/contract/entitlements/explanation";

const hourMs = 3_600_000;

/** A snapshot expires when it was requested to, and before that when one of its grants ends. */
export const expiryOf = (features: readonly Pick<Check, "grants">[], hours: number, now: Date) => {
  const ends = features
    .flatMap(({ grants }) => grants)
    .flatMap(({ endsAt }) => (endsAt === null ? [] : [endsAt.getTime()]))
    .filter((time) => time > now.getTime());
  return new Date(Math.min(now.getTime() + hours * hourMs, ...ends));
};
