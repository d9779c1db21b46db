import type { Db } from "#platform/db/db.ts";
import { addDays } from "#platform/periods.ts";
import { findSettings } from "#platform/settings.ts";

/** Access of a period ends with its grace period. A paid next period shortens it again. */
export const accessEndAfter = (periodEnd: Date, graceDays: number, zone: string) =>
  addDays(periodEnd, graceDays, zone);

export const accessEndOf = async (db: Db, periodEnd: Date, zone: string) =>
  accessEndAfter(periodEnd, (await findSettings(db)).graceDays, zone);
