import type { Histogram } from "prom-client";
import { transact } from "../audit/context.ts";
import { type Db, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import type { MadeChange } from "../events/announce.ts";
import type { Logger } from "../log.ts";
import { traceJob } from "../tracing/tracing.ts";
import type { Poller } from "./pollers.ts";
import type { Job, Queues, Step } from "./queues.ts";

type Settings = {
  db: Db;
  log: Logger;
  now: () => Date;
  announce: (changes: MadeChange[]) => Promise<void>;
  jobSeconds: Histogram<"queue" | "result">;
  /** Runs before each job. */
  prepare?: () => Promise<void>;
};

export const stepsOf =
  (queues: Queues, { db, announce }: Pick<Settings, "db" | "announce">) =>
  (name: string, requestId: string | null = null): Step => {
    const actor = { kind: "system" as const, id: null, name };
    const context = { actor, address: null, requestId, reason: null };
    return async (work, own) => {
      const { result, changed } = await transact(db, own?.context ?? context, (transaction) =>
        work(transaction, queues.enqueueIn(transaction)),
      );
      await announce(own ? own.announced(changed) : changed);
      return result;
    };
  };

const findDueSql = statement(
  "jobs.findDue",
  `select queue as name from unnest($1::text[]) queue where exists (
     select from pgboss.job j
     where j.name = queue and j.state < 'active' and not j.blocked and j.start_after <= pg_catalog.now())`,
).narrow<{ name: string }>();

/** Wakes the queues that have a job to do. One statement for all of them, because each would ask as often. */
const wakeQueues = ({ boss }: Queues, workers: ReadonlyMap<string, string>): Poller => ({
  name: "wake-queues",
  everyMs: 1000,
  turn: async ({ db }) => {
    for (const { name } of await run(db, findDueSql, [[...workers.keys()]]))
      boss.notifyWorker(workers.get(name) ?? "");
  },
  settle: async () => undefined,
});

/** Runs jobs, each in its own transaction unless it works in steps. Returns the poller that wakes their queues. */
export const work = async (queues: Queues, jobs: readonly Job[], settings: Settings) => {
  const { db, log, now, jobSeconds, prepare } = settings;
  const stepOf = stepsOf(queues, settings);
  const workers = new Map<string, string>();
  // The queues also look for themselves, in case they aren't woken.
  const options = { pollingIntervalSeconds: 600 };
  for (const job of jobs) {
    if (job.every) await queues.boss.schedule(job.name, job.every, {}, { tz: "UTC" });
    const worker = await queues.boss.work<object>(job.name, options, async ([taken]) => {
      if (!taken) return;
      const step = stepOf(job.name, taken.id);
      const observe = jobSeconds.startTimer({ queue: job.name });
      try {
        await prepare?.();
        const payload = job.payload.parse(taken.data ?? {});
        const tools = { now: now(), step };
        await traceJob(job.name, taken.data, () =>
          job.inSteps
            ? job.run({ ...tools, db, enqueue: queues.enqueueIn(db) }, payload)
            : step((transaction, enqueue) =>
                job.run({ ...tools, db: transaction, enqueue }, payload),
              ),
        );
        observe({ result: "done" });
        log.info({ job: job.name, jobId: taken.id }, "job done");
      } catch (error) {
        observe({ result: "failed" });
        log.error(
          { err: error, job: job.name, jobId: taken.id, attempts: taken.retryCount + 1 },
          "job failed",
        );
        throw error;
      } finally {
        // The next job of the queue may wait already, so it looks again at once.
        queues.boss.notifyWorker(workers.get(job.name) ?? "");
      }
    });
    workers.set(job.name, worker);
  }
  return wakeQueues(queues, workers);
};
