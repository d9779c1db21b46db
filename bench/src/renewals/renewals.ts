import { setTimeout as wait } from "node:timers/promises";
import type { Verdict } from "../goals.ts";
import { printVerdicts } from "../report.ts";
import { type BenchDatabase, fillDatabase, makeDatabase } from "../setup/database.ts";
import { makeSettings, type Settings, startWorker } from "../setup/product.ts";
import { countDue, countWrong, makeAllDue } from "./dueSubscriptions.ts";

// 100,000 in three minutes.
const perSecondMin = 100_000 / 180;
const pollMs = 250;

const untilDue = async (
  database: BenchDatabase,
  isEnough: (due: number) => boolean,
  signal: AbortSignal,
) => {
  for (let due = await countDue(database); !isEnough(due); due = await countDue(database))
    await wait(pollMs, undefined, { signal });
};

/** Two workers renew everything. One is killed when a quarter is done, both when half is done. */
const measureWorkers = async (
  database: BenchDatabase,
  { settings, count, signal }: { settings: Settings; count: number; signal: AbortSignal },
) => {
  await using workers = new AsyncDisposableStack();
  const start = () => workers.use(startWorker(settings));
  const [first, second] = [start(), start()];
  // The schedule starts the job at the next full minute.
  await untilDue(database, (due) => due < count, signal);
  const begun = performance.now();
  await untilDue(database, (due) => due <= (count * 3) / 4, signal);
  await first.stop("SIGKILL");
  const third = start();
  await untilDue(database, (due) => due <= count / 2, signal);
  await Promise.all([second.stop("SIGKILL"), third.stop("SIGKILL")]);
  const killedAt = count - (await countDue(database));
  start();
  start();
  await untilDue(database, (due) => due === 0, signal);
  return { seconds: (performance.now() - begun) / 1000, killedAt };
};

const bareBatch = 250;

/** Inserts the same rows into tables with the same indexes but no triggers, on two connections. */
const measureBare = async ({ query }: BenchDatabase) => {
  for (const table of ["transactions", "transaction_lines", "transaction_events"])
    await query(
      `create table bare_${table} (like ${table} including defaults including indexes including constraints)`,
    );
  const rows = await query<{ id: string }>("select id from transactions where kind = 'renewal'");
  const ids = rows.map(({ id }) => id);
  const begun = performance.now();
  const insert = async () => {
    for (let batch = ids.splice(0, bareBatch); batch.length > 0; batch = ids.splice(0, bareBatch))
      await query(
        `with sales as (insert into bare_transactions select * from transactions where id = any ($1::uuid[])),
         lines as (insert into bare_transaction_lines
           select * from transaction_lines where transaction_id = any ($1::uuid[]))
         insert into bare_transaction_events select * from transaction_events where transaction_id = any ($1::uuid[])`,
        [batch],
      );
  };
  await Promise.all([insert(), insert()]);
  return (performance.now() - begun) / 1000;
};

const none = (what: string, value: number): Verdict => ({
  what: `${what}, at most 0`,
  value,
  unit: "ratio",
  holds: value === 0,
});

/** Renews many subscriptions at once with two workers that are killed, and checks that each was renewed once. */
export const benchRenewals = async (subscribers: number, signal: AbortSignal) => {
  await using database = makeDatabase();
  const settings = makeSettings(database.url);
  const amount = String(subscribers);
  await fillDatabase(database, {
    seed: {
      options: ["--users", amount, "--grants", amount, "--subscribers", amount],
      description: `${subscribers.toLocaleString("en")} subscribers`,
    },
    settings,
    signal,
  });
  const count = await makeAllDue(database);
  const { seconds, killedAt } = await measureWorkers(database, { settings, count, signal });
  const wrong = await countWrong(database);
  const bareSeconds = await measureBare(database);
  const perSecond = count / seconds;
  console.log(
    `${count} renewed in ${seconds.toFixed(1)} s (${perSecond.toFixed(0)} per second), both workers killed at ${killedAt}. The bare inserts took ${bareSeconds.toFixed(1)} s.`,
  );
  const verdicts: Verdict[] = [
    {
      what: `renewals per second / ${perSecondMin.toFixed(0)}, at least 1`,
      value: perSecond / perSecondMin,
      unit: "ratio",
      // The restarts of the workers take as long as many renewals.
      holds: count >= 100_000 ? perSecond >= perSecondMin : null,
    },
    {
      what: "seconds, ours / bare inserts",
      value: seconds / bareSeconds,
      unit: "ratio",
      holds: null,
    },
    none("subscriptions renewed twice", wrong.twice),
    none("subscriptions not renewed", wrong.missing),
    none("renewals with missing rows", wrong.incomplete),
  ];
  printVerdicts(verdicts);
  return verdicts;
};
