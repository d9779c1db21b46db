import { findUnknownCodes } from "#modules/promotions/pricing/queries.ts";
import { countAttempt, undoAttempt } from "#platform/auth/attempts.ts";
import type { Db } from "#platform/db/db.ts";
import { unknownCode } from "./offers.ts";

/** Under which a user's wrong codes are counted. */
export const subjectOf = (userId: string) => `promotion codes ${userId}`;

export const assertNoUnknown = (codes: readonly string[], [unknown]: readonly string[]) => {
  if (unknown !== undefined) throw unknownCode(codes, unknown);
};

const codeLimit = { free: 30, firstSeconds: 60 };

/** Wrong codes count as attempts even though the request is refused, so that codes can't be guessed. */
export const assertCodesCounted = async (
  db: Db,
  codes: readonly string[],
  { userId, now }: { userId: string; now: Date },
) => {
  if (codes.length === 0) return;
  const subject = subjectOf(userId);
  await countAttempt(db, subject, codeLimit, now);
  assertNoUnknown(codes, await findUnknownCodes(db, codes));
  await undoAttempt(db, subject);
};
