import {
  endOwnSession,
  endTeamMemberSession,
  endTeamMemberSessions,
  listSessions,
  listSignIns,
  listTeamMemberSessions,
  listTeamMemberSignIns,
  signOutEverywhere,
} from "@purser/contract/auth/activeSessions";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { notFound } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import {
  clearSessionCookie,
  endSessionOf,
  endSessionsOf,
  findSessionsOf,
  isTeamMember,
} from "./sessions.ts";
import { findSignIns } from "./signInLog.ts";

const assertTeamMember = async (db: Db, id: string) => {
  if (!(await isTeamMember(db, id))) throw notFound("teamMember");
};

/** Sessions have no audit entries, so the server's log records who ended them. */
const logEnded = ({ log, session }: FastifyRequest, of: string) =>
  log.info({ event: "sessions ended", of, by: session?.userId }, "sessions ended by another user");

/** Active sessions and the log of sign-in attempts. */
export const sessionRoutes = (app: FastifyInstance) => {
  serve(app, listSessions, async ({ db, session, now }) => ({
    items: await findSessionsOf(db, session.userId, { now, own: session.tokenHash }),
  }));

  serve(app, endOwnSession, async ({ db, params: { id }, session, reply }) => {
    const ended = await endSessionOf(db, session.userId, id);
    if (!ended) throw notFound("session");
    if (ended.equals(session.tokenHash)) clearSessionCookie(reply);
  });

  serve(app, signOutEverywhere, async ({ db, session, reply }) => {
    await endSessionsOf(db, session.userId);
    clearSessionCookie(reply);
  });

  serve(app, listSignIns, ({ db, session, query }) => findSignIns(db, session.userId, query));

  serve(app, listTeamMemberSessions, async ({ db, params: { id }, session, now }) => {
    await assertTeamMember(db, id);
    return { items: await findSessionsOf(db, id, { now, own: session.tokenHash }) };
  });

  serve(app, endTeamMemberSession, async ({ db, params: { id, sessionId }, request }) => {
    await assertTeamMember(db, id);
    if (!(await endSessionOf(db, id, sessionId))) throw notFound("session");
    logEnded(request, id);
  });

  serve(app, endTeamMemberSessions, async ({ db, params: { id }, request }) => {
    await assertTeamMember(db, id);
    await endSessionsOf(db, id);
    logEnded(request, id);
  });

  serve(app, listTeamMemberSignIns, async ({ db, params: { id }, query }) => {
    await assertTeamMember(db, id);
    return findSignIns(db, id, query);
  });
};
