import type { Holder } from "@purser/contract/auth/permissions";
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
  previewBulkUsers,
  restoreUser,
  startBulkUsers,
  startUsersExport,
  sumUsers,
  suspendUser,
  type UserAction,
} from "@purser/contract/users/endpoints";
import { type UserDetails, user } from "@purser/contract/users/fields";
import { addUserNote, crossOutUserNote, listUserNotes } from "@purser/contract/users/notes";
import type { FastifyInstance } from "fastify";
import { addComment, crossOut } from "#modules/comments/comments.ts";
import { findComments, insertComment } from "#modules/comments/queries.ts";
import { findActivity } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import { decideEach } from "#platform/http/calls/bulk.ts";
import { existing, fieldError, notFoundMessages, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
import { serveBulkJobs, serveExportJob } from "#platform/lists/jobs/start.ts";
import { message } from "#platform/messages.ts";
import * as queries from "./queries.ts";
import { type Owner, refusalOfTaken, refusalToAct, refusalToChange, statusAfter } from "./rules.ts";

/** The user, or 404 if the caller can't see team members and this is one. */
const readUser = async (db: Db, caller: Holder, id: string) =>
  existing(await queries.findUser(db, caller, id), "user");

const lockUser = async (db: Db, caller: Holder, id: string) =>
  existing(await queries.lockUser(db, caller, id), "user");

const taken = (field: "email" | "externalId", owner: Owner, caller: Holder) => {
  const detail = refusalOfTaken(field, owner, caller);
  return new Problem("taken", detail, {
    errors: [fieldError(`/${field}`, detail)],
    personal: [owner.name],
  });
};

/** Refuses a taken address or external ID and names its user. The unique index catches concurrent requests. */
const refuseTaken = async (
  db: Db,
  { email, externalId }: Pick<UserDetails, "email" | "externalId">,
  { caller, own }: { caller: Holder; own: string | null },
) => {
  const byEmail = await queries.findByEmail(db, email);
  if (byEmail && byEmail.id !== own) throw taken("email", byEmail, caller);
  const byExternalId = externalId && (await queries.findByExternalId(db, externalId));
  if (byExternalId && byExternalId.id !== own) throw taken("externalId", byExternalId, caller);
};

const userListRoutes = (app: FastifyInstance) => {
  serve(app, listUsers, ({ db, query, paging, session }) =>
    queries.findUsers(db, session, query, paging),
  );

  serve(app, sumUsers, ({ db, query, paging, session }) =>
    queries.sumOfUsers(db, session, query, paging),
  );

  serve(app, countUsers, ({ db, session }) => queries.countUsers(db, session));

  const file = {
    name: "users" as const,
    list: queries.userFile,
    row: user.extend({ packages: plain, spent: plain, address: plain.nullable() }),
  };
  serveExport(app, exportUsers, file);
  serveExportJob(app, startUsersExport, file);

  serveBulkJobs(app, "users", {
    start: startBulkUsers,
    preview: previewBulkUsers,
    listOf: queries.userFile,
    actions: {
      suspend: {
        endpoint: bulkUsers,
        targets: "users",
        undo: "restore",
        unchanged: ["customer_already_suspended"],
      },
      restore: {
        endpoint: bulkUsers,
        targets: "users",
        undo: "suspend",
        unchanged: ["customer_not_suspended"],
      },
    },
    rules: {
      state: queries.actableState,
      refusalOf: (state: Parameters<typeof refusalToAct>[0], action) =>
        refusalToAct(state, action as UserAction),
      consequences: { suspend: queries.suspendConsequences },
    },
  });

  serve(app, bulkUsers, async ({ db, body: { action, users }, session }) => {
    const ids = users.map(({ id }) => id);
    const { allowed, refused } = decideEach(users, await queries.lockUsers(db, session, ids), {
      missing: notFoundMessages.user,
      refusalOf: (stored) => refusalToAct(stored, action),
    });
    await queries.setStatus(db, allowed, statusAfter[action]);
    return { done: await queries.findUsersById(db, session, allowed), refused };
  });
};

const userRoutes = (app: FastifyInstance) => {
  serve(app, getUser, ({ db, params: { id }, session }) => readUser(db, session, id));

  serve(app, createUser, async ({ db, body: { reason: _, note, ...details }, session }) => {
    await refuseTaken(db, details, { caller: session, own: null });
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
    await refuseTaken(db, details, { caller: session, own: stored.id });
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
      path: `/users/view/${id}?tab=notes`,
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
