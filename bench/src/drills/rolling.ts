import { setTimeout as wait } from "node:timers/promises";
import type { RunningServer } from "../setup/processes.ts";
import { startProduct } from "../setup/product.ts";
import { startBalancer } from "./balancer.ts";
import { startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";
import { lostOf, startLoad, untilAcknowledged } from "./load.ts";

/** R2: two servers behind a load balancer are restarted one after the other under load. */
export const drillRolling = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("rolling");
  await using cluster = await startCluster();
  const { settings, cookie } = await install(cluster, signal);
  const slots: (RunningServer | null)[] = [
    await startProduct(settings, signal),
    await startProduct(settings, signal),
  ];
  const balancer = await startBalancer(
    slots.map((_, place) => ({ current: () => slots[place] ?? null })),
  );
  const load = startLoad({ origins: () => [balancer.origin], cookie });
  await untilAcknowledged(load, 100);
  for (const round of [1, 2])
    for (const place of [0, 1]) {
      const old = slots[place];
      await old?.[Symbol.asyncDispose]();
      slots[place] = await startProduct(settings, signal);
      // The balancer has to see the new one before the other stops.
      await wait(2500);
      say(`round ${round}: restarted server ${place + 1}`);
    }
  await untilAcknowledged(load, 50);
  await load.stop();
  balancer.stop();
  const lost = await lostOf(load, (text) => cluster.query(text, "purser"));
  for (const server of slots) await server?.[Symbol.asyncDispose]();
  for (const { what } of load.failures.slice(0, 5)) say(`failed: ${what}`);
  expect(`${load.failures.length} of ${load.attempts} requests failed`, load.failures.length === 0);
  expect(
    `${lost.length} of ${load.acknowledged.length} acknowledged changes lost`,
    lost.length === 0,
  );
  end();
};
