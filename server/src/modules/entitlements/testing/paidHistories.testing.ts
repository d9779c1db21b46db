import fc from "fast-check";
import { periodAt } from "#platform/periods.ts";
import type { PaidPeriod, PaidTime } from "../explanation/paidWindows.ts";

export const intervals = ["day", "week", "month", "year"] as const;

type Step = { kind: "wait" | "renew" | "extend" | "pause"; percent: number; days: number };

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("wait", "renew", "extend", "pause"),
  percent: fc.integer({ min: 0, max: 120 }),
  days: fc.integer({ min: 1, max: 60 }),
});

/** What happens to a subscription. Each step is some percent of the time after the one before, until the paid end. */
export const histories = fc.record({
  anchor: fc.date({
    min: new Date("2024-01-01T00:00:00Z"),
    max: new Date("2027-12-31T00:00:00Z"),
    noInvalidDate: true,
  }),
  interval: fc.constantFrom(...intervals),
  intervalCount: fc.integer({ min: 1, max: 4 }),
  zone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"),
  steps: fc.array(step, { maxLength: 6 }),
});

type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

const dayMs = 86_400_000;

/** The newest period. */
export const lastOf = ({ periods }: PaidTime) => periods.at(-1) as PaidPeriod;

const withLast = (paid: PaidTime, last: PaidPeriod): PaidTime => ({
  ...paid,
  periods: [...paid.periods.slice(0, -1), last],
});

const withNext = (paid: PaidTime, next: PaidPeriod): PaidTime => ({
  ...paid,
  periods: [...paid.periods, next],
});

const withPause = (paid: PaidTime, start: Date, ms: number): PaidTime => {
  const moved = (moment: Date) => (moment > start ? new Date(+moment + ms) : moment);
  return {
    ...paid,
    periods: paid.periods.map((one) => ({
      ...one,
      start: moved(one.start),
      end: moved(one.end),
    })),
    pauses: [...paid.pauses, { start, end: new Date(+start + ms) }],
  };
};

/** What the database stores of a subscription after each step. A pause is a step that ends with it. */
export const statesOf = ({ anchor, interval, intervalCount, zone, steps }: History) => {
  const terms = { subscriptionId: "s", package: "Studio", interval, intervalCount, endedAt: null };
  const endAfter = (start: Date) =>
    periodAt({ anchor: start, interval, intervalCount, zone }, 0).end;
  const started: PaidTime = {
    ...terms,
    periods: [{ start: anchor, end: endAfter(anchor), kind: "paid" }],
    pauses: [],
  };
  const first = { paid: started, now: anchor, changedAt: anchor };
  const states: [typeof first, ...(typeof first)[]] = [first];
  const renewed = (paid: PaidTime) => {
    const { start, end, kind } = lastOf(paid);
    return kind === "overdue"
      ? withLast(paid, { start, end: endAfter(end), kind: "paid" })
      : withNext(paid, { start: end, end: endAfter(end), kind: "paid" });
  };
  const extended = (paid: PaidTime, now: Date, ms: number) => {
    const last = lastOf(paid);
    const end = new Date(+last.end + ms);
    return last.kind === "overdue"
      ? withLast(paid, { ...last, end })
      : withNext(paid, { start: last.end, end, kind: now < last.end ? "added" : "overdue" });
  };
  for (const { kind, percent, days } of steps) {
    const { paid, now: before } = states.at(-1) ?? first;
    const last = lastOf(paid);
    const ms = days * dayMs;
    const now = new Date(+before + (Math.max(0, +last.end - +before) * percent) / 100);
    const canPause = now < last.end && last.kind !== "overdue";
    if (kind === "renew") states.push({ paid: renewed(paid), now, changedAt: now });
    else if (kind === "extend") states.push({ paid: extended(paid, now, ms), now, changedAt: now });
    else if (kind === "pause" && canPause)
      states.push({
        paid: withPause(paid, now, ms),
        now: new Date(+now + ms),
        changedAt: now,
      });
    else states.push({ paid, now, changedAt: now });
  }
  return states;
};
