import { setTimeout as wait } from "node:timers/promises";
import { startServer } from "../setup/processes.ts";
import { startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";

const seconds = 120;
const transactionsPerSecondMax = 5;

/** R8: what an installation without requests sends to the database. */
export const drillIdle = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("idle");
  await using cluster = await startCluster(
    "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track_utility = on\n",
  );
  const { settings } = await install(cluster, signal);
  await cluster.query("create extension pg_stat_statements", "purser");
  await using _server = await startServer(
    {
      args: ["server/src/main.ts", "serve", "--work"],
      env: settings,
      readyPath: "/readyz",
    },
    signal,
  );
  const count = async () => {
    const [row] = await cluster.query<{ done: number }>(
      "select (xact_commit + xact_rollback)::int as done from pg_stat_database where datname = 'purser'",
    );
    return row?.done ?? 0;
  };
  // The jobs of the first minute.
  await wait(70_000, undefined, { signal });
  await cluster.query("select pg_stat_statements_reset()", "purser");
  const before = await count();
  await wait(seconds * 1000, undefined, { signal });
  const perSecond = ((await count()) - before) / seconds;
  const statements = await cluster.query<{ calls: number; text: string }>(
    `select calls::int, regexp_replace(left(query, 150), '\\s+', ' ', 'g') as text from pg_stat_statements
     where dbid = (select oid from pg_database where datname = 'purser') order by calls desc limit 12`,
    "purser",
  );
  for (const { calls, text } of statements)
    say(`${(calls / seconds).toFixed(2)} a second: ${text.slice(0, 90)}`);
  expect(
    `${perSecond.toFixed(1)} transactions a second, at most ${transactionsPerSecondMax}`,
    perSecond <= transactionsPerSecondMax,
  );
  end();
};
