import type { Db } from "#platform/db/db.ts";
import { clearAttempts, countAttempt, limits } from "../attempts.ts";
import type { SecretKeys } from "../secrets.ts";
import { useRecoveryCode, useTotpCode } from "./totp.ts";

/** Recovery codes have a hyphen, codes of an authenticator app don't. */
export const isRecoveryCode = (code: string) => code.includes("-");

type Given = {
  userId: string;
  code: string;
  keys: SecretKeys;
  now: Date;
  /** What wrong codes are counted for. */
  counted: string;
};

/** Whether a code of the authenticator app or a recovery code is correct. A code works once. */
export const useCode = async (db: Db, { userId, code, keys, now, counted }: Given) => {
  await countAttempt(db, counted, limits.code, now);
  const isRight = isRecoveryCode(code)
    ? await useRecoveryCode(db, { userId, code, now })
    : await useTotpCode(db, { userId, code, keys, now });
  if (isRight) await clearAttempts(db, counted);
  return isRight;
};
