import type { Db } from "#platform/db/db.ts";
import { findSettings } from "#platform/settings.ts";
import { addDays } from "./periods.ts";

/** Access of a period ends with its grace period. A paid next period shortens it again. */
export const accessEndOf = async (db: Db, periodEnd: Date, zone: string) =>
  addDays(periodEnd, (await findSettings(db)).graceDays, zone);
