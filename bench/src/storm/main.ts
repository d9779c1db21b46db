import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { measureSlowness } from "../../../server/src/slowness.testing.ts";
import { type BenchDatabase, makeDatabase, signIn } from "../setup/database.ts";
import { runPurser } from "../setup/processes.ts";
import { makeSettings } from "../setup/product.ts";
import { createApiClient } from "./api.ts";
import { makePackages, makeTaxes } from "./catalog.ts";
import { findFaults } from "./check.ts";
import { runClient } from "./client.ts";
import { findMissing } from "./coverage.ts";
import { startFleet } from "./fleet.ts";
import type { Done } from "./model.ts";
import { findPlanted, plants, type Search } from "./plants.ts";
import { makeWorld } from "./world.ts";

const help = `npm run storm -- [options]

  Runs random sales, changes, renewals, pauses, refunds, disputes and payments from balances by many clients, while
  servers and workers are killed. Then compares the database with the acknowledged operations, checks the rules of
  "purser ledger verify" and the invariants, and exits with an error if something differs.

  --seconds <count>   duration (600)
  --clients <count>   concurrent clients (16)
  --seed <number>     seed of the random choices (different each time)
  --plant <fault>     a fault to find, or else exit with an error. During the run: keys (repeats are not recognized),
                      uses (one redemption in ten is not counted). After the run: all, or one of
                      ${Object.keys(plants).join(", ")}
  --keep              keeps the database, to examine what was found
  --short             60 seconds
`;

const options = {
  seconds: { type: "string" },
  clients: { type: "string", default: "16" },
  seed: { type: "string", default: String(Date.now() % 1_000_000) },
  plant: { type: "string" },
  keep: { type: "boolean", default: false },
  short: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

// Each removes a guarantee in the database that the product relies on, before the run.
const removals: Record<string, string> = {
  keys: "alter table idempotency_keys drop constraint idempotency_keys_pkey",
  uses: `create function forget_use() returns trigger language plpgsql as $$
      begin if new.uses > old.uses and random() < 0.1 then new.uses := old.uses; end if; return new; end $$;
    create trigger forget before update on promotions for each row execute function forget_use()`,
};

// On two idle cores.
const settleMs = 150_000;
const answerMs = 10_000;

/** Waits until everything due is renewed, including jobs of killed workers. */
const settle = async ({ query }: BenchDatabase) => {
  const startedAt = performance.now();
  let limitMs = settleMs;
  const due = `select from subscriptions where status in ('trialing', 'active', 'ending') and period_end <= now() limit 1`;
  while ((await query(due)).length > 0) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > limitMs) limitMs = settleMs * (await measureSlowness());
    if (waitedMs > limitMs) return ["Some due subscriptions were not renewed."];
    await wait(500);
  }
  return [];
};

const summaryOf = (done: readonly Done[]) => {
  const names = [...new Set(done.map(({ operation }) => operation))].sort();
  return names
    .map((name) => {
      const all = done.filter(({ operation }) => operation === name);
      const refusals = Object.entries(Object.groupBy(all, ({ refusal }) => refusal ?? "")).filter(
        ([refusal]) => refusal !== "",
      );
      const refused = refusals.map(([refusal, list]) => `${list?.length} ${refusal}`).join(", ");
      return `  ${name}: ${all.filter(({ isDone }) => isDone).length}${refused && `, refused ${refused}`}`;
    })
    .join("\n");
};

/** The faults that are planted after the run. */
const plantedAfter = (plant: string | undefined) => {
  if (plant === "all") return Object.keys(plants);
  return plant === undefined || removals[plant] ? [] : [plant];
};

const assertPlant = (plant: string | undefined) => {
  const unknown = plantedAfter(plant).find((name) => !plants[name]);
  if (unknown) throw new Error(`There is no fault "${unknown}".`);
};

const showSearch = ({ name, isFound, found }: Search) => {
  console.log(`Planted ${name}: ${isFound ? "found" : "NOT FOUND"}`);
  for (const invariant of found) console.log(`  ${invariant}`);
};

type Command = {
  seconds: number;
  clients: number;
  seed: number;
  plant: string | undefined;
  isKept: boolean;
};

const runStorm = async (
  { seconds, clients, seed, plant, isKept }: Command,
  signal: AbortSignal,
) => {
  await using database = makeDatabase({ isKept });
  const slowness = await measureSlowness();
  if (slowness > 1.5)
    console.log(`The machine is ${slowness.toFixed(1)} times slower than two idle cores.`);
  const requestTimeoutMs = Math.min(600_000, Math.ceil(answerMs * slowness));
  const providerSecret = `whsec_${randomBytes(24).toString("base64")}`;
  const settings = {
    ...makeSettings(database.url),
    DATABASE_POOL_SIZE: "6",
    LOG_LEVEL: "error",
    PROVIDER_SECRETS: `stormpay:${providerSecret}`,
    REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
  };
  await runPurser(["migrate"], settings, signal);
  const packages = await makePackages(database.url);
  await makeTaxes(database);
  const cookie = await signIn(database);
  await using fleet = await startFleet(settings, { servers: 2, workers: 2, seed }, signal);
  const api = createApiClient(fleet, cookie, Math.ceil(requestTimeoutMs * 1.5));
  const world = await makeWorld(api, packages, { seed, providerSecret });
  if (plant && removals[plant]) await database.query(removals[plant]);
  const until = performance.now() + seconds * 1000;
  const isOver = () => performance.now() > until || signal.aborted;
  await Promise.all([
    fleet.killUntil(isOver),
    ...Array.from({ length: clients }, (_, client) => runClient(world, client, isOver)),
  ]);
  const late = await settle(database);
  const { done, due, sales } = world.model;
  const { counts } = api;
  console.log(summaryOf(done));
  console.log(
    `${done.length} operations on ${sales.size} sales in ${seconds} s. ${counts.requests} requests, ${counts.repeats} repeated, ${counts.replayed} replayed, ${fleet.kills.length} processes killed, ${due.length} renewals.`,
  );
  const failed = counts.failed > 0 ? [`${counts.failed} requests failed with a server error.`] : [];
  const missing = await findMissing(database.query, done);
  const found = [
    ...failed,
    ...late,
    ...missing,
    ...(await findFaults(database.query, world.model)),
  ];
  const searches: Search[] = [];
  for (const name of plantedAfter(plant)) searches.push(await findPlanted(database.url, name));
  return { found, searches };
};

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interruption.abort());

const { values } = parseArgs({ options });
if (values.help) console.log(help);
else {
  const [seed, clients] = [Number(values.seed), Number(values.clients)];
  const seconds = Number(values.seconds ?? (values.short ? 60 : 600));
  const { plant } = values;
  assertPlant(plant);
  console.log(`Storm of ${clients} clients for ${seconds} s, seed ${seed}.`);
  const { found, searches } = await runStorm(
    { seconds, clients, seed, plant, isKept: values.keep },
    interruption.signal,
  );
  for (const fault of found.slice(0, 40)) console.log(fault);
  console.log(
    found.length === 0
      ? "The database matches all acknowledged operations."
      : `${found.length} faults, seed ${seed}.`,
  );
  for (const search of searches) showSearch(search);
  const isExpected = plant !== undefined && plant in removals;
  const isPassed = isExpected ? found.length > 0 : found.length === 0;
  if (!isPassed || searches.some(({ isFound }) => !isFound)) process.exitCode = 1;
}
