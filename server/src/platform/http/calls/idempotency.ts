import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import pg from "pg";
import { keysWith, openSealed, type SecretKeys, seal } from "#platform/auth/secrets.ts";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import { Problem } from "../problem.ts";

export type Answer = {
  status: number;
  body: string;
  /** The ETag, if the reply has one. */
  version?: number | undefined;
  replayed?: true;
  /** The statement that stores it with its key. It is sent with the commit. */
  storing?: string;
};

export const versionOf = (reply: unknown) =>
  reply && typeof reply === "object" && "version" in reply && typeof reply.version === "number"
    ? reply.version
    : undefined;

type Keyed = {
  keys: SecretKeys;
  caller: string;
  operation: string;
  key: string;
  /** The request without its key. The same key with another request is an error of the caller. */
  request: unknown;
  now: Date;
};

const sha256 = (value: string) => createHash("sha256").update(value).digest();

const lockNotAvailable = "55P03";

const inProgress = () =>
  new Problem(
    "in_progress",
    message("request_in_progress", "This request is still being processed. Try again in a second."),
    {
      retryAfterSeconds: 1,
    },
  );

const keyPattern = /^[\x21-\x7e]{8,255}$/;

/**
 * Runs the work at most once for a key, in the transaction of the work itself. A second request waits at the
 * primary key until the first commits or rolls back, and then gets the same reply.
 */
export const answerOnce = async (
  db: Db,
  { keys, caller, operation, key, request, now }: Keyed,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const keyHash = sha256(key);
  const fingerprint = sha256(JSON.stringify(request));
  const sealedWith = keysWith(keys, key);
  const owner = { purpose: "idempotency", id: `${caller} ${operation}` };

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
        message(
          "idempotency_key_reused",
          "This Idempotency-Key was used for a different request. Generate a new key.",
        ),
      );
    const body = openSealed(sealedWith, first.answer, owner);
    const version = body === "" ? undefined : versionOf(JSON.parse(body));
    return { status: first.status, body, version, replayed: true };
  }

  const answer = await work();
  const sealed = seal(sealedWith, answer.body, owner);
  return { ...answer, storing: storingText({ caller, operation, keyHash }, answer.status, sealed) };
};

const bytes = (value: Buffer) => `'\\x${value.toString("hex")}'`;

const storingText = (
  { caller, operation, keyHash }: { caller: string; operation: string; keyHash: Buffer },
  status: number,
  sealed: Buffer,
) =>
  `update idempotency_keys set status = ${status}, answer = ${bytes(sealed)}
   where caller = ${pg.escapeLiteral(caller)} and operation = ${pg.escapeLiteral(operation)}
     and key_hash = ${bytes(keyHash)};`;

/** Keys are kept for two days, twice what the API promises. */
export const forgetIdempotencyKeys = (db: Db, now: Date) =>
  db
    .deleteFrom("idempotencyKeys")
    .where("createdAt", "<", new Date(now.getTime() - 48 * 3_600_000))
    .execute();

export const parseKey = (request: FastifyRequest) => {
  const key = request.headers["idempotency-key"];
  if (typeof key === "string" && keyPattern.test(key)) return key;
  throw new Problem(
    "idempotency_key_missing",
    message(
      "idempotency_key_missing",
      "Send an Idempotency-Key header of 8 to 255 printable ASCII characters. Use a new key for each operation.",
    ),
  );
};
