import { expect, test } from "vitest";
import { createTestClient } from "./testing.ts";

test("a test client answers by the features that the test gives", async () => {
  const client = createTestClient({
    maps: true,
    beta: false,
    exports: 3,
    quality: "high",
    seats: { limit: 5, used: 5 },
    storage: { allowed: false, reason: "payment overdue" },
  });
  expect(await client.isAllowed("ada", "maps")).toBe(true);
  expect(await client.check("ada", "beta")).toMatchObject({
    allowed: false,
    reason: "not included",
  });
  expect(await client.check("ada", "quality")).toMatchObject({ value: "high" });
  expect(await client.check("ada", "exports", { amount: 4 })).toMatchObject({ allowed: false });
  expect(await client.check("ada", "seats")).toMatchObject({ reason: "limit reached", used: 5 });
  expect(await client.check("ada", "storage")).toMatchObject({ reason: "payment overdue" });
  await expect(client.check("ada", "nothing")).rejects.toMatchObject({ code: "not_found" });
  expect(await client.checkAll("ada")).toHaveLength(6);
});

test("a test client counts usage, reserves amounts and gives customers their own features", async () => {
  const client = createTestClient({ exports: 3 });
  expect(await client.consume("ada", "exports", { amount: 2 })).toMatchObject({ remaining: 1 });
  expect(await client.consume("ada", "exports", { amount: 2 })).toMatchObject({
    allowed: false,
    result: "refused",
  });
  const { reservation } = await client.reserve("ada", "exports");
  expect(await client.isAllowed("ada", "exports")).toBe(false);
  await client.release(reservation?.id ?? "");
  expect(await client.isAllowed("ada", "exports")).toBe(true);
  const second = await client.reserve("ada", "exports");
  expect(await client.confirm(second.reservation?.id ?? "")).toMatchObject({ confirmed: 1 });
  await expect(client.release(second.reservation?.id ?? "")).rejects.toMatchObject({ status: 409 });
  client.record("bob", "exports");
  await client.flush();
  expect(client.recorded().map(({ user, amount }) => [user, amount])).toEqual([
    ["ada", 2],
    ["ada", 1],
    ["bob", 1],
  ]);
  client.set("bob", { exports: "unlimited" });
  expect(await client.check("bob", "exports", { amount: 1000 })).toMatchObject({ allowed: true });
});

test("a test client simulates an outage", async () => {
  const client = createTestClient({ maps: true });
  client.setReachable(false);
  expect(await client.check("ada", "maps")).toMatchObject({ allowed: false, source: "fallback" });
  client.setReachable(true);
  expect(await client.isAllowed("ada", "maps")).toBe(true);
});
