import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import pg from "pg";
import { databaseServer } from "../../../server/src/platform/db/databaseServer.testing.ts";
import { makeSettings } from "../setup/product.ts";
import { fill, type Size, seeded, sizeOf } from "./fill.ts";
import { assertFilled } from "./growth.ts";
import { isThere, keptName } from "./kept.ts";
import { measureAll, openKeys, openSession } from "./measure.ts";
import { explainEverything } from "./plans.ts";
import { isOver, printResults } from "./report.ts";

const help = `npm run scale -- [options]

Fills a database with many rows, sends every list, filter, sort, search, page and record to the product, and checks how
many pages of the database each statement touched (docs/scale.md).

  --short            200,000 transactions instead of 10 million
  --transactions <n> about so many transactions
  --only <text>      only URLs that contain this text
  --plans            also print the plans of statements over their bound
  --all              also print the statements within their bound
  --drop             drop the database at the end, instead of keeping it for the next run

Uses PostgreSQL at TEST_DATABASE_URL as a superuser, and Redis at TEST_REDIS_URL. Requires \`npm run build\`.
`;

const options = {
  short: { type: "boolean", default: false },
  transactions: { type: "string" },
  only: { type: "string" },
  plans: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  drop: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

const fullTransactions = 10_000_000;

/** Without this index, these requests are slow. If that isn't found, nothing else would be. */
const planted = {
  index: "transactions_by_state",
  only: "/api/transactions?f=state%3Aany%3Afailed",
};

const assertGrown = async (connectionString: string, { isShort }: Size) => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await assertFilled(client, isShort);
  } finally {
    await client.end();
  }
};

type Measure = (only: string) => ReturnType<typeof measureAll>;

const findPlanted = async (connectionString: string, measure: Measure) => {
  const { index, only } = planted;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`drop index ${index}`);
  await client.end();
  if (!(await measure(only)).measured.some(isOver))
    throw new Error(`Without the index ${index}, no statement of ${only} was over its bound.`);
  console.log(`Without the index ${index}, ${only} is found to be slow, as it should be.`);
};

const run = async (signal: AbortSignal) => {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(help);
  const asked = Number(values.transactions ?? (values.short ? 200_000 : fullTransactions));
  if (!(Number.isInteger(asked) && asked >= seeded))
    throw new Error(`--transactions must be a whole number of at least ${seeded}.`);
  const size = sizeOf(asked);
  const name = keptName(size);
  const url = new URL(databaseServer);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  url.pathname = `/${name}`;
  // The same in every run, because the kept database has secrets that were encrypted with it.
  const secret = createHash("sha256").update("scale").digest("base64");
  const settings = { ...makeSettings(url.href), SECRET_KEYS: secret };
  const dropIt = () => admin.query(`drop database if exists ${name} with (force)`);
  try {
    if (!(await isThere(admin, name))) {
      await dropIt();
      const start = performance.now();
      await admin.query(`create database ${name}`);
      try {
        await fill({ settings, size, signal, tell: console.log });
        await assertGrown(url.href, size);
      } catch (error) {
        await dropIt();
        throw error;
      }
      console.log(`Filled in ${((performance.now() - start) / 1000).toFixed(0)} s.`);
    }
    const measure = async (only: string | undefined) => {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      try {
        const cookie = await openSession(client);
        const keys = await openKeys(client);
        return await measureAll(client, { settings, cookie, keys, only });
      } finally {
        await client.end();
      }
    };
    const results = [];
    for (const planCacheMode of ["auto", "force_generic_plan"] as const) {
      await explainEverything(admin, name, planCacheMode);
      const start = performance.now();
      const measured = await measure(values.only);
      const seconds = (performance.now() - start) / 1000;
      results.push({ planCacheMode, seconds, ...measured });
    }
    if (values.drop && !values.only) await findPlanted(url.href, measure);
    const isClean = printResults(results, {
      plans: values.plans || process.env["CI"] === "true",
      all: values.all,
      isLong: asked >= fullTransactions,
    });
    if (!isClean) process.exitCode = 1;
  } finally {
    if (values.drop) await dropIt();
    await admin.end();
  }
};

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interruption.abort());
await run(interruption.signal);
