import type { Db } from "#platform/db/db.ts";
import { hashToken, newToken } from "../secrets.ts";

type Purpose = "code" | "passkey sign-in" | "passkey adding" | "sso";

/** At the identity provider, users may have to find a password and a phone first. */
const minutes = { sso: 10, code: 5, "passkey sign-in": 5, "passkey adding": 5 };
const attemptsMax = 5;

/** A challenge can be answered once within minutes, by the caller who has its token. */
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

/** Deletes the challenge, so that it can not be answered again whatever the result is. */
export const takeChallenge = (db: Db, token: string, purpose: Purpose, now: Date) =>
  db
    .deleteFrom("challenges")
    .where("tokenHash", "=", hashToken(token))
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", now)
    .returning(["userId", "webauthn", "sealed"])
    .executeTakeFirst();

/** Counts an attempt at a code before it is checked. After the last one the challenge can not be used. */
export const countCodeAttempt = (db: Db, token: string, now: Date) =>
  db
    .updateTable("challenges")
    .set(({ eb }) => ({ tries: eb("tries", "+", 1) }))
    .where("tokenHash", "=", hashToken(token))
    .where("purpose", "=", "code")
    .where("expiresAt", ">", now)
    .where("tries", "<", attemptsMax)
    .returning("userId")
    .executeTakeFirst();

/** Ends an answered challenge. False if another request has ended it. */
export const endChallenge = async (db: Db, token: string) => {
  const { numDeletedRows } = await db
    .deleteFrom("challenges")
    .where("tokenHash", "=", hashToken(token))
    .executeTakeFirst();
  return numDeletedRows > 0n;
};
