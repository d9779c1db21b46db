import { databaseServer } from "../../server/src/platform/db/databaseServer.testing.ts";
import { connectAsOwner } from "../../server/src/platform/db/db.ts";
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
import { fill, type Size, sizeOf } from "./scale/fill.ts";
import { isThere, keptName } from "./scale/kept.ts";
import { lists } from "./scale/requests.ts";
import { makeDatabase, signIn } from "./setup/database.ts";
import { makeSettings, startBare, startProduct } from "./setup/product.ts";

type Load = { rounds: number; seconds: number; connections: number };

const fewTransactions = 10_000;
const growthMax = 1.5;
const engineMax = 1.2;
const listNodeMax = 18;
const healthNodeMax = 1.5;

/** The first, a numbered and the last page of every list. */
const cases: Case[] = lists.flatMap(({ path }) =>
  [
    ["first page", ""],
    ["page 400", "?page=400"],
    ["last page", "?before=end"],
  ].map(([place, query]) => ({ name: `${path}, ${place}`, path: `/api${path}${query}` })),
);

const inSmall = (name: string) => `${name}, few rows`;

/** The database of `npm run scale` with this size, because filling one takes long. */
const findKept = async (size: Size) => {
  const { pool } = connectAsOwner(databaseServer);
  const name = keptName(size);
  try {
    if (!(await isThere(pool, name))) return null;
    // `npm run scale` logs the plans of all statements.
    await pool.query(`alter database ${name} reset all`);
    return name;
  } finally {
    await pool.end();
  }
};

/** A product with a database with so many transactions and as many of everything else as belong to them. */
const openAt = async (transactions: number, signal: AbortSignal) => {
  const size = sizeOf(transactions);
  const kept = await findKept(size);
  const database = makeDatabase(kept ? { name: kept, isKept: true } : {});
  const settings = makeSettings(database.url);
  if (!kept) await fill({ settings, size, signal, tell: () => undefined });
  const cookie = await signIn(database);
  const statements = await statementsOf(settings, { cases, headers: { cookie } });
  const product = await startProduct(settings, signal);
  return {
    database,
    cookie,
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
  const ofSmall = subjectsOf({ ...small, cases, bare });
  const names = new Set(cases.map(({ name }) => name));
  // Each list with few rows next to the same one with many, and without pgbench at full speed.
  const subjects = subjectsOf({ ...large, cases, bare })
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
