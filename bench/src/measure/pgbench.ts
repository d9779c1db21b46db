import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { runProgram } from "../setup/processes.ts";
import { type Meter, spentBetween } from "./meter.ts";
import { percentile, type Sample } from "./sample.ts";
import type { Statement } from "./statements.ts";

const applicationName = "purser pgbench";
// The end of a run isn't measured, because the CPU time of closed connections is lost.
const marginMs = 400;
const pollMs = 50;

/** The text form of a value for PostgreSQL. */
const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map((one) => JSON.stringify(one)).join(",")}}`;
  return String(value);
};

/** The statements as one script, with a pgbench variable for each placeholder. */
const scriptOf = (statements: Statement[]) => {
  const defined: string[] = [];
  const define = (name: string, value: string) => {
    defined.push("-D", `${name}=${value}`);
    return `:${name}`;
  };
  const script = statements.map(({ text, values }, statement) => {
    for (const [index, value] of values.entries())
      if (value !== null) define(`v${statement}_${index + 1}`, textOf(value));
    let literals = 0;
    // In a literal such as 'apps:read', pgbench would find a variable, too.
    const safe = text.replace(/'((?:[^']|'')*)'/g, (literal, inner: string) => {
      if (!/:\w/.test(literal)) return literal;
      literals += 1;
      return define(`l${statement}_${literals}`, inner.replaceAll("''", "'"));
    });
    const withValues = safe.replace(/\$(\d+)/g, (_, place: string) =>
      // pgbench has no variable without a value.
      values[Number(place) - 1] === null ? "null" : `:v${statement}_${place}`,
    );
    return `${withValues};\n`;
  });
  return { script: script.join(""), defined };
};

type Script = { databaseUrl: string; statements: Statement[]; rate?: number };
type Run = { seconds: number; connections: number; signal: AbortSignal };

type Transaction = { ms: number; endedAt: number };

/** The log lines of pgbench: client, number, microseconds, script and end time. */
const transactionsIn = async (folder: string): Promise<Transaction[]> => {
  const files = (await readdir(folder)).filter((file) => file.startsWith("times."));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const lines = texts.flatMap((text) => text.trimEnd().split("\n"));
  return lines.map((line) => {
    const [, , us = 0, , seconds = 0, rest = 0] = line.split(" ").map(Number);
    return { ms: us / 1000, endedAt: seconds * 1000 + rest / 1000 };
  });
};

/** The CPU time of the backends from when all are connected until shortly before the end. */
const watch = async (meter: Meter, { seconds, connections, signal }: Run) => {
  const until = Date.now() + seconds * 1000 - marginMs;
  let before = await meter.backendsOf(applicationName);
  while (before.size < connections && Date.now() < until) {
    await wait(pollMs, undefined, { signal });
    before = await meter.backendsOf(applicationName);
  }
  const from = Date.now();
  await wait(Math.max(0, until - from), undefined, { signal });
  const spentUs = spentBetween(before, await meter.backendsOf(applicationName));
  return { from, to: Date.now(), spentUs };
};

/** Runs the same statements with pgbench, to measure what the database alone can do. */
export const measurePgbench = async (
  { databaseUrl, statements, rate }: Script,
  run: Run,
  meter: Meter,
): Promise<Sample> => {
  const folder = await mkdtemp(join(tmpdir(), "purser-bench-"));
  try {
    const { script, defined } = scriptOf(statements);
    await writeFile(join(folder, "script.sql"), script);
    const settings = `-n -M prepared -c ${run.connections} -T ${run.seconds}`.split(" ");
    const files = ["-f", join(folder, "script.sql"), "-l", `--log-prefix=${folder}/times`];
    const limit = rate === undefined ? [] : ["-R", String(rate)];
    const [printed, { from, to, spentUs }] = await Promise.all([
      runProgram({
        file: "pgbench",
        args: [...settings, ...limit, ...files, ...defined, databaseUrl],
        env: { PGAPPNAME: applicationName, PGOPTIONS: "-c role=purser_app" },
        signal: run.signal,
      }),
      watch(meter, run),
    ]);
    const transactions = await transactionsIn(folder);
    const times = transactions.map(({ ms }) => ms);
    const watched = transactions.filter(({ endedAt }) => endedAt > from && endedAt <= to).length;
    return {
      perSecond: Number(/^tps = ([\d.]+)/m.exec(printed)?.[1]),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      nodeUs: null,
      postgresUs: spentUs === null || watched === 0 ? null : spentUs / watched,
      refused: 0,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};
