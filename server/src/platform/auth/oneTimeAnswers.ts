import { createHmac } from "node:crypto";
import type { Db } from "#platform/db/db.ts";
import {
  derive,
  hashToken,
  keysWith,
  newestOf,
  type SecretKeys,
  seal,
  tryToOpen,
} from "./secrets.ts";

/** An action that works once, such as the use of an email link. Its client can't send an Idempotency-Key. */
type OneTimeAction = {
  keys: SecretKeys;
  operation: string;
  /** What works once, and for whom. */
  key: string;
  /** Only the same request gets the same answer. */
  request: unknown;
  now: Date;
};

const caller = "one-time";
const repeatableMs = 10 * 60_000;

/** With the secret key, because the request may contain a password, which a plain hash would let others guess. */
const fingerprintOf = ({ keys, request }: OneTimeAction) =>
  createHmac("sha256", derive(newestOf(keys), "purser one-time request", 32))
    .update(JSON.stringify(request))
    .digest();

const sealing = ({ keys, key, operation }: OneTimeAction) => ({
  sealedWith: keysWith(keys, key),
  owner: { purpose: "one-time answer", id: operation },
});

/** Stores the answer in the transaction of the action, so that the client can repeat it if the answer is lost. */
export const storeAnswer = async (db: Db, action: OneTimeAction, answer: string) => {
  const { sealedWith, owner } = sealing(action);
  const stored = {
    fingerprint: fingerprintOf(action),
    status: 200,
    answer: seal(sealedWith, answer, owner),
    createdAt: action.now,
  };
  await db
    .insertInto("idempotencyKeys")
    .values({ caller, operation: action.operation, keyHash: hashToken(action.key), ...stored })
    .onConflict((conflict) =>
      conflict.columns(["caller", "operation", "keyHash"]).doUpdateSet(stored),
    )
    .execute();
};

/** The answer to the same request within the last 10 minutes, and not from before `since`. */
export const findAnswer = async (db: Db, action: OneTimeAction, since = new Date(0)) => {
  const { sealedWith, owner } = sealing(action);
  const row = await db
    .selectFrom("idempotencyKeys")
    .select(["fingerprint", "answer"])
    .where("caller", "=", caller)
    .where("operation", "=", action.operation)
    .where("keyHash", "=", hashToken(action.key))
    .where("createdAt", ">=", new Date(action.now.getTime() - repeatableMs))
    .where("createdAt", ">=", since)
    .executeTakeFirst();
  if (!row?.answer || !row.fingerprint.equals(fingerprintOf(action))) return null;
  return tryToOpen(sealedWith, row.answer, owner) ?? null;
};

export const deleteOldAnswers = (db: Db, now: Date) =>
  db
    .deleteFrom("idempotencyKeys")
    .where("caller", "=", caller)
    .where("createdAt", "<", new Date(now.getTime() - repeatableMs))
    .execute();
