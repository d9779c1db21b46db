import { checksKeptDays } from "@purser/contract/integration/endpoints";
import type { Db } from "#platform/db/db.ts";
import { forgetDenials, forgetRows, forgottenAtOnce } from "./queries.ts";

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

type Step = (work: (db: Db) => Promise<number>) => Promise<number>;

/** Deletes counts and denials that no screen shows any more, some in each step. */
export const forgetOldChecks = async (step: Step, now: Date) => {
  for (const { table, resolution, hours } of kept) {
    const old = { table, resolution, before: before(now, hours) };
    while ((await step((db) => forgetRows(db, old))) === forgottenAtOnce);
  }
  const oldest = before(now, keptHours);
  while ((await step((db) => forgetDenials(db, oldest))) === forgottenAtOnce);
};
