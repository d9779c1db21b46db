import type { Db } from "#platform/db/db.ts";
import { forgetKnownDevices } from "../sessions/knownDevices.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { startGracePeriod } from "./requirement.ts";
import { deleteAuthenticator } from "./totp.ts";

/** Removes every factor and recovery code of a user. */
export const deleteFactors = async (db: Db, userId: string) => {
  await deleteAuthenticator(db, userId);
  await db.deleteFrom("passkeys").where("userId", "=", userId).execute();
};

/** For a user who lost their factors. They sign in with the password and set up new ones before anything else. */
export const resetTwoFactor = async (db: Db, userId: string) => {
  await deleteFactors(db, userId);
  await endSessionsOf(db, userId);
  await forgetKnownDevices(db, userId);
  // Long ago, so that there is no grace period. The row is deleted if the role doesn't require two factors.
  await db.deleteFrom("secondFactorDuties").where("userId", "=", userId).execute();
  await startGracePeriod(db, userId, new Date(0));
};
