import { expect, test } from "vitest";
import { measureSlowness, slownessOf } from "./slowness.testing.ts";

test.each([
  ["as fast as the reference", { hashingMs: 200, queryingMs: 70 }, 1],
  ["faster", { hashingMs: 50, queryingMs: 20 }, 1],
  ["with a busy processor", { hashingMs: 2000, queryingMs: 70 }, 10],
  ["with a busy database", { hashingMs: 200, queryingMs: 350 }, 5],
])("a machine %s", (_, took, slowness) => {
  expect(slownessOf(took)).toBe(slowness);
});

test("the measured slowness is at least 1 and is quick to measure", async () => {
  const startedAt = performance.now();
  const slowness = await measureSlowness();
  expect(slowness).toBeGreaterThanOrEqual(1);
  // It takes 270 ms on the reference machine. The limit scales with the measured slowness.
  expect(performance.now() - startedAt).toBeLessThan(1000 * slowness + 1000);
});
