import { allows } from "@purser/contract/auth/permissions";
import type { ProblemCode } from "@purser/contract/http/problem";
import type { Message } from "@purser/contract/messages/message";
import {
  exportAudit,
  getAuditEntry,
  getVerification,
  listActivity,
  listAudit,
  previewRevert,
  revertEntry,
  startVerification,
} from "@purser/contract/workspace/audit";
import { getAction, listActions, listRecentActions } from "@purser/contract/workspace/history";
import { readableWith } from "@purser/contract/workspace/liveChanges";
import type { FastifyInstance } from "fastify";
import { assertRecentProof } from "../auth/confirmation/proof.ts";
import type { Session } from "../auth/sessions/sessions.ts";
import type { Db } from "../db/db.ts";
import { problemOf } from "../http/errors.ts";
import { existing, notFound, Problem } from "../http/problem.ts";
import { serve, writeOf } from "../http/serve.ts";
import { serveFile, statementOf } from "../lists/export.ts";
import { findAction, findActions, type HistorySources } from "./actions/actions.ts";
import { findNames } from "./actions/names.ts";
import { findRecentActions } from "./actions/recent.ts";
import { describe, type Entry, findReadableActivity, labelOf } from "./activity.ts";
import { nameReverted, rehearse } from "./context.ts";
import { findEntry, findLog, findVerification, logFile } from "./log.ts";
import { isRefusal, planRevert, type Reverts } from "./revert.ts";
import { findLastOfRequest, findLastRevert } from "./revertQueries.ts";
import { verifyAuditJob } from "./verification/verifyJob.ts";

type Modules = Reverts & {
  /** Tables whose changes only some of those who can read them may see in the activity. */
  confidential: readonly string[];
  sources: HistorySources;
};

/** The activity, the audit log, and reverting its entries. */
export const auditRoutes = (app: FastifyInstance, modules: Modules) => {
  const { confidential, sources, ...reverts } = modules;
  serve(app, listActivity, ({ db, query, session }) =>
    findReadableActivity(db, { ...query, confidential }, session),
  );
  serve(app, listRecentActions, ({ db, session }) =>
    findRecentActions(db, session, { confidential, sources }),
  );
  serve(app, listActions, ({ db, query, paging, session }) =>
    findActions(db, query, { paging, reader: session, sources }),
  );
  serve(app, getAction, async ({ db, params: { id }, session }) => {
    const entry = existing(await findEntry(db, id), "auditEntry");
    return existing(await findAction(db, entry, { reader: session, sources }), "auditEntry");
  });
  logRoutes(app);
  revertRoutes(app, reverts);
};

const logRoutes = (app: FastifyInstance) => {
  serve(app, listAudit, ({ db, query, paging, session }) => findLog(db, query, paging, session));

  serve(app, getAuditEntry, async ({ db, params: { id }, session }) =>
    describe(existing(await findEntry(db, id), "auditEntry"), session),
  );

  serve(app, getVerification, ({ db }) => findVerification(db));

  serve(app, startVerification, ({ enqueue }) => enqueue(verifyAuditJob, { isWhole: true }));

  serveFile(app, exportAudit, "audit-log", ({ query, paging }) => {
    const { format, columns, zone } = query;
    return {
      ...statementOf(logFile.list, query, paging),
      columns,
      zone,
      row: logFile.row,
      read: (entry: Entry) => logFile.read(entry, format),
    };
  });
};

/** Answers 404 without the permission to read the record, so that a refusal doesn't reveal that it exists. */
const readable = async (db: Db, id: string, reader: Session) => {
  const entry = existing(await findEntry(db, id), "auditEntry");
  const isTeamMember = entry.entity === "users" && Boolean((entry.after ?? entry.before)?.["role"]);
  const permission = isTeamMember ? "team:read" : readableWith[entry.entity];
  if (allows(reader, "audit:read") || (permission && allows(reader, permission))) return entry;
  throw notFound("auditEntry");
};

type Rehearsed = { code: ProblemCode; detail: Message };

const revertRoutes = (app: FastifyInstance, reverts: Reverts) => {
  serve(app, previewRevert, async ({ db, params, session, now, request, reply }) => {
    const entry = await readable(db, params.id, session);
    const { action, sets, review, call } = await planRevert(db, {
      entry,
      reverts,
      reader: session,
      now,
    });
    const names = await findNames(db, [entry]);
    const label = names[entry.recordId]?.name ?? labelOf(entry);
    const shown = { entry: entry.id, label, action, sets, review };
    if (isRefusal(call)) return { ...shown, version: null, refusal: call };
    const { endpoint, version, ...given } = call;
    const requester = { userId: session.userId, permission: endpoint.permission, now };
    const tried = await db.transaction().execute((transaction) =>
      rehearse(transaction, () =>
        writeOf(app, endpoint).run({
          request,
          reply,
          given,
          version,
          db: transaction,
          requireApproval: app.openApprovalGate(transaction, requester),
        }),
      ).then(
        () => null,
        (error): Rehearsed => {
          const problem = problemOf(error, (unexpected) => request.log.error(unexpected));
          return { code: problem.code, detail: problem.detail };
        },
      ),
    );
    return {
      ...shown,
      version,
      refusal: tried && { ...tried, place: null, later: null },
    };
  });

  serve(app, revertEntry, async ({ db, params, session, now, request, reply }) => {
    const entry = await readable(db, params.id, session);
    const { action, call } = await planRevert(db, { entry, reverts, reader: session, now });
    if (isRefusal(call))
      throw new Problem(call.code as ProblemCode, call.detail, {
        personal: [call.later?.actorName ?? ""],
      });
    const { endpoint, version: _, ...given } = call;
    if (endpoint.proof) assertRecentProof(request);
    const requester = { userId: session.userId, permission: endpoint.permission, now };
    // A draft reverts nothing until it is published.
    if (action !== "draft") await nameReverted(db, entry.id);
    await writeOf(app, endpoint).run({
      request,
      reply,
      given,
      db,
      // The version in the caller's If-Match header, which they saw in the preview.
      version: null,
      requireApproval: app.openApprovalGate(db, requester),
    });
    const madeId =
      action === "draft"
        ? await findLastOfRequest(db, request.id)
        : await findLastRevert(db, entry);
    return describe(existing(await findEntry(db, madeId ?? "0"), "auditEntry"), session);
  });
};
