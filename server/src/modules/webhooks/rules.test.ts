import { expect, test } from "vitest";
import { nextAttempt, payloadOf, reasonToDisable, retryDelaysMs } from "./rules.ts";

const now = new Date("2026-03-01T10:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

test("delays between attempts grow, and a delivery is given up after about three days", () => {
  expect(nextAttempt(1, now)).toEqual(new Date("2026-03-01T10:00:05Z"));
  expect(nextAttempt(retryDelaysMs.length, now)).toEqual(new Date("2026-03-02T10:00:00Z"));
  expect(nextAttempt(retryDelaysMs.length + 1, now)).toBeNull();
  const sorted = retryDelaysMs.toSorted((a, b) => a - b);
  expect(retryDelaysMs).toEqual(sorted);
  const hours = retryDelaysMs.reduce((sum, one) => sum + one, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(66);
  expect(hours).toBeLessThan(78);
});

test.each([
  ["one failure", { status: 500, isFailed: false, failingSince: now }, null],
  [
    "failing for days, but still retried",
    { status: 500, isFailed: false, failingSince: hoursAgo(60) },
    null,
  ],
  [
    "given up, but others were delivered",
    { status: 500, isFailed: true, failingSince: hoursAgo(2) },
    null,
  ],
  ["gone", { status: 410, isFailed: false, failingSince: now }, /returned 410/],
  ["dead", { status: null, isFailed: true, failingSince: hoursAgo(71) }, /for 71 hours/],
])("decides whether to disable an endpoint: %s", (_name, failure, expected) => {
  const because = reasonToDisable(failure, now);
  if (expected) expect(because).toMatch(expected);
  else expect(because).toBeNull();
});

test("only the body of test mode says that it is one", () => {
  const event = { createdAt: now, userId: "u", externalId: null, seq: 1, data: {} };
  const body = { ...event, type: "entitlements.changed" as const };
  expect(JSON.parse(payloadOf(body, true))).toMatchObject({ test: true });
  expect(JSON.parse(payloadOf(body))).not.toHaveProperty("test");
});

test("the body identifies the customer by IDs only, and a test event has no customer", () => {
  const event = { createdAt: now, externalId: "ext-7", seq: 4, data: { grant: { id: "g" } } };
  expect(JSON.parse(payloadOf({ ...event, type: "entitlements.changed", userId: "u" }))).toEqual({
    type: "entitlements.changed",
    timestamp: "2026-03-01T10:00:00.000Z",
    data: { user: { id: "u", externalId: "ext-7" }, sequence: 4, grant: { id: "g" } },
  });
  const test = payloadOf({ ...event, type: "test", userId: null, data: {} });
  expect(JSON.parse(test)).toEqual({ type: "test", timestamp: now.toISOString(), data: {} });
});
