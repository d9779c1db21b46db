import type { FastifyRequest } from "fastify";
import { type Actor, transact } from "#platform/audit/context.ts";
import type { Db } from "#platform/db/db.ts";
import type { Platform } from "#platform/platform.ts";
import { Problem } from "../problem.ts";

export const actorOf = ({ session, callingKey }: FastifyRequest): Actor => {
  if (session) return { kind: "user", id: session.userId, name: session.name };
  if (callingKey) return { kind: "key", id: callingKey.id, name: "API key" };
  return { kind: "system", id: null, name: "sign-in" };
};

const reasonOf = (body: unknown) =>
  body && typeof body === "object" && "reason" in body && typeof body.reason === "string"
    ? body.reason
    : null;

/** One transaction that knows who acts and why. Its changes are announced after the commit. */
export const change = async <T>(
  { db, announcements }: Pick<Platform, "db" | "announcements">,
  { request, body }: { request: FastifyRequest; body: unknown },
  work: (db: Db) => Promise<T>,
  { actor = actorOf(request), lastOf }: { actor?: Actor; lastOf?: (result: T) => string } = {},
): Promise<T> => {
  const context = {
    actor,
    address: request.ip,
    requestId: request.id,
    reason: reasonOf(body),
  };
  const { result, changed } = await transact(db, context, work, lastOf).catch(async (error) => {
    if (error instanceof Problem && error.afterwards) {
      const stored = await transact(db, context, error.afterwards);
      void announcements.announce(stored.changed);
    }
    throw error;
  });
  // Not awaited, so that a save never waits for Redis.
  void announcements.announce(changed);
  return result;
};
