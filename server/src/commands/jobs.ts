import type { Db } from "../platform/db/db.ts";
import { findFailedJobs, retryJobNow, retryJobsNow } from "../platform/jobs/failedJobs.ts";
import { isUuid } from "../platform/lists/sql.ts";
import { type Command, connectTo, UsageError } from "./command.ts";
import { countJobs, findQueueOf } from "./jobQueries.ts";
import { columnsOf, timeOf } from "./table.ts";

type Print = (text: string) => unknown;

const usage = "Usage: purser jobs, purser jobs failed, or purser jobs retry <id>|--all.";

const showCounts = async (db: Db, print: Print) => {
  const queues = await countJobs(db);
  if (queues.length === 0) return print("No jobs are waiting, running or failed.\n");
  const rows = queues.map(({ name, waiting, running, failed, oldestAt }) => [
    name,
    ...[waiting, running, failed].map(String),
    oldestAt ? timeOf(oldestAt) : "",
  ]);
  print(columnsOf([["job", "waiting", "running", "failed", "oldest waiting since"], ...rows]));
};

const shownMax = 100;
const oneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 300);

const showFailed = async (db: Db, print: Print) => {
  const failed = await findFailedJobs(db, []);
  if (failed.length === 0) return print("No failed jobs.\n");
  const rows = failed.map(({ id, name, attempts, failedAt, nextTryAt, error }) => [
    ...[id, name, String(attempts), timeOf(failedAt), nextTryAt ? timeOf(nextTryAt) : "none"],
    oneLine(error),
  ]);
  print(columnsOf([["id", "job", "attempts", "failed at", "next attempt", "error"], ...rows]));
  if (failed.length === shownMax) print(`Only the latest ${shownMax} are listed.\n`);
};

const retryOne = async (db: Db, id: string) => {
  const name = isUuid(id) ? await findQueueOf(db, id) : null;
  if (!name || !(await retryJobNow(db, name, id)))
    throw new UsageError(`No failed job has the ID ${id}. List them with \`purser jobs failed\`.`);
  return 1;
};

const retry = async (db: Db, id: string | null, print: Print) => {
  const retried = id
    ? await retryOne(db, id)
    : await retryJobsNow(db, { emailQueues: [], only: null });
  print(
    `${retried} failed ${retried === 1 ? "job" : "jobs"} will run again. Workers start them within seconds.\n`,
  );
};

export const jobs: Command = async (config, { rest: [action, id], all = false, print }) => {
  const isKnown = action === undefined || action === "failed" || action === "retry";
  // Either one job or all of them.
  if (!isKnown || (action === "retry" && (id !== undefined) === all)) throw new UsageError(usage);
  const open = connectTo(config, "purser jobs");
  try {
    if (action === "retry") await retry(open.db, id ?? null, print);
    else await (action === "failed" ? showFailed : showCounts)(open.db, print);
  } finally {
    await open.db.destroy();
  }
};
