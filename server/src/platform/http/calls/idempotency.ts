import { createHash } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { openSealed, seal } from "#platform/auth/secrets.ts";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "../problem.ts";

export type Answer = {
  status: number;
  body: string;
  /** Of a reply that has one: its ETag. */
  version?: number | undefined;
  replayed?: true;
};

export const versionOf = (reply: unknown) =>
  reply && typeof reply === "object" && "version" in reply && typeof reply.version === "number"
    ? reply.version
    : undefined;

type Keyed = {
  secretKey: string;
  caller: string;
  operation: string;
  key: string;
  /** The whole request but its key: the same key with another request is a mistake of the caller. */
  request: unknown;
  now: Date;
};

const sha256 = (value: string) => createHash("sha256").update(value).digest();

const lockNotAvailable = "55P03";

const inProgress = () =>
  new Problem("in_progress", "The first try is still running. Try again in a second.", {
    retryAfterSeconds: 1,
  });

export const keyPattern = /^[\x21-\x7e]{8,255}$/;

/**
 * Does the work at most once for a key, in the transaction of the work itself. Whoever comes second
 * waits at the primary key for the first to commit or roll back, and then gets the first answer again.
 */
export const answerOnce = async (
  db: Db,
  { secretKey, caller, operation, key, request, now }: Keyed,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const keyHash = sha256(key);
  const fingerprint = sha256(JSON.stringify(request));
  const sealedWith = `${secretKey}:${key}`;

  const inserted = await db
    .insertInto("idempotencyKeys")
    .values({ caller, operation, keyHash, fingerprint, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(sql`1`.as("inserted"))
    .executeTakeFirst()
    .catch((error) => {
      throw error instanceof pg.DatabaseError && error.code === lockNotAvailable
        ? inProgress()
        : error;
    });

  if (!inserted) {
    const first = await db
      .selectFrom("idempotencyKeys")
      .select(["fingerprint", "status", "answer"])
      .where("caller", "=", caller)
      .where("operation", "=", operation)
      .where("keyHash", "=", keyHash)
      .executeTakeFirst();
    if (!first?.answer || first.status === null) throw inProgress();
    if (!first.fingerprint.equals(fingerprint))
      throw new Problem(
        "idempotency_key_reused",
        "This Idempotency-Key was used for another request. Make a new key for this one.",
      );
    const body = openSealed(sealedWith, first.answer);
    const version = body === "" ? undefined : versionOf(JSON.parse(body));
    return { status: first.status, body, version, replayed: true };
  }

  const answer = await work();
  await db
    .updateTable("idempotencyKeys")
    .set({ status: answer.status, answer: seal(sealedWith, answer.body) })
    .where("caller", "=", caller)
    .where("operation", "=", operation)
    .where("keyHash", "=", keyHash)
    .execute();
  return answer;
};

/** Kept two days, twice what is promised. */
export const forgetIdempotencyKeys = (db: Db, now: Date) =>
  db
    .deleteFrom("idempotencyKeys")
    .where("createdAt", "<", new Date(now.getTime() - 48 * 3_600_000))
    .execute();
