import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { testProduct } from "../../testing.ts";

/** Nothing else runs meanwhile, as with a long calculation. */
const blockFor = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test("R1 /healthz and /readyz answer 200 while the event loop is late and other requests get 503", async () => {
  const { app } = await testProduct({ environment: { OVERLOAD_DELAY_MS: "100" } });
  const statusOf = async (url: string) => (await app.inject({ url })).statusCode;
  const isLate = async () => {
    blockFor(1500);
    // The delay is measured by a timer.
    await setImmediate();
    await setImmediate();
    expect(await statusOf("/api/session")).toBe(503);
  };
  await vi.waitFor(isLate, patiently(20_000));
  expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 200]);
});
