import { checksKeptDays } from "@purser/contract/integration/endpoints";
import { z } from "zod";
import { job } from "#platform/jobs/queues.ts";
import { forgetDenials, forgetRows, forgottenAtOnce } from "./queries.ts";
import { updateRisen } from "./risen.ts";

const hourMs = 3_600_000;
const keptHours = checksKeptDays * 24;

/** An hour longer than screens show. */
const kept = [
  { table: "check_counts", resolution: "minute", hours: 2 },
  { table: "check_counts", resolution: "hour", hours: keptHours + 1 },
  { table: "check_rates", resolution: "minute", hours: 25 },
  { table: "check_rates", resolution: "hour", hours: keptHours + 1 },
] as const;

const before = (now: Date, hours: number) => new Date(now.getTime() - hours * hourMs);

export const forgetChecks = job({
  name: "forget-checks",
  payload: z.object({}),
  every: "41 * * * *",
  inSteps: true,
  run: async ({ now, step }) => {
    for (const { table, resolution, hours } of kept) {
      const old = { table, resolution, before: before(now, hours) };
      while ((await step((db) => forgetRows(db, old))) === forgottenAtOnce);
    }
    const oldest = before(now, keptHours);
    while ((await step((db) => forgetDenials(db, oldest))) === forgottenAtOnce);
  },
});

/** Finds apps of which a much larger part of the checks is denied than before, for Home. */
export const watchDenials = job({
  name: "watch-denials",
  payload: z.object({}),
  every: "3 * * * *",
  run: ({ db, now }) => updateRisen(db, now),
});
