import type { z } from "zod";
import { transact } from "../audit/context.ts";
import type { Db } from "../db/db.ts";
import type { Poller } from "../jobs/pollers.ts";
import type { Enqueue, Job, Queues, Step } from "../jobs/queues.ts";
import type { Platform } from "../platform.ts";
import { claimMove, endMove, extendClaim, releaseMove, saveStep } from "./moveQueries.ts";

const dayMs = 86_400_000;
/** Jobs that a job enqueues, and those that these enqueue. More than any job of the product needs. */
const jobsAtOnceMax = 10_000;
const failureMax = 500;
const extendMs = 10_000;

/** Another worker moves the clock now, so this one stops and changes nothing more. */
class ClaimLost extends Error {}

export type MoveJobs = {
  /** Run after every step, in this order. */
  eachStep: readonly Job[];
  /** Run once for each week that passes. */
  weekly: readonly Job[];
  /** Run when the clock has arrived. */
  atEnd: readonly Job[];
  /** The next time after this one at which something becomes due, as far as it is known. */
  nextDue: (db: Db, after: Date) => Promise<Date | null>;
};

type Due = { job: Job; data: object };

/** Runs jobs one after another at the time of the clock, and at once what they enqueue for this time. */
const runnerOf = ({ platform, queues }: { platform: Platform; queues: Queues }) => {
  const { db, announcements, now } = platform;
  const due: Due[] = [];

  const enqueueIn = (transaction: Db): Enqueue => {
    const later = queues.enqueueIn(transaction);
    return async (job, payload, at) => {
      if (at && at > now()) return later(job, payload, at);
      due.push({ job: job as unknown as Job, data: job.payload.parse(payload) as object });
    };
  };

  const stepOf =
    (name: string): Step =>
    async (work, own) => {
      const actor = { kind: "system" as const, id: null, name };
      const context = own?.context ?? { actor, address: null, requestId: null, reason: null };
      const { result, changed } = await transact(db, context, (transaction) =>
        work(transaction, enqueueIn(transaction)),
      );
      await announcements.announce(own ? own.announced(changed) : changed);
      return result;
    };

  const runOne = async ({ job, data }: Due) => {
    const step = stepOf(job.name);
    const payload: z.output<typeof job.payload> = job.payload.parse(data);
    const tools = { now: now(), step };
    if (job.inSteps) await job.run({ ...tools, db, enqueue: enqueueIn(db) }, payload);
    else
      await step((transaction, enqueue) =>
        job.run({ ...tools, db: transaction, enqueue }, payload),
      );
  };

  /** How many ran. */
  return async (jobs: readonly Job[]) => {
    // Discards jobs left over from a failed move.
    due.splice(0, due.length, ...jobs.map((job) => ({ job, data: {} })));
    let ran = 0;
    for (let next = due.shift(); next; next = due.shift()) {
      await runOne(next);
      ran += 1;
      if (ran > jobsAtOnceMax)
        throw new Error(`More than ${jobsAtOnceMax} jobs are due, the last is ${next.job.name}.`);
    }
    return ran;
  };
};

type Move = NonNullable<Awaited<ReturnType<typeof claimMove>>>;
type Tools = { platform: Platform; jobs: MoveJobs };

/** Moves the clock of test mode in steps when a team member asked for it, and runs what becomes due. */
export const moveClock = ({ platform, jobs }: Tools): Poller => {
  const { db, testMode, now, queues } = platform;
  if (!testMode) throw new Error("Live has no clock that can be moved.");
  const { clock } = testMode;
  const run = runnerOf({ platform, queues });

  const nextStep = async (target: Date) => {
    const today = now();
    const next = (await jobs.nextDue(db, today)) ?? target;
    return Math.min(target.getTime(), next.getTime(), today.getTime() + dayMs);
  };

  const save = async (claim: string, step: { aheadMs: number; jobsRun: number }) => {
    if (!(await saveStep(db, claim, step))) throw new ClaimLost();
  };

  const goTo = async (time: number, { claim, jobsRun }: { claim: string; jobsRun: number }) => {
    // Never negative: earlier jobs may have taken longer than this step.
    const ms = Math.max(0, time - now().getTime());
    await save(claim, { aheadMs: clock.aheadMs() + ms, jobsRun });
    await clock.refresh();
  };

  const moveTo = async ({ claim, target }: Move, stopping: AbortSignal) => {
    let jobsRun = 0;
    let weekFrom = 0;
    while (!stopping.aborted && now() < target) {
      await goTo(await nextStep(target), { claim, jobsRun });
      if (now().getTime() - weekFrom >= 7 * dayMs) {
        weekFrom = now().getTime();
        jobsRun += await run(jobs.weekly);
      }
      jobsRun += await run(jobs.eachStep);
    }
    if (stopping.aborted) return releaseMove(db, claim);
    await save(claim, { aheadMs: clock.aheadMs(), jobsRun });
    await run(jobs.atEnd);
    await endMove(db, claim, null);
  };

  return {
    name: "move-test-clock",
    everyMs: 500,
    turn: async ({ stopping, log }) => {
      await clock.refresh();
      const move = await claimMove(db);
      if (!move) return;
      const { claim } = move;
      // One job may take longer than the claim.
      const extending = setInterval(
        () => void extendClaim(db, claim).catch(() => undefined),
        extendMs,
      );
      try {
        await moveTo(move, stopping);
      } catch (error) {
        if (error instanceof ClaimLost)
          return log.warn("Another worker has taken over the move of the test clock.");
        log.error({ err: error }, "the clock of test mode stopped");
        const text = error instanceof Error ? error.message : String(error);
        await endMove(db, claim, text.slice(0, failureMax));
      } finally {
        clearInterval(extending);
      }
      await platform.announcements.announce([
        { entity: "settings", id: null, action: "update", by: null },
      ]);
    },
    settle: async () => undefined,
  };
};

/** Keeps the copies of the team and the settings up to date even when no one uses test mode. */
export const copyFromLive = ({ testMode }: Platform): Poller => ({
  name: "copy-from-live",
  everyMs: 5000,
  turn: async () => testMode?.copies.refresh(),
  settle: async () => undefined,
});
