import { setImmediate } from "node:timers/promises";
import { allows, type Role } from "@purser/contract/auth/permissions";
import { entities } from "@purser/contract/entities";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Db } from "../../db/db.ts";
import type { MadeChange } from "../../events/announce.ts";
import { announceRarely } from "../../events/announceRarely.ts";
import type { OpenApprovalGate } from "../../http/approvalGate.ts";
import { problemOf } from "../../http/errors.ts";
import { type Enqueue, type Job, job, type Step } from "../../jobs/queues.ts";
import { message } from "../../messages.ts";
import { notify } from "../../notifications/notifications.ts";
import { type FindZone, findRetention } from "../../settings.ts";
import { finishExport } from "../exportLog.ts";
import {
  deleteOldPart,
  endJob,
  findRunning,
  findStarter,
  lockRunning,
  type RunningJob,
  type Starter,
} from "./queries.ts";
import { runBulkBatch } from "./runBulk.ts";
import { runExportBatch } from "./runExport.ts";

type Tools = Pick<FastifyInstance, "writes" | "listSources"> & {
  openApprovalGate: OpenApprovalGate;
  findZone: FindZone;
};

// Less than the minute until the next job, which continues.
const runMs = 50_000;

/** To enqueue the job, which `compose.ts` creates with the handlers. */
export const listJobsJob: Job<z.ZodObject> = {
  name: "run-list-jobs",
  payload: z.object({}),
  run: async () => undefined,
};

const lostPermission = message(
  "list_job_forbidden",
  "You no longer have permission for this, so the job was stopped.",
);
const unexpected = message(
  "list_job_unexpected",
  "An unexpected error stopped this job. Contact support.",
);

const noticeOf = ({ action, done, total }: RunningJob) =>
  action === "export"
    ? message(
        "list_job_export_ready",
        "Your export of {rows, plural, one {# row} other {# rows}} is ready",
        { rows: done },
      )
    : message(
        "list_job_finished",
        "Your bulk action changed {done} of {total, plural, one {# row} other {# rows}}",
        { done, total: total ?? 0 },
      );

const failureOf = ({ action }: RunningJob) =>
  action === "export"
    ? message("list_job_export_failed", "Your export failed")
    : message("list_job_failed", "Your bulk action failed");

const end = async (
  db: Db,
  job: RunningJob,
  { error, now, enqueue }: { error?: typeof unexpected; now: Date; enqueue: Enqueue },
) => {
  await endJob(db, job.id, { status: error ? "failed" : "finished", ...(error && { error }), now });
  if (job.exportId) await finishExport(db, enqueue, { id: job.exportId, rows: job.done });
  await notify(db, {
    to: [job.userId],
    kind: job.action === "export" ? "file" : "job",
    message: error ? failureOf(job) : noticeOf(job),
    path: entities[job.list].list,
  });
};

/** Runs the next batch of a locked job. Returns whether the job continues. */
const runBatch = async (
  tools: Tools,
  { db, job, now, enqueue }: { db: Db; job: RunningJob; now: Date; enqueue: Enqueue },
): Promise<boolean> => {
  const { bulk, file } = tools.listSources.get(job.list) ?? {};
  const source = job.action === "export" ? file : bulk;
  if (!source) throw new Error(`The list ${job.list} has no job ${job.action}.`);
  const isAllowed =
    job.userStatus === "active" && job.role && allows(job.role as Role, source.permission);
  if (!isAllowed) {
    await end(db, job, { error: lostPermission, now, enqueue });
    return false;
  }
  const hasMore =
    job.action === "export" && file
      ? await runExportBatch(db, file, { job, zone: await tools.findZone(db) })
      : bulk !== undefined && (await runBulkBatch(tools, bulk, { db, job, now }));
  if (!hasMore) await end(db, job, { now, enqueue });
  return hasMore;
};

/** Every entry of a job belongs to one action in the history. */
const contextOf = (id: string, { userId, name, address, reason }: Starter) => ({
  actor: { kind: "user" as const, id: userId, name },
  address,
  requestId: id,
  reason,
});

type Turn = { db: Db; step: Step; now: Date; announced: (changes: MadeChange[]) => MadeChange[] };

/**
 * The next batch of a job in its own transaction, which also stores the position. After a crash neither is stored, so
 * the next worker repeats the batch. Returns whether this worker can continue it.
 */
const takeTurn = async (tools: Tools, { db, step, now, announced }: Turn, id: string) => {
  const starter = await findStarter(db, id);
  if (!starter) return false;
  const as = { context: contextOf(id, starter), announced };
  try {
    return await step(async (within, enqueue) => {
      const job = await lockRunning(within, id);
      return job ? runBatch(tools, { db: within, job, now, enqueue }) : false;
    }, as);
  } catch (error) {
    // A restart of the database or a lock: the next turn repeats the batch.
    if (error instanceof Error && problemOf(error, () => undefined).code === "unavailable")
      throw error;
    await step(async (within, enqueue) => {
      const job = await lockRunning(within, id);
      if (job) await end(within, job, { error: unexpected, now, enqueue });
    }, as);
    throw error;
  }
};

/** Runs the waiting jobs in turn, a batch of each. Any number of workers share them. */
export const runListJobs = (tools: Tools) =>
  job({
    ...listJobsJob,
    every: "* * * * *",
    inSteps: true,
    run: async ({ db, step, enqueue, now }) => {
      const startedAt = performance.now();
      const announced = announceRarely(["notifications"]);
      const errors: unknown[] = [];
      const failed = new Set<string>();
      const takeRound = async () => {
        let hasMore = false;
        for (const id of (await findRunning(db)).filter((one) => !failed.has(one)))
          try {
            const moment = new Date(now.getTime() + performance.now() - startedAt);
            if (await takeTurn(tools, { db, step, now: moment, announced }, id)) hasMore = true;
          } catch (error) {
            // The others don't wait for one that fails.
            failed.add(id);
            errors.push(error);
          }
        // Requests of the same process go first.
        await setImmediate();
        return hasMore;
      };
      while (await takeRound())
        if (performance.now() - startedAt > runMs) {
          await enqueue(listJobsJob, {});
          break;
        }
      if (errors.length > 0) throw errors[0];
    },
  });

/** Deletes jobs with their results and files some days after their end. */
export const forgetListJobs = job({
  name: "forget-list-jobs",
  payload: z.object({}),
  every: "37 4 * * *",
  inSteps: true,
  run: async ({ step, now }) => {
    const { exportDays } = await step((db) => findRetention(db));
    const before = new Date(+now - exportDays * 86_400_000);
    while (await step((db) => deleteOldPart(db, before)));
  },
});
