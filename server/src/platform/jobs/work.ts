import type { Change } from "@purser/contract/events";
import { transact } from "../audit/context.ts";
import type { Db } from "../db/db.ts";
import type { Logger } from "../log.ts";
import type { Job, Queues } from "./queues.ts";

type Settings = {
  db: Db;
  log: Logger;
  now: () => Date;
  announce: (changes: Change[]) => Promise<void>;
};

/** Runs jobs, each in a transaction of its own unless it asks for steps. */
export const work = async (queues: Queues, jobs: readonly Job[], settings: Settings) => {
  const { db, log, now, announce } = settings;
  for (const job of jobs) {
    if (job.every) await queues.boss.schedule(job.name, job.every, {}, { tz: "UTC" });
    await queues.boss.work<object>(job.name, { pollingIntervalSeconds: 0.5 }, async ([taken]) => {
      if (!taken) return;
      const context = {
        actor: { kind: "system" as const, id: null, name: job.name },
        address: null,
        requestId: taken.id,
        reason: null,
      };
      try {
        const payload = job.payload.parse(taken.data ?? {});
        if (job.inSteps) await job.run({ db, now: now() }, payload);
        else {
          const { changed } = await transact(db, context, (transaction) =>
            job.run({ db: transaction, now: now() }, payload),
          );
          await announce(changed);
        }
        log.info({ job: job.name, jobId: taken.id }, "job done");
      } catch (error) {
        log.error(
          { err: error, job: job.name, jobId: taken.id, tries: taken.retryCount + 1 },
          "job failed",
        );
        throw error;
      }
    });
  }
};
