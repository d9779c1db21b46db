import type { AnswerReason } from "@purser/contract/entitlements/explanation";
import type { CheckedFeatureSort, IntegrationPeriod } from "@purser/contract/integration/endpoints";

/** Counted instead of a code if an app asks for all of its features, with this reason. */
export const listOfAll = "*";
export const listReason = "listed";

/** What was asked for, from the code that was counted and the name of the feature that has it. */
export const kindOf = (code: string, name: string | undefined) => {
  if (code === listOfAll) return "list" as const;
  if (code === "") return "other" as const;
  return name === undefined ? ("unknown" as const) : ("feature" as const);
};

/** The upper ends of the buckets in milliseconds. The last bucket has none. */
const bucketEnds = [
  0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 20, 35, 60, 100, 250, 500, 1000, 2500, 5000,
] as const;

export const bucketsCount = bucketEnds.length + 1;

export const bucketOf = (durationMs: number) => {
  const found = bucketEnds.findIndex((end) => durationMs <= end);
  return found === -1 ? bucketEnds.length : found;
};

/** Adds the checks of each bucket. The shorter list has none in the further ones. */
export const addLatencies = (one: readonly number[], other: readonly number[]) => {
  const [longer, shorter] = one.length >= other.length ? [one, other] : [other, one];
  return longer.map((count, bucket) => count + (shorter[bucket] ?? 0));
};

/** The duration that a part of the checks didn't exceed, evenly spread within its bucket. Null without checks. */
export const percentileOf = (latencies: readonly number[], part: number) => {
  const all = latencies.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let before = 0;
  for (const [bucket, count] of latencies.entries()) {
    if (count > 0 && before + count >= all * part) {
      const start = bucketEnds[bucket - 1] ?? 0;
      const end = bucketEnds[bucket] ?? start;
      const exact = start + ((end - start) * (all * part - before)) / count;
      return Math.round(exact * 100) / 100;
    }
    before += count;
  }
  return bucketEnds.at(-1) ?? null;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The rows of a period, how many of them, and how many are one point of its chart. */
export const periods = {
  hour: {
    resolution: "minute",
    rateResolution: "minute",
    rows: 60,
    unitMs: minuteMs,
    pointMs: minuteMs,
  },
  day: {
    resolution: "hour",
    rateResolution: "minute",
    rows: 24,
    unitMs: hourMs,
    pointMs: 30 * minuteMs,
  },
  month: {
    resolution: "hour",
    rateResolution: "hour",
    rows: 720,
    unitMs: hourMs,
    pointMs: 24 * hourMs,
  },
} as const satisfies Record<IntegrationPeriod, object>;

/** The start of a period. It ends now, and starts with a whole minute or hour, so that all its figures agree. */
export const startOf = (period: IntegrationPeriod, now: Date) => {
  const { rows, unitMs } = periods[period];
  return new Date(Math.floor(now.getTime() / unitMs) * unitMs - (rows - 1) * unitMs);
};

export type Rate = { at: Date; checks: number; denied: number; latencies: readonly number[] };

const sumOf = (rates: readonly Rate[]) =>
  rates.reduce(
    (sum, { checks, denied, latencies }) => ({
      checks: sum.checks + checks,
      denied: sum.denied + denied,
      latencies: addLatencies(sum.latencies, latencies),
    }),
    { checks: 0, denied: 0, latencies: [] as readonly number[] },
  );

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** The points of the chart. The last one isn't over yet. */
export const pointsOf = (period: IntegrationPeriod, rates: readonly Rate[], now: Date) => {
  const { pointMs } = periods[period];
  const start = startOf(period, now).getTime();
  const count = Math.floor((now.getTime() - start) / pointMs) + 1;
  const grouped = Map.groupBy(rates, ({ at }) => Math.floor((at.getTime() - start) / pointMs));
  return Array.from({ length: count }, (_, place) => {
    const { checks, denied, latencies } = sumOf(grouped.get(place) ?? []);
    const at = start + place * pointMs;
    // What was counted in the first seconds isn't written yet.
    const seconds = Math.max(10_000, Math.min(pointMs, now.getTime() - at)) / 1000;
    return {
      at: new Date(at),
      checks,
      denied,
      perSecond: rounded(checks / seconds),
      p50: percentileOf(latencies, 0.5),
      p99: percentileOf(latencies, 0.99),
    };
  });
};

/** The sums of a period, and its busiest minute or hour. */
export const totalsOf = (period: IntegrationPeriod, rates: readonly Rate[]) => {
  const { checks, denied, latencies } = sumOf(rates);
  const seconds = periods[period].rateResolution === "minute" ? 60 : 3600;
  const busiest = rates.reduce<Rate | null>(
    (most, one) => (most && most.checks >= one.checks ? most : one),
    null,
  );
  return {
    checks,
    denied,
    peak: busiest && { at: busiest.at, perSecond: rounded(busiest.checks / seconds), seconds },
    latency: {
      p50: percentileOf(latencies, 0.5),
      p95: percentileOf(latencies, 0.95),
      p99: percentileOf(latencies, 0.99),
    },
  };
};

type Count = { feature: string; reason: AnswerReason; isAllowed: boolean; checks: number };

/** The denials by reason, the most frequent first. */
export const reasonsOf = (counts: readonly Count[]) => {
  const denied = counts.filter(({ isAllowed }) => !isAllowed);
  return [...Map.groupBy(denied, ({ reason }) => reason)]
    .map(([reason, own]) => ({ reason, checks: own.reduce((sum, { checks }) => sum + checks, 0) }))
    .toSorted((one, other) => other.checks - one.checks || (one.reason < other.reason ? -1 : 1));
};

/** The features by denials and then by checks. */
export const featuresOf = (counts: readonly Count[]) =>
  [...Map.groupBy(counts, ({ feature }) => feature)]
    .map(([feature, own]) => ({
      code: feature,
      checks: own.reduce((sum, { checks }) => sum + checks, 0),
      denied: own.reduce((sum, { checks, isAllowed }) => sum + (isAllowed ? 0 : checks), 0),
    }))
    .toSorted(
      (one, other) =>
        other.denied - one.denied || other.checks - one.checks || (one.code < other.code ? -1 : 1),
    );

type CheckedCount = Count & { latencies: readonly number[] };

/** The features with their figures, the largest first, and those with equal figures by code. */
export const checkedFeaturesOf = (counts: readonly CheckedCount[], sort: CheckedFeatureSort) => {
  const latencies = Map.groupBy(counts, ({ feature }) => feature);
  const figures = featuresOf(counts).map((one) => {
    const own = latencies.get(one.code) ?? [];
    const durations = own.reduce<readonly number[]>(
      (sum, { latencies: more }) => addLatencies(sum, more),
      [],
    );
    return {
      ...one,
      latency: { p50: percentileOf(durations, 0.5), p99: percentileOf(durations, 0.99) },
      reasons: reasonsOf(own),
    };
  });
  if (sort === "denied") return figures;
  const sizeOf = (one: (typeof figures)[number]) =>
    sort === "checks" ? one.checks : (one.latency.p50 ?? -1);
  return figures.toSorted(
    (one, other) => sizeOf(other) - sizeOf(one) || (one.code < other.code ? -1 : 1),
  );
};

/** The checks a minute, on average. */
export const perMinuteOf = (checks: number, from: Date, now: Date) =>
  rounded((checks * minuteMs) / Math.max(1000, now.getTime() - from.getTime()));

type Share = { checks: number; denied: number };

/** Fewer denials in a day aren't worth a look. */
export const risenFrom = 100;
const timesMore = 2;
const shareMore = 0.05;

/** Whether a much larger part of the checks was denied in the last day than in the six days before. */
export const haveDenialsRisen = (day: Share, before: Share) => {
  if (day.denied < risenFrom || before.checks === 0) return false;
  const [now, earlier] = [day.denied / day.checks, before.denied / before.checks];
  return now >= earlier * timesMore && now >= earlier + shareMore;
};
