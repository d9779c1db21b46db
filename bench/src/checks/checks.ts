import { Redis } from "ioredis";
import { measureHttp } from "../measure/http.ts";
import { type Meter, openMeter } from "../measure/meter.ts";
import { measurePgbench } from "../measure/pgbench.ts";
import { measureRedis } from "../measure/redis.ts";
import { bareRoute, healthRoute, measureInRounds, type Run } from "../measure/rounds.ts";
import type { Sample } from "../measure/sample.ts";
import { statementsOf } from "../measure/statements.ts";
import { printFigures, printVerdicts } from "../report.ts";
import { makeDatabase } from "../setup/database.ts";
import { lookupStatement } from "../setup/lookupStatement.ts";
import { type RunningServer, startServer } from "../setup/processes.ts";
import { makeSettings, startBare, startProduct } from "../setup/product.ts";
import { startRedis } from "../setup/redis.ts";
import { goalsOf, names, withPackages } from "./goals.ts";
import {
  checkPath,
  customerWith,
  inTurn,
  type Prepared,
  packageCounts,
  prepareChecks,
  type Size,
} from "./prepare.ts";
import { measureWarming } from "./warming.ts";

type Load = { rounds: number; seconds: number; connections: number };

const sumOf = (samples: Sample[]): Sample => ({
  perSecond: samples.reduce((sum, { perSecond }) => sum + perSecond, 0),
  p50: Math.max(...samples.map(({ p50 }) => p50)),
  p99: Math.max(...samples.map(({ p99 }) => p99)),
  nodeUs: samples.reduce((sum, one) => sum + (one.nodeUs ?? 0), 0) / samples.length,
  postgresUs: null,
  refused: samples.reduce((sum, { refused }) => sum + refused, 0),
});

/** What decides about a customer with two packages has about this many characters. */
const snapshot = JSON.stringify({ grants: ["a", "b"], more: "x".repeat(1500) });

const fillSnapshots = async (url: string, customers: readonly string[]) => {
  const redis = new Redis(url);
  await Promise.all(customers.map((customer) => redis.set(`snapshot:${customer}`, snapshot)));
  await redis.quit();
};

/** A hundredth, as the second size. */
const smallOf = (size: Size): Size => ({
  users: Math.ceil(size.users / 100),
  grants: Math.ceil(size.grants / 100),
  subscribers: Math.ceil(size.subscribers / 100),
});

const withoutMemory = { CHECK_CACHE_MS: "0" };

const severalCustomers = 500;

type Bench = Awaited<ReturnType<typeof startServers>>;

/** Everything that is measured. Closed in reverse order. */
const startServers = async (size: Size, signal: AbortSignal) => {
  await using started = new AsyncDisposableStack();
  const database = started.use(makeDatabase());
  const smallDatabase = started.use(makeDatabase());
  const settings = makeSettings(database.url);
  const smallSettings = makeSettings(smallDatabase.url);
  const all = await prepareChecks(database, { size, settings, signal });
  const small = await prepareChecks(smallDatabase, {
    size: smallOf(size),
    settings: smallSettings,
    signal,
  });
  const redis = started.use(await startRedis());
  await fillSnapshots(redis.url, all.customers);
  const path = checkPath(all.feature, customerWith(1));
  const statements = await statementsOf(
    { ...settings, ...withoutMemory },
    { cases: [{ name: "check", path }], headers: all.headersOf() },
  );
  const start = async (server: Promise<RunningServer>) => started.use(await server);
  const bareOf = (file: string, env: Record<string, string>) =>
    start(startServer({ args: [`bench/src/setup/${file}`], env, readyPath: "/?user=x" }, signal));
  const servers = {
    bare: await start(startBare(signal)),
    lookup: await bareOf("bareLookup.ts", { DATABASE_URL: database.url }),
    snapshots: await bareOf("bareSnapshot.ts", { REDIS_URL: redis.url }),
    product: await start(startProduct(settings, signal)),
    second: await start(startProduct(settings, signal)),
    reading: await start(startProduct({ ...settings, ...withoutMemory }, signal)),
    readingSmall: await start(startProduct({ ...smallSettings, ...withoutMemory }, signal)),
  };
  const running = started.move();
  return {
    ...servers,
    settings,
    databaseUrl: database.url,
    all,
    small,
    redis,
    statements: statements.get("check") ?? [],
    meter: openMeter(database),
    smallMeter: openMeter(smallDatabase),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};

type Subject = { name: string; measure: (run: Run) => Promise<Sample> };

const checkSubjects = (bench: Bench): Subject[] => {
  const { all, small, meter, product, second, reading } = bench;
  const get = (server: RunningServer, path: string) => (run: Run) =>
    measureHttp({ server, path, headers: {}, headersOf: all.headersOf }, run, meter);
  const check = (server: RunningServer, packages = 1) =>
    get(server, checkPath(all.feature, customerWith(packages)));
  const getEach = (
    server: RunningServer,
    { headersOf, customers }: Pick<Prepared, "headersOf" | "customers">,
    { pathFor, by = meter }: { pathFor: (user: string) => string; by?: Meter },
  ) => {
    const next = inTurn(customers);
    const pathOf = () => pathFor(next());
    return (run: Run) =>
      measureHttp({ server, path: "/", pathOf, headers: {}, headersOf }, run, by);
  };
  const several = { ...all, customers: all.customers.slice(0, severalCustomers) };
  const pathFor = (user: string) => checkPath(all.feature, user);
  const barePathFor = (user: string) => `/?user=${user}`;
  const smallPathFor = (user: string) => checkPath(small.feature, user);
  return [
    { name: bareRoute, measure: get(bench.bare, "/") },
    { name: healthRoute, measure: get(product, "/healthz") },
    { name: names.warm, measure: check(product) },
    { name: names.several, measure: getEach(product, several, { pathFor }) },
    {
      name: names.both,
      measure: async (run) =>
        sumOf(await Promise.all([product, second].map((server) => check(server)(run)))),
    },
    { name: names.snapshot, measure: getEach(bench.snapshots, all, { pathFor: barePathFor }) },
    { name: names.lookup, measure: getEach(bench.lookup, all, { pathFor: barePathFor }) },
    { name: names.cold, measure: getEach(reading, all, { pathFor }) },
    // So many customers that each is asked about less than once a second, and none is answered from memory.
    { name: names.coldKnownKey, measure: getEach(product, all, { pathFor }) },
    {
      name: names.coldSmall,
      measure: getEach(bench.readingSmall, small, { pathFor: smallPathFor, by: bench.smallMeter }),
    },
    ...packageCounts.map((packages) => ({
      name: withPackages(packages),
      measure: check(reading, packages),
    })),
  ];
};

/** PostgreSQL and Redis without Purser. */
const engineSubjects = ({ databaseUrl, statements, meter, redis, all }: Bench): Subject[] => {
  const pgbench = (script: typeof statements) => (run: Run) =>
    measurePgbench({ databaseUrl, statements: script }, run, meter);
  const command = (words: string[]) => (run: Run) => measureRedis(redis, words, run);
  return [
    { name: names.pgbenchLookup, measure: pgbench([lookupStatement(customerWith(1))]) },
    { name: names.pgbenchCheck, measure: pgbench(statements) },
    { name: names.redisGet, measure: command(["GET", `snapshot:${all.customers[0]}`]) },
    { name: names.redisIncr, measure: command(["INCR", "used:__rand_int__"]) },
  ];
};

/** Consuming for the customers in turn, each time with a new event. */
const consumeSubjects = ({ all, product, meter }: Bench): Subject[] => {
  let events = 0;
  const consume = (customers: readonly string[]) => {
    const next = inTurn(customers);
    const bodyOf = () => {
      events += 1;
      return JSON.stringify({ id: `bench-${events}`, user: next(), feature: all.feature });
    };
    const target = {
      server: product,
      path: "/api/usage/consume",
      headers: { "content-type": "application/json" },
      headersOf: all.headersOf,
      bodyOf,
    };
    return (run: Run) => measureHttp(target, run, meter);
  };
  return [
    { name: names.consumption, measure: consume([customerWith(1)]) },
    { name: names.consumptions, measure: consume(all.customers) },
  ];
};

/**
 * Checks of sold apps: from memory, from PostgreSQL, and consuming, each next to the least that it could cost, and next
 * to Redis and pgbench alone.
 */
export const benchChecks = async (
  { size, load }: { size: Size; load: Load },
  signal: AbortSignal,
) => {
  await using bench = await startServers(size, signal);
  const { all, settings, meter } = bench;
  await measureWarming(all, { settings, connections: load.connections }, signal);
  const subjects = [...checkSubjects(bench), ...engineSubjects(bench), ...consumeSubjects(bench)];
  const figures = await measureInRounds(subjects, { meter, load, signal });
  printFigures(figures);
  const verdicts = goalsOf(figures);
  printVerdicts(verdicts);
  return verdicts;
};
