import { setTimeout as wait } from "node:timers/promises";
import { type Caller, callUntil, refusedIn, together } from "../crowd/callers.ts";
import { makeKey } from "../crowd/crowd.ts";
import { atMost, type Verdict } from "../goals.ts";
import { cpuOf, peakMbOf } from "../measure/meter.ts";
import { percentile } from "../measure/sample.ts";
import { printVerdicts } from "../report.ts";
import { type BenchDatabase, fillDatabase, makeDatabase, signIn } from "../setup/database.ts";
import { makeSettings, type Settings, startProduct, startWorker } from "../setup/product.ts";
import { callsOf } from "./calls.ts";
import {
  addCustomers,
  addPurchases,
  bulkAction,
  importPreview,
  importRun,
  largeExport,
  type Task,
} from "./tasks.ts";

/** How many rows each job has. */
type JobSizes = { bulk: number; transactions: number; imported: number };

const pollMs = 100;
const windowMs = 2000;
const memoryMbMax = 300;
const ratioMax = 2;
const seededMin = 1000;
const seededMax = 100_000;

type Callers = Record<string, Caller>;
type Running = {
  origin: string;
  serverPid: number;
  settings: Settings;
  callers: Callers;
  seconds: number;
  signal: AbortSignal;
};

/** The other requests, one after another for each caller, until the work is over. */
const requestsDuring = async ({ origin, callers }: Running, isOver: () => boolean) =>
  Promise.all(
    Object.entries(callers).map(async ([who, caller]) => {
      const rounds = [];
      do rounds.push(await callUntil(origin, caller, performance.now() + windowMs));
      while (!isOver());
      return { who, ...together(rounds) };
    }),
  );

const idleRequests = (running: Running) => {
  const endsAt = performance.now() + running.seconds * 1000;
  return requestsDuring(running, () => performance.now() >= endsAt);
};

/** A worker begins the job, is killed with half of the rows done, and another one continues. */
const runKilled = async (task: Task, { settings, signal }: Running) => {
  await using workers = new AsyncDisposableStack();
  const start = () => workers.use(startWorker(settings));
  const first = start();
  const id = await task.start();
  const until = async (isEnough: (done: number) => boolean) => {
    for (;;) {
      const { done, isOver } = await task.progressOf(id);
      if (isOver || isEnough(done)) return done;
      await wait(pollMs, undefined, { signal });
    }
  };
  const before = await until((done) => done > 0);
  const begun = performance.now();
  const startedUs = cpuOf(first.pid);
  const killedAt = await until((done) => done >= task.rows / 2);
  const perSecond = (killedAt - before) / ((performance.now() - begun) / 1000);
  const firstMb = peakMbOf(first.pid);
  const cpuUs = cpuOf(first.pid) - startedUs;
  await first.stop("SIGKILL");
  const second = start();
  await until(() => false);
  const seconds = (performance.now() - begun) / 1000;
  return {
    id,
    killedAt,
    perSecond,
    seconds,
    cpuUsPerRow: cpuUs / Math.max(1, killedAt - before),
    workerMb: Math.max(firstMb, peakMbOf(second.pid)),
  };
};

const ratiosOf = (
  name: string,
  idle: Awaited<ReturnType<typeof requestsDuring>>,
  busy: typeof idle,
) =>
  busy.map(({ who, ...answers }, place) => {
    const p95 = percentile(answers.times, 0.95);
    const idleP95 = percentile(idle[place]?.times ?? [], 0.95);
    const refused = refusedIn(answers);
    console.log(
      `${name}, ${who}: p95 ${p95.toFixed(1)} ms, idle ${idleP95.toFixed(1)} ms, ${answers.times.length} requests, ${refused} not answered with 200`,
    );
    return atMost(`${name}: p95 of a ${who}, busy / idle`, p95 / idleP95, ratioMax);
  });

const memory = (what: string, mb: number): Verdict => ({
  what: `${what}, at most ${memoryMbMax}`,
  value: mb,
  unit: "count",
  holds: mb <= memoryMbMax,
});

const benchTask = async (task: Task, running: Running): Promise<Verdict[]> => {
  const idle = await idleRequests(running);
  let isOver = false;
  const work = runKilled(task, running).finally(() => {
    isOver = true;
  });
  const [busy, result] = await Promise.all([requestsDuring(running, () => isOver), work]);
  const { id, killedAt, perSecond, seconds, cpuUsPerRow, workerMb } = result;
  console.log(
    `${task.name}: ${task.rows} rows in ${seconds.toFixed(1)} s, ${perSecond.toFixed(0)} per second until the worker was killed at ${killedAt}, with ${cpuUsPerRow.toFixed(0)} µs of its CPU time each.`,
  );
  const ratios = ratiosOf(task.name, idle, busy);
  const wrong = await task.countWrong(id);
  if (wrong > 0) throw new Error(`${task.name}: ${wrong} rows are missing, repeated or wrong.`);
  return [
    { what: `${task.name}: rows per second`, value: perSecond, unit: "count", holds: null },
    memory(`${task.name}: MB of the worker`, workerMb),
    memory(`${task.name}: MB of the server`, peakMbOf(running.serverPid)),
    ...ratios,
  ];
};

const callersOf = (cookie: string, secret: string): Callers => ({
  list: { send: () => ({ path: "/transactions", headers: { cookie } }), pauseMs: 20 },
  check: {
    send: () => ({
      path: "/check?user=many-77%40example.com&feature=export",
      headers: { authorization: `Bearer ${secret}` },
    }),
    pauseMs: 20,
  },
});

const countTransactions = async ({ query }: BenchDatabase) => {
  const [row] = await query<{ count: number }>("select count(*)::int as count from transactions");
  return row?.count ?? 0;
};

/** Bulk action, export and import of many rows by a worker that is killed, while others use the product. */
export const benchJobs = async (
  { seconds, ...sizes }: JobSizes & { seconds: number },
  signal: AbortSignal,
) => {
  await using database = makeDatabase();
  const settings = makeSettings(database.url);
  const seeded = Math.min(sizes.transactions, seededMax);
  const users = Math.max(seededMin, Math.ceil(seeded / 20));
  const amounts = { users, subscribers: Math.ceil(users / 5), grants: users * 2 };
  await fillDatabase(database, {
    seed: {
      options: Object.entries({ ...amounts, transactions: seeded }).flatMap(([name, count]) => [
        `--${name}`,
        String(count),
      ]),
      description: `${seeded.toLocaleString("en")} transactions`,
    },
    settings,
    signal,
  });
  await addCustomers(database, sizes.bulk);
  await addPurchases(database, sizes.transactions - seeded);
  await database.query("vacuum (analyze) users, transactions");
  const cookie = await signIn(database);
  await using product = await startProduct(settings, signal);
  const { origin, pid: serverPid } = product;
  const callers = callersOf(cookie, await makeKey(origin, cookie));
  const running = { origin, serverPid, settings, callers, seconds, signal };
  const shop = { database, calls: callsOf(origin, cookie) };
  const tasks = [
    bulkAction(shop, sizes.bulk),
    largeExport(shop, await countTransactions(database)),
    importPreview(shop, sizes.imported),
    importRun(shop, sizes.imported),
  ];
  const verdicts: Verdict[] = [];
  for (const task of tasks) verdicts.push(...(await benchTask(task, running)));
  printVerdicts(verdicts);
  return verdicts;
};
