import type { Db } from "../db/db.ts";
import { deleteOldAnswers } from "./oneTimeAnswers.ts";
import { deviceDays } from "./sessions/knownDevices.ts";
import { absoluteHours } from "./sessions/sessions.ts";
import { deleteFulfilledRequirements } from "./twoFactor/requirement.ts";

/** Deletes the rows of sign-in that have expired. */
export const deleteExpired = async (db: Db, now: Date) => {
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  await db.deleteFrom("sessions").where("createdAt", "<", ago(absoluteHours)).execute();
  await db.deleteFrom("challenges").where("expiresAt", "<", now).execute();
  await db.deleteFrom("links").where("expiresAt", "<", now).execute();
  await db.deleteFrom("tries").where("lastAt", "<", ago(24)).execute();
  await db
    .deleteFrom("knownDevices")
    .where("seenAt", "<", ago(deviceDays * 24))
    .execute();
  await deleteOldAnswers(db, now);
  await deleteFulfilledRequirements(db);
};
