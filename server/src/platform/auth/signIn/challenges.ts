import type { Db } from "#platform/db/db.ts";
import { hashToken, newToken } from "../secrets.ts";

type Purpose = "code" | "passkey sign-in" | "passkey adding" | "company sign-in";

/** At the company people may have to find a password and a phone first. */
const minutes = { "company sign-in": 10, code: 5, "passkey sign-in": 5, "passkey adding": 5 };
const triesMax = 5;

/** Something that must be answered soon and once; the caller carries its token. */
export const startChallenge = async (
  db: Db,
  {
    purpose,
    userId,
    webauthn = null,
    sealed = null,
    now,
  }: {
    purpose: Purpose;
    userId: string | null;
    webauthn?: string | null;
    sealed?: Buffer | null;
    now: Date;
  },
) => {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + minutes[purpose] * 60_000);
  await db
    .insertInto("challenges")
    .values({ tokenHash: hashToken(token), purpose, userId, webauthn, sealed, expiresAt })
    .execute();
  return { challenge: token, expiresAt };
};

/** Takes the challenge away: whatever comes of it, it cannot be answered again. */
export const takeChallenge = (db: Db, token: string, purpose: Purpose, now: Date) =>
  db
    .deleteFrom("challenges")
    .where("tokenHash", "=", hashToken(token))
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", now)
    .returning(["userId", "webauthn", "sealed"])
    .executeTakeFirst();

/** Counts one try at a code; after the last one the challenge is dead. */
export const tryChallenge = (db: Db, token: string, now: Date) =>
  db
    .updateTable("challenges")
    .set(({ eb }) => ({ tries: eb("tries", "+", 1) }))
    .where("tokenHash", "=", hashToken(token))
    .where("purpose", "=", "code")
    .where("expiresAt", ">", now)
    .where("tries", "<", triesMax)
    .returning("userId")
    .executeTakeFirst();

/** Ends a challenge that was met; false if somebody ended it before. */
export const endChallenge = async (db: Db, token: string) => {
  const { numDeletedRows } = await db
    .deleteFrom("challenges")
    .where("tokenHash", "=", hashToken(token))
    .executeTakeFirst();
  return numDeletedRows > 0n;
};
