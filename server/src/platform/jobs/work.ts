import type { Change } from "@purser/contract/workspace/liveChanges";
import { transact } from "../audit/context.ts";
import type { Db } from "../db/db.ts";
import type { Logger } from "../log.ts";
import type { Enqueue, Job, Queues } from "./queues.ts";

type Settings = {
  db: Db;
  log: Logger;
  now: () => Date;
  announce: (changes: Change[]) => Promise<void>;
};

/** A transaction that knows its actor. Its changes are announced after the commit. */
export type Step = <T>(work: (db: Db, enqueue: Enqueue) => Promise<T>) => Promise<T>;

export const stepsOf =
  (queues: Queues, { db, announce }: Pick<Settings, "db" | "announce">) =>
  (name: string, requestId: string | null = null): Step => {
    const actor = { kind: "system" as const, id: null, name };
    const context = { actor, address: null, requestId, reason: null };
    return async (work) => {
      const { result, changed } = await transact(db, context, (transaction) =>
        work(transaction, queues.enqueueIn(transaction)),
      );
      await announce(changed);
      return result;
    };
  };

/** Runs jobs, each in its own transaction unless it works in steps. */
export const work = async (queues: Queues, jobs: readonly Job[], settings: Settings) => {
  const { db, log, now } = settings;
  const stepOf = stepsOf(queues, settings);
  for (const job of jobs) {
    if (job.every) await queues.boss.schedule(job.name, job.every, {}, { tz: "UTC" });
    await queues.boss.work<object>(job.name, { pollingIntervalSeconds: 0.5 }, async ([taken]) => {
      if (!taken) return;
      const step = stepOf(job.name, taken.id);
      try {
        const payload = job.payload.parse(taken.data ?? {});
        const tools = { now: now(), step };
        if (job.inSteps) await job.run({ ...tools, db, enqueue: queues.enqueueIn(db) }, payload);
        else
          await step((transaction, enqueue) =>
            job.run({ ...tools, db: transaction, enqueue }, payload),
          );
        log.info({ job: job.name, jobId: taken.id }, "job done");
      } catch (error) {
        log.error(
          { err: error, job: job.name, jobId: taken.id, attempts: taken.retryCount + 1 },
          "job failed",
        );
        throw error;
      }
    });
  }
};
