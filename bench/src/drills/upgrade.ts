import { setTimeout as wait } from "node:timers/promises";
import { type RunningServer, runPurser } from "../setup/processes.ts";
import { startProduct, startWorker } from "../setup/product.ts";
import { startBalancer } from "./balancer.ts";
import { refusedIn, startCluster } from "./cluster.ts";
import { openReport } from "./installation.ts";
import { installPrevious } from "./previousRelease.ts";
import { salesTraffic, untilSplit } from "./sales.ts";
import { failedIn, requestsIn, sayResults, startTraffic } from "./traffic.ts";

// The balancer asks every second.
const noticedMs = 2500;

/**
 * R6: two servers of the previous release go on while the database is updated, and are then replaced one after the other,
 * under load.
 */
export const drillUpgrade = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("upgrade");
  await using cluster = await startCluster();
  const previous = await installPrevious(cluster, signal);
  previous.purser("seed", "--users", "2000", "--transactions", "20000");
  const slots: (RunningServer | null)[] = [await previous.start(), await previous.start()];
  const balancer = await startBalancer(
    slots.map((_, place) => ({ current: () => slots[place] ?? null })),
  );
  const { cookie, settings } = previous;
  const traffic = startTraffic(
    () => balancer.origin,
    await salesTraffic(cluster, { origin: balancer.origin, cookie }),
  );
  const phases = ["before"];
  const begin = (phase: string) => {
    phases.push(phase);
    traffic.begin(phase);
  };
  await wait(5000);
  begin("migrating");
  const startedAt = performance.now();
  await runPurser(["migrate"], settings, signal);
  say(`migrated in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  begin(`${previous.version} with the new schema`);
  await wait(10_000);
  begin("both releases");
  await using _worker = startWorker(settings);
  for (const place of [0, 1]) {
    const old = slots[place];
    // The previous release doesn't wait for the balancer when it stops.
    slots[place] = null;
    await wait(noticedMs);
    await old?.[Symbol.asyncDispose]();
    slots[place] = await startProduct(settings, signal);
    await wait(noticedMs + 5000);
  }
  begin("this release");
  await wait(10_000);
  await traffic.stop();
  balancer.stop();
  for (const phase of phases) sayResults(say, traffic, phase);
  const failed = failedIn(traffic);
  if (failed > 0) for (const error of refusedIn(cluster)) say(error);
  expect(`0 of ${requestsIn(traffic)} requests failed (${failed})`, failed === 0);
  await runPurser(["migrate", "--backfills"], settings, signal);
  await untilSplit(cluster);
  for (const command of [
    ["ledger", "verify"],
    ["audit", "verify"],
  ]) {
    const said = await runPurser(command, settings, signal).catch((error: Error) => error);
    if (said instanceof Error) say(said.message);
    expect(`purser ${command.join(" ")}`, !(said instanceof Error));
  }
  for (const server of slots) await server?.[Symbol.asyncDispose]();
  end();
};
