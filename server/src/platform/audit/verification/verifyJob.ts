import { z } from "zod";
import { type Job, job } from "#platform/jobs/queues.ts";
import { faultMessage } from "../log.ts";
import { beginVerifying, recordVerification, verifyOn } from "./verify.ts";

const place = z.object({
  startedAt: z.coerce.date(),
  lastSeal: z.int(),
  lastEntry: z.int(),
  seal: z.int(),
  entry: z.int(),
});

const payload = z.object({
  place: place.optional(),
  /** From the start of the log instead of where the last run ended. */
  isWhole: z.boolean().optional(),
});

// A run that takes longer than a job may would be restarted, so a new job continues from its place.
const runMs = 5 * 60_000;

const sunday = 0;

/**
 * Verifies what was added to the log every night, and the whole log on Sundays and after a fault, and stores the result.
 * A broken chain fails the job, so that it is noticed.
 */
export const verifyAuditJob: Job<typeof payload> = job({
  name: "verify-audit",
  payload,
  every: "17 3 * * *",
  inSteps: true,
  run: async ({ db, now, step, enqueue }, { place: from, isWhole = false }) => {
    const endsAt = performance.now() + runMs;
    const since = isWhole || now.getUTCDay() === sunday ? "start" : "last verified";
    const { place, broken, ended } = await verifyOn(
      db,
      from ?? (await beginVerifying(db, now, since)),
      {
        goesOn: () => performance.now() < endsAt,
      },
    );
    if (!ended) return enqueue(verifyAuditJob, { place: JSON.parse(JSON.stringify(place)) });
    await step((transaction) => recordVerification(transaction, place, broken));
    if (broken) throw new Error(`Audit log verification failed. ${faultMessage(broken).text}`);
  },
});
