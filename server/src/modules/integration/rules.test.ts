import { expect, test } from "vitest";
import { bucketOf, bucketsCount, haveDenialsRisen, percentileOf, startOf } from "./rules.ts";
import { type Asked, addBack, count, nothingCounted, rowsMax } from "./tally.ts";

const latenciesOf = (...durations: number[]) => {
  const latencies = new Array<number>(bucketsCount).fill(0);
  for (const duration of durations) {
    const bucket = bucketOf(duration);
    latencies[bucket] = (latencies[bucket] ?? 0) + 1;
  }
  return latencies;
};

test.each([
  [[], 0.5, null],
  [[0.9], 0.5, 0.88],
  [[0.9, 0.9, 0.9, 90], 0.5, 0.92],
  [[0.9, 0.9, 0.9, 90], 0.99, 98.4],
  [[9000], 0.5, 5000],
])("of %j the part %d took at most %j ms", (durations, part, expected) => {
  expect(percentileOf(latenciesOf(...durations), part)).toBe(expected);
});

test.each([
  ["hour", "2026-06-15T11:31:00.000Z"],
  ["day", "2026-06-14T13:00:00.000Z"],
  ["month", "2026-05-16T13:00:00.000Z"],
] as const)("the last %s starts at %s", (period, from) => {
  expect(startOf(period, new Date("2026-06-15T12:30:45Z")).toISOString()).toBe(from);
});

test.each([
  [{ checks: 1000, denied: 99 }, { checks: 6000, denied: 0 }, false],
  [{ checks: 1000, denied: 100 }, { checks: 6000, denied: 60 }, true],
  [{ checks: 1000, denied: 100 }, { checks: 0, denied: 0 }, false],
  // More checks, and the same part of them denied.
  [{ checks: 9000, denied: 900 }, { checks: 600, denied: 60 }, false],
  [{ checks: 1000, denied: 400 }, { checks: 1000, denied: 250 }, false],
  [{ checks: 10_000, denied: 300 }, { checks: 10_000, denied: 100 }, false],
])("of %j after %j it is %j that denials have risen", (day, before, expected) => {
  expect(haveDenialsRisen(day, before)).toBe(expected);
});

const asked = (more: Partial<Asked>): Asked => ({
  app: "app",
  key: "key",
  feature: "exports",
  reason: "not included",
  isAllowed: false,
  customer: "customer",
  at: new Date("2026-06-15T12:30:00Z"),
  zone: "UTC",
  durationMs: 1,
  ...more,
});

test("memory is bounded, and nothing of the total is lost", () => {
  const counted = nothingCounted();
  const total = 3 * rowsMax;
  for (let n = 0; n < total; n += 1)
    count(counted, asked({ feature: `feature-${n}`, customer: `customer-${n}` }));
  expect(counted.counts.size).toBeLessThanOrEqual(rowsMax + 2);
  expect(counted.denials.size).toBe(rowsMax);
  const minutes = [...counted.counts.values()].filter(({ resolution }) => resolution === "minute");
  expect(minutes.reduce((sum, { checks }) => sum + checks, 0)).toBe(total);
  expect([...counted.rates.values()].map(({ checks }) => checks)).toEqual([total, total]);
});

test("of each feature, checks are counted by duration up to the slowest", () => {
  const counted = nothingCounted();
  count(counted, asked({ durationMs: 0.6 }));
  count(counted, asked({ durationMs: 0.1 }));
  count(counted, asked({ durationMs: 0.6 }));
  expect([...counted.counts.values()].map(({ latencies }) => latencies)).toEqual([
    [1, 0, 2],
    [1, 0, 2],
  ]);
});

test("what couldn't be written is added to what was counted since", () => {
  const [unwritten, counted] = [nothingCounted(), nothingCounted()];
  count(unwritten, asked({}));
  count(unwritten, asked({ isAllowed: true, reason: "granted" }));
  count(counted, asked({ at: new Date("2026-06-15T12:30:30Z") }));
  addBack(counted, unwritten);
  expect([...counted.counts.values()].map(({ checks }) => checks).toSorted()).toEqual([1, 1, 2, 2]);
  expect([...counted.counts.values()].map(({ latencies }) => latencies.at(-1)).toSorted()).toEqual([
    1, 1, 2, 2,
  ]);
  expect([...counted.rates.values()]).toMatchObject([
    { checks: 3, denied: 2 },
    { checks: 3, denied: 2 },
  ]);
  expect([...counted.denials.values()]).toMatchObject([{ denials: 2 }]);
});
