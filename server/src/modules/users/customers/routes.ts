import type { Role } from "@purser/contract/auth/permissions";
import { plain } from "@purser/contract/fields/text";
import {
  bulkUsers,
  changeUser,
  countUsers,
  createUser,
  exportUsers,
  getUser,
  getUserActivity,
  listUsers,
  restoreUser,
  suspendUser,
} from "@purser/contract/users/endpoints";
import { type UserDetails, user } from "@purser/contract/users/fields";
import { addUserNote, crossOutUserNote, listUserNotes } from "@purser/contract/users/notes";
import type { FastifyInstance } from "fastify";
import { addComment, crossOut } from "#modules/comments/comments.ts";
import { findComments, insertComment } from "#modules/comments/queries.ts";
import { findActivity } from "#platform/audit/activity.ts";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import { decideEach } from "#platform/http/calls/bulk.ts";
import { existing, fieldError, notFoundMessages, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
import { message } from "#platform/messages.ts";
import * as queries from "./queries.ts";
import { type Owner, refusalOfTaken, refusalToAct, refusalToChange, statusAfter } from "./rules.ts";

type Caller = Pick<Session, "role">;

/** The user, or 404 if the caller can't see team members and this is one. */
const readUser = async (db: Db, { role }: Caller, id: string) =>
  existing(await queries.findUser(db, role, id), "user");

const lockUser = async (db: Db, { role }: Caller, id: string) =>
  existing(await queries.lockUser(db, role, id), "user");

const taken = (field: "email" | "externalId", owner: Owner, role: Role) => {
  const detail = refusalOfTaken(field, owner, role);
  return new Problem("taken", detail, {
    errors: [fieldError(`/${field}`, detail)],
    personal: [owner.name],
  });
};

/** Refuses a taken address or external ID and names its user. The unique index catches concurrent requests. */
const refuseTaken = async (
  db: Db,
  { email, externalId }: Pick<UserDetails, "email" | "externalId">,
  { role, own }: { role: Role; own: string | null },
) => {
  const byEmail = await queries.findByEmail(db, email);
  if (byEmail && byEmail.id !== own) throw taken("email", byEmail, role);
  const byExternalId = externalId && (await queries.findByExternalId(db, externalId));
  if (byExternalId && byExternalId.id !== own) throw taken("externalId", byExternalId, role);
};

const userListRoutes = (app: FastifyInstance) => {
  serve(app, listUsers, ({ db, query, paging, session }) =>
    queries.findUsers(db, session.role, query, paging),
  );

  serve(app, countUsers, ({ db, session }) => queries.countUsers(db, session.role));

  serveExport(app, exportUsers, {
    name: "users",
    list: ({ session }) => queries.userFile(session.role),
    row: user.extend({ packages: plain, spent: plain, address: plain.nullable() }),
  });

  serve(app, bulkUsers, async ({ db, body: { action, users }, session: { role } }) => {
    const ids = users.map(({ id }) => id);
    const { allowed, refused } = decideEach(users, await queries.lockUsers(db, role, ids), {
      missing: notFoundMessages.user,
      refusalOf: (stored) => refusalToAct(stored, action),
    });
    await queries.setStatus(db, allowed, statusAfter[action]);
    return { done: await queries.findUsersById(db, role, allowed), refused };
  });
};

const userRoutes = (app: FastifyInstance) => {
  serve(app, getUser, ({ db, params: { id }, session }) => readUser(db, session, id));

  serve(app, createUser, async ({ db, body: { reason: _, note, ...details }, session }) => {
    await refuseTaken(db, details, { role: session.role, own: null });
    const id = await queries.insertCustomer(db, details);
    if (note)
      await insertComment(db, {
        about: { entity: "users", id },
        customerId: id,
        authorId: session.userId,
        text: note,
        mentions: [],
      });
    return readUser(db, session, id);
  });

  serve(app, changeUser, async ({ db, params: { id }, body, assertVersion, session }) => {
    const { reason: _, ...details } = body;
    const stored = assertVersion(await lockUser(db, session, id), user);
    refuse(refusalToChange(stored, details), [stored.externalId ?? ""]);
    await refuseTaken(db, details, { role: session.role, own: stored.id });
    await queries.replaceDetails(db, id, details);
    return readUser(db, session, id);
  });

  for (const [action, endpoint] of [
    ["suspend", suspendUser],
    ["restore", restoreUser],
  ] as const)
    serve(app, endpoint, async ({ db, params: { id }, assertVersion, session }) => {
      refuse(refusalToAct(assertVersion(await lockUser(db, session, id), user), action));
      await queries.setStatus(db, [id], statusAfter[action]);
      return readUser(db, session, id);
    });

  serve(app, getUserActivity, async ({ db, params: { id }, query: { after }, session }) => {
    await readUser(db, session, id);
    return findActivity(db, { records: await queries.findRecordsOf(db, id), after }, session);
  });
};

const userNoteRoutes = (app: FastifyInstance) => {
  serve(app, listUserNotes, async ({ db, params: { id }, session }) => {
    await readUser(db, session, id);
    return { items: await findComments(db, { entity: "users", id }) };
  });

  serve(app, addUserNote, async ({ db, params: { id }, body, session }) => {
    const { number } = await readUser(db, session, id);
    return addComment(db, {
      ...body,
      about: { entity: "users", id },
      customerId: id,
      author: session,
      // By number, because notifications aren't erased with the customer.
      notice: message("mentioned_in_note", "{author} mentioned you in a note about user {number}", {
        author: session.name,
        number,
      }),
      path: `/users/view/${id}`,
    });
  });

  serve(app, crossOutUserNote, async ({ db, params: { id, noteId }, now, session }) => {
    await readUser(db, session, id);
    return crossOut(db, { about: { entity: "users", id }, id: noteId, session, now });
  });
};

export const customerRoutes = (app: FastifyInstance) => {
  userListRoutes(app);
  userRoutes(app);
  userNoteRoutes(app);
};
