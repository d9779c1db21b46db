import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Db } from "#platform/db/db.ts";
import { hashToken, openSealed, type SecretKeys, seal } from "../secrets.ts";

const periodSeconds = 30;
const recoveryCodesCount = 10;

/** What the secret of an authenticator app is sealed for. */
const authenticatorOf = (userId: string) => ({ purpose: "authenticator", id: userId });

const totp = (secret: Secret, label = "") =>
  new TOTP({
    issuer: "Purser",
    label,
    secret,
    period: periodSeconds,
    digits: 6,
    algorithm: "SHA1",
  });

export const findAuthenticator = (db: Db, userId: string) =>
  db.selectFrom("authenticators").select("confirmedAt").where("id", "=", userId).executeTakeFirst();

/** A new secret, which has no effect until a code of it is confirmed. */
export const beginAuthenticator = async (
  db: Db,
  { userId, email, keys }: { userId: string; email: string; keys: SecretKeys },
) => {
  const secret = new Secret({ size: 20 });
  const sealed = seal(keys, secret.base32, authenticatorOf(userId));
  const stored = await db
    .insertInto("authenticators")
    .values({ id: userId, secret: sealed })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ secret: sealed, lastStep: 0 })
        .where("authenticators.confirmedAt", "is", null),
    )
    .returning("id")
    .executeTakeFirst();
  return stored ? { secret: secret.base32, uri: totp(secret, email).toString() } : null;
};

export const confirmAuthenticator = async (db: Db, userId: string, now: Date) => {
  await db
    .updateTable("authenticators")
    .set({ confirmedAt: now })
    .where("id", "=", userId)
    .execute();
};

/** Also deletes the recovery codes. False if there is no authenticator. */
export const deleteAuthenticator = async (db: Db, userId: string) => {
  const { numDeletedRows } = await db
    .deleteFrom("authenticators")
    .where("id", "=", userId)
    .executeTakeFirst();
  await db.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
  return numDeletedRows > 0n;
};

/**
 * Whether the code is correct now. One statement compares and sets the time step, so that a code works only
 * once, even if two requests send it at the same time.
 */
export const useTotpCode = async (
  db: Db,
  { userId, code, keys, now }: { userId: string; code: string; keys: SecretKeys; now: Date },
) => {
  const row = await db
    .selectFrom("authenticators")
    .select("secret")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!row) return false;
  const secret = Secret.fromBase32(openSealed(keys, row.secret, authenticatorOf(userId)));
  const delta = totp(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  if (delta === null) return false;
  const step = Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
  const used = await db
    .updateTable("authenticators")
    .set({ lastStep: step })
    .where("id", "=", userId)
    .where("lastStep", "<", String(step))
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
};

const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
/** With 25 characters a code has 123 bits, so a fast hash is enough. */
const words = 5;
const word = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("");

/** Replaces the recovery codes. They are shown once and stored as hashes. */
export const replaceRecoveryCodes = async (db: Db, userId: string) => {
  const codes = Array.from({ length: recoveryCodesCount }, () =>
    Array.from({ length: words }, word).join("-"),
  );
  await db.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
  await db
    .insertInto("recoveryCodes")
    .values(codes.map((code) => ({ userId, codeHash: hashToken(`${userId}:${code}`) })))
    .execute();
  return codes;
};

export const useRecoveryCode = async (
  db: Db,
  { userId, code, now }: { userId: string; code: string; now: Date },
) => {
  const used = await db
    .updateTable("recoveryCodes")
    .set({ usedAt: now })
    .where("userId", "=", userId)
    .where("codeHash", "=", hashToken(`${userId}:${code}`))
    .where("usedAt", "is", null)
    .returning("userId")
    .executeTakeFirst();
  return used !== undefined;
};
