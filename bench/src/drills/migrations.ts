import { setTimeout as wait } from "node:timers/promises";
import { migrate } from "../../../server/src/platform/db/migrate.ts";
import { readMigrations } from "../../../server/src/platform/db/migrations/files.ts";
import { runPurser } from "../setup/processes.ts";
import { startWorker } from "../setup/product.ts";
import { type Cluster, refusedIn, startCluster } from "./cluster.ts";
import { openReport } from "./installation.ts";
import { installRelease, unpackOldest } from "./previousRelease.ts";
import { salesTraffic, untilSplit } from "./sales.ts";
import { failedIn, requestsIn, sayResults, slowestIn, startTraffic } from "./traffic.ts";

const longestMs = 2000;
// Without this pause a request could wait for two migrations.
const pauseMs = 300;

const memory = `
shared_buffers = 512MB
maintenance_work_mem = 256MB
max_wal_size = 8GB
checkpoint_timeout = 30min
`;

/** Whether the work finished within the time. Otherwise it is ended. */
const withinMinutes = async (
  minutes: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<unknown>,
) => {
  if (minutes === Number.POSITIVE_INFINITY) return work(signal).then(() => true);
  const limit = AbortSignal.timeout(minutes * 60_000);
  try {
    await work(AbortSignal.any([signal, limit]));
    return true;
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    return false;
  }
};

const countSplit = async (cluster: Cluster) => {
  const text = "select count(*)::int from transactions where is_split";
  const [row] = await cluster.query<{ count: number }>(text, "purser");
  return row?.count;
};

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/**
 * R6: every migration since the previous release, on a database with many transactions, while a server of that release
 * answers. Its connections have the role of the application.
 */
export const drillMigrations = async (
  signal: AbortSignal,
  { transactions = 1_000_000, backfillMinutes = Number.POSITIVE_INFINITY } = {},
) => {
  const { say, expect, end } = openReport("migrations");
  await using cluster = await startCluster(memory);
  const previous = await installRelease(cluster, unpackOldest(), signal);
  const seedingAt = performance.now();
  const users = Math.max(1000, Math.ceil(transactions / 10));
  previous.purser("seed", "--users", String(users), "--transactions", String(transactions));
  await cluster.query("vacuum (analyze)", "purser");
  say(
    `${transactions.toLocaleString("en")} transactions in ${seconds(performance.now() - seedingAt)}`,
  );
  await using server = await previous.start();
  const { origin } = server;
  const traffic = startTraffic(
    () => origin,
    await salesTraffic(cluster, { origin, cookie: previous.cookie, counts: false }),
  );
  await wait(5000);
  const migrations = await readMigrations();
  const url = cluster.url("purser");
  const rows: { name: string; tookMs: number }[] = [];
  const step = async (name: string, work: () => Promise<unknown>) => {
    traffic.begin(name);
    const startedAt = performance.now();
    await work();
    rows.push({ name, tookMs: performance.now() - startedAt });
    await wait(pauseMs);
  };
  const applied = new Set(
    (await cluster.query<{ name: string }>("select name from kysely_migration", "purser")).map(
      ({ name }) => name,
    ),
  );
  for (const [place, { name }] of migrations.entries()) {
    if (applied.has(name)) continue;
    await step(name, () => migrate(url, { migrations: migrations.slice(0, place + 1) }));
  }
  await step("partitions of the coming months", () => migrate(url));
  let isFinished = false;
  await step("backfills", async () => {
    isFinished = await withinMinutes(backfillMinutes, signal, (limited) =>
      runPurser(["migrate", "--backfills"], previous.settings, limited),
    );
  });
  traffic.begin("after");
  await wait(3000);
  await traffic.stop();
  for (const { name, tookMs } of rows)
    say(
      `${name}: ${seconds(tookMs)}, longest wait ${slowestIn(traffic, name).toFixed(0)} ms, ${failedIn(traffic, name)} of ${requestsIn(traffic, name)} failed`,
    );
  sayResults(say, traffic);
  const worst = rows.toSorted((a, b) => slowestIn(traffic, b.name) - slowestIn(traffic, a.name))[0];
  const worstMs = slowestIn(traffic, worst?.name);
  expect(
    `the longest wait of a request is ${worstMs.toFixed(0)} ms, at most ${longestMs} ms (${worst?.name})`,
    worstMs <= longestMs,
  );
  const failed = failedIn(traffic);
  if (failed > 0) for (const error of refusedIn(cluster)) say(error);
  expect(`${failed} of ${requestsIn(traffic)} requests failed`, failed === 0);
  if (!isFinished) {
    say(`${await countSplit(cluster)} transactions split in ${backfillMinutes} minutes`);
    return end();
  }
  await using _worker = startWorker(previous.settings);
  await untilSplit(cluster);
  const said = await runPurser(["ledger", "verify"], previous.settings, signal).catch(
    (error: Error) => error,
  );
  if (said instanceof Error) say(said.message);
  expect("purser ledger verify", !(said instanceof Error));
  end();
};
