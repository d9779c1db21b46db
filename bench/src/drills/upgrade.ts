import { setTimeout as wait } from "node:timers/promises";
import { migrate } from "../../../server/src/platform/db/migrate.ts";
import { readMigrations } from "../../../server/src/platform/db/migrations/files.ts";
import { freePort, type RunningServer, runPurser, startServer } from "../setup/processes.ts";
import { type Settings, startProduct, startWorker } from "../setup/product.ts";
import { startBalancer } from "./balancer.ts";
import { type Cluster, refusedIn, startCluster } from "./cluster.ts";
import { openReport } from "./installation.ts";
import { installRelease, type Release, unpackLatest, unpackOldest } from "./previousRelease.ts";
import { salesTraffic, untilSplit } from "./sales.ts";
import { failedIn, requestsIn, sayResults, startTraffic } from "./traffic.ts";

// The balancer asks every second.
const noticedMs = 2500;

const startsMs = 60_000;

/** What a server of this release says with the schema of the previous one, or null if it starts. */
const refusalOf = async (settings: Settings) =>
  runPurser(["serve"], { ...settings, PORT: await freePort() }, AbortSignal.timeout(startsMs)).then(
    () => null,
    (error: Error & { code?: unknown; stderr?: string }) =>
      error.code === 1 ? (error.stderr ?? "").trim() : null,
  );

const statusOf = async ({ origin }: RunningServer) => (await fetch(`${origin}/readyz`)).status;

const untilReady = async (server: RunningServer) => {
  const limit = performance.now() + startsMs;
  while ((await statusOf(server)) !== 200) {
    if (performance.now() > limit) return false;
    await wait(100);
  }
  return true;
};

/**
 * Migrates, with a server of this release that starts while the last migration is missing. Returns whether it was ready
 * before and after it.
 */
const migrateWithEarlyServer = async (
  { cluster, settings }: { cluster: Cluster; settings: Settings },
  use: (server: RunningServer | null) => void,
  signal: AbortSignal,
) => {
  const migrations = await readMigrations();
  await migrate(cluster.url("purser"), { migrations: migrations.slice(0, -1) });
  const early = await startServer(
    { args: ["server/src/main.ts", "serve"], env: settings, readyPath: "/healthz" },
    signal,
  );
  use(early);
  await wait(noticedMs);
  const before = (await statusOf(early)) === 200;
  await runPurser(["migrate"], settings, signal);
  const after = await untilReady(early);
  await wait(noticedMs);
  use(null);
  await wait(noticedMs);
  await early[Symbol.asyncDispose]();
  return { before, after };
};

/**
 * R6: two servers of a release go on while the database is updated, and are then replaced one after the other,
 * under load.
 */
const updateFrom = async (release: Release, signal: AbortSignal) => {
  const { say, expect, end } = openReport(`upgrade from ${release.version}`);
  await using cluster = await startCluster();
  const previous = await installRelease(cluster, release, signal);
  previous.purser("seed", "--users", "2000", "--transactions", "20000");
  const slots: (RunningServer | null)[] = [await previous.start(), await previous.start(), null];
  const balancer = await startBalancer(
    slots.map((_, place) => ({ current: () => slots[place] ?? null })),
  );
  const { cookie, settings } = previous;
  const traffic = startTraffic(
    () => balancer.origin,
    await salesTraffic(cluster, {
      origin: balancer.origin,
      cookie,
      counts: !previous.isOldest,
    }),
  );
  const phases = ["before"];
  const begin = (phase: string) => {
    phases.push(phase);
    traffic.begin(phase);
  };
  await wait(5000);
  // With the schema of the newest release it starts, and isn't ready until it is migrated.
  if (previous.isOldest) {
    const refusal = await refusalOf(settings);
    expect(
      `this release doesn't start with the schema of ${previous.version}: ${refusal}`,
      /^The database isn't up to date/.test(refusal ?? ""),
    );
  }
  begin("migrating");
  const early = await migrateWithEarlyServer(
    { cluster, settings },
    (server) => {
      slots[2] = server;
    },
    signal,
  );
  expect(
    "this release is ready after the last migration, and not before",
    early.after && !early.before,
  );
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
  expect(`${failed} of ${requestsIn(traffic)} requests failed`, failed === 0);
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

export const drillUpgrade = async (signal: AbortSignal) => {
  for (const release of [unpackLatest(), unpackOldest()]) await updateFrom(release, signal);
};
