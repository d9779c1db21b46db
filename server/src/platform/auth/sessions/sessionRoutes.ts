import {
  endOwnSession,
  endStaffSession,
  endStaffSessions,
  listSessions,
  listSignIns,
  listStaffSessions,
  listStaffSignIns,
  signOutEverywhere,
} from "@purser/contract/auth/activeSessions";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { notFound } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { clearSessionCookie, endSessionOf, endSessionsOf, findSessionsOf } from "./sessions.ts";
import { findSignIns } from "./signInLog.ts";

const assertStaff = async (db: Db, id: string) => {
  const member = await db
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("role", "is not", null)
    .where("status", "!=", "erased")
    .executeTakeFirst();
  if (!member) throw notFound("member of staff");
};

/** Sessions are no business rows, so the log of the server is where it stands who ended them. */
const tellEnded = ({ log, session }: FastifyRequest, of: string) =>
  log.info({ event: "sessions ended", of, by: session?.userId }, "sessions ended by somebody else");

/** Where people are signed in, and the tries to be. */
export const deviceRoutes = (app: FastifyInstance) => {
  serve(app, listSessions, async ({ db, session, now }) => ({
    items: await findSessionsOf(db, session.userId, { now, own: session.tokenHash }),
  }));

  serve(app, endOwnSession, async ({ db, params: { id }, session, reply }) => {
    const ended = await endSessionOf(db, session.userId, id);
    if (!ended) throw notFound("session of yours");
    if (ended.equals(session.tokenHash)) clearSessionCookie(reply);
  });

  serve(app, signOutEverywhere, async ({ db, session, reply }) => {
    await endSessionsOf(db, session.userId);
    clearSessionCookie(reply);
  });

  serve(app, listSignIns, ({ db, session, query }) => findSignIns(db, session.userId, query));

  serve(app, listStaffSessions, async ({ db, params: { id }, session, now }) => {
    await assertStaff(db, id);
    return { items: await findSessionsOf(db, id, { now, own: session.tokenHash }) };
  });

  serve(app, endStaffSession, async ({ db, params: { id, sessionId }, request }) => {
    await assertStaff(db, id);
    if (!(await endSessionOf(db, id, sessionId))) throw notFound("session of theirs");
    tellEnded(request, id);
  });

  serve(app, endStaffSessions, async ({ db, params: { id }, request }) => {
    await assertStaff(db, id);
    await endSessionsOf(db, id);
    tellEnded(request, id);
  });

  serve(app, listStaffSignIns, async ({ db, params: { id }, query }) => {
    await assertStaff(db, id);
    return findSignIns(db, id, query);
  });
};
