import { writeCursor } from "../../server/src/platform/lists/cursor.ts";
import type { Case } from "./cases.ts";
import { atMost, find, nodeUs, postgresUs, ratioOf, totalUs, type Verdict } from "./goals.ts";
import { openMeter } from "./measure/meter.ts";
import {
  bareRoute,
  byPgbench,
  byPgbenchAtOurRate,
  healthRoute,
  measureInRounds,
  type Run,
  subjectsOf,
} from "./measure/rounds.ts";
import { statementsOf } from "./measure/statements.ts";
import { printFigures, printVerdicts } from "./report.ts";
import { openDatabaseWith } from "./scale/kept.ts";
import { lists } from "./scale/requests.ts";
import { type BenchDatabase, signIn } from "./setup/database.ts";
import type { RunningServer } from "./setup/processes.ts";
import { type Settings, startBare, startProduct } from "./setup/product.ts";

type Load = { rounds: number; seconds: number; connections: number };

const fewTransactions = 10_000;
const growthMax = 1.5;
const engineMax = 1.2;
const listNodeMax = 18;
const healthNodeMax = 1.5;

type Opened = {
  database: BenchDatabase;
  settings: Settings;
  product: RunningServer;
  cookie: string;
};

/** Lists of another table than the one with their name. */
const tables: Record<string, string> = { "/audit": "audit_entries" };
const tableOf = (path: string) => tables[path] ?? path.slice(1).replaceAll("-", "_");

const signatureBytes = 12;

/** The cursor behind 90 % of the rows. Null for a list that has one page, or that isn't sorted by id. */
const deepCursor = async (path: string, { database, settings, product, cookie }: Opened) => {
  const reply = await fetch(`${product.origin}/api${path}`, { headers: { cookie } });
  const { next } = (await reply.json()) as { next: string | null };
  if (next === null) return null;
  const payload = Buffer.from(next, "base64url").subarray(signatureBytes).toString();
  const [sort = "", ...values] = JSON.parse(payload) as string[];
  if (values.length !== 1) return null;
  const [row] = await database.query<{ id: string }>(
    `select id::text from ${tableOf(path)}
     order by id desc offset (select (0.9 * count(*))::bigint from ${tableOf(path)}) limit 1`,
  );
  return row ? writeCursor([settings.SECRET_KEYS], { sort, values: [row.id] }) : null;
};

/** The first, a numbered, a deep and the last page of every list. */
const casesOf = async (opened: Opened): Promise<Case[]> => {
  const cases: Case[] = [];
  for (const { path } of lists) {
    const after = await deepCursor(path, opened);
    const places = [
      ["first page", ""],
      ["page 400", "?page=400"],
      ...(after === null ? [] : [["at 90 % of the rows", `?after=${after}`]]),
      ["last page", "?before=end"],
    ];
    for (const [place, query] of places)
      cases.push({ name: `${path}, ${place}`, path: `/api${path}${query}` });
  }
  return cases;
};

const inSmall = (name: string) => `${name}, few rows`;

/** A product with a database with so many transactions and as many of everything else as belong to them. */
const openAt = async (transactions: number, signal: AbortSignal) => {
  const { database, settings } = await openDatabaseWith(transactions, signal);
  const cookie = await signIn(database);
  const product = await startProduct(settings, signal);
  const cases = await casesOf({ database, settings, product, cookie });
  const statements = await statementsOf(settings, { cases, headers: { cookie } });
  return {
    database,
    cookie,
    cases,
    statements,
    product,
    [Symbol.asyncDispose]: async () => {
      await product[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

/** Every list with few and with many rows, in turns, next to pgbench with the same statements. */
export const benchLists = async (
  { transactions, load }: { transactions: number; load: Load },
  signal: AbortSignal,
): Promise<Verdict[]> => {
  await using small = await openAt(fewTransactions, signal);
  console.log(`Filled ${fewTransactions.toLocaleString("en")} transactions.`);
  await using large = await openAt(transactions, signal);
  console.log(`Filled ${transactions.toLocaleString("en")} transactions.`);
  await using bare = await startBare(signal);
  const meter = openMeter(large.database);
  const meterOfSmall = openMeter(small.database);
  const { cases } = large;
  const ofSmall = subjectsOf({ ...small, bare });
  const names = new Set(cases.map(({ name }) => name));
  // Each list with few rows next to the same one with many, and without pgbench at full speed.
  const subjects = subjectsOf({ ...large, bare })
    .filter(({ name }) => ![...names].some((one) => name === byPgbench(one)))
    .flatMap((subject) => {
      const few = names.has(subject.name) && ofSmall.find(({ name }) => name === subject.name);
      if (!few) return [subject];
      const measure = (run: Run) => few.measure(run, meterOfSmall);
      return [{ name: inSmall(subject.name), measure }, subject];
    });
  const figures = await measureInRounds(subjects, { meter, load, signal });
  printFigures(figures);
  const bareFigure = find(figures, bareRoute);
  const verdicts = [
    atMost(
      `${healthRoute}: node CPU, ours / bare Fastify`,
      ratioOf([find(figures, healthRoute), nodeUs], [bareFigure, nodeUs]),
      healthNodeMax,
    ),
    ...cases.flatMap(({ name }) => {
      const ours = find(figures, name);
      return [
        atMost(
          `${name}: total CPU, many rows / few`,
          ratioOf([ours, totalUs], [find(figures, inSmall(name)), totalUs]),
          growthMax,
        ),
        atMost(
          `${name}: PostgreSQL CPU, ours / pgbench at our rate`,
          ratioOf([ours, postgresUs], [find(figures, byPgbenchAtOurRate(name)), postgresUs]),
          engineMax,
        ),
        atMost(
          `${name}: node CPU, ours / bare Fastify`,
          ratioOf([ours, nodeUs], [bareFigure, nodeUs]),
          listNodeMax,
        ),
      ];
    }),
  ];
  printVerdicts(verdicts);
  return verdicts;
};
