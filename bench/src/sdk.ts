import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Client, createClient } from "../../client/src/client.ts";
import type { Check } from "../../client/src/types.ts";
import { atMost, type Verdict } from "./goals.ts";
import { printVerdicts } from "./report.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const lookupsMax = 20;
/** What docs/sdk.md states for 100,000 customers with one cached feature each. */
const mbMax = 100;

const checkOf = (code: string): Check => ({
  feature: { code, kind: "metered" },
  allowed: true,
  reason: "granted",
  value: 10,
  limit: 10,
  used: 0,
  remaining: 10,
  resetsAt: "2026-12-01T00:00:00.000Z",
  grants: [],
  asOf: "2026-11-19T09:00:00.000Z",
  fallback: "last known",
  maxAgeSeconds: 86_400,
  staleIfErrorSeconds: 86_400,
  version: 1,
  enforcement: "hard",
});

const heapMb = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_000_000;
};

const nanosecondsOf = async (count: number, run: () => Promise<void> | void) => {
  const startedAt = performance.now();
  await run();
  return ((performance.now() - startedAt) * 1_000_000) / count;
};

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Only what the client reads of a response, because a real one takes most of the time. */
const clientOf = (customersMax: number, features: readonly string[]) => {
  const replies = Object.fromEntries(features.map((code) => [code, JSON.stringify(checkOf(code))]));
  const fetch = async (url: unknown) => {
    const [, code = ""] = /feature=([\w-]+)/.exec(String(url)) ?? [];
    const headers = { get: () => null };
    return { ok: true, status: 200, headers, json: async () => JSON.parse(replies[code] ?? "") };
  };
  return createClient({
    url: "https://purser.example.com",
    key: "k",
    customersMax,
    environment: { fetch: fetch as unknown as typeof globalThis.fetch },
  });
};

const filled = async (customers: readonly string[], features: readonly string[]) => {
  const client = clientOf(customers.length, features);
  const before = heapMb();
  for (const user of customers) for (const code of features) await client.check(user, code);
  return { client, mb: heapMb() - before };
};

type Size = { rounds: number; customers: number };
type Round = { lookup: number; check: number; ratio: number };

/** Checks from the cache next to lookups in a Map of the same customers, in rounds that alternate. */
const compare = async (
  client: Client,
  {
    customers,
    rounds,
    signal,
  }: { customers: readonly string[]; rounds: number; signal: AbortSignal },
) => {
  const map = new Map(customers.map((user) => [user, { allowed: true }]));
  // As many in each round, so that few customers aren't measured for too short a time.
  const times = Math.ceil(100_000 / customers.length);
  const count = times * customers.length;
  const seen: Round[] = [];
  let allowed = 0;
  for (let round = 0; round <= rounds; round += 1) {
    signal.throwIfAborted();
    const lookup = await nanosecondsOf(count, () => {
      for (let n = 0; n < times; n += 1)
        for (const user of customers) if (map.get(user)?.allowed) allowed += 1;
    });
    const check = await nanosecondsOf(count, async () => {
      for (let n = 0; n < times; n += 1)
        for (const user of customers) if (await client.isAllowed(user, "exports")) allowed += 1;
    });
    // The first one is compiled on its way.
    if (round > 0) seen.push({ lookup, check, ratio: check / lookup });
  }
  if (allowed !== 2 * count * (rounds + 1)) throw new Error("A check was denied.");
  return seen;
};

const show = (what: string, values: number[]) =>
  console.log(
    `${what}: ${median(values).toFixed(0)} ns (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`,
  );

/** The speed of checks from the cache, of all customers and of few, and the memory of the cache. */
export const benchSdk = async ({ rounds, customers: count }: Size, signal: AbortSignal) => {
  const customers = Array.from({ length: count }, (_, n) => `customer-${n}@example.com`);
  const { client, mb } = await filled(customers, ["exports"]);
  console.log(`\n${rounds} rounds, Node ${process.version}. Medians, with the least and the most.`);
  const verdicts: Verdict[] = [];
  for (const part of [count, 1000]) {
    const seen = await compare(client, { customers: customers.slice(0, part), rounds, signal });
    const of = `${part.toLocaleString("en")} customers`;
    show(
      `${of}: lookup in a Map`,
      seen.map(({ lookup }) => lookup),
    );
    show(
      `${of}: check from the cache`,
      seen.map(({ check }) => check),
    );
    const ratio = median(seen.map((round) => round.ratio));
    verdicts.push(atMost(`${of}: a check, in lookups in a Map`, ratio, lookupsMax));
  }
  await client.close();
  const five = ["exports", "maps", "seats", "reports", "colors"];
  const few = customers.slice(0, count / 5);
  const ofFive = await filled(few, five);
  await ofFive.client.close();
  console.log(`one feature: ${((mb * 1e6) / count).toFixed(0)} bytes per customer`);
  console.log(`each of five features: ${((ofFive.mb * 1e6) / few.length / 5).toFixed(0)} bytes`);
  verdicts.push(
    atMost("memory of 100,000 customers with one feature, in MB", (mb * 100_000) / count, mbMax),
  );
  printVerdicts(verdicts);
  return verdicts;
};
