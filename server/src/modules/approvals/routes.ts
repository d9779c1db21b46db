import { roles } from "@purser/contract/auth/permissions";
import {
  approveApproval,
  countApprovals,
  getApproval,
  listApprovals,
  rejectApproval,
  requestApproval,
  withdrawApproval,
} from "@purser/contract/workspace/approvals";
import type { FastifyInstance } from "fastify";
import { rehearse } from "#platform/audit/context.ts";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalGate, Requester } from "#platform/http/approvalGate.ts";
import { existing, invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { notify } from "#platform/notifications/notifications.ts";
import { findSettings } from "#platform/settings.ts";
import { basisOf, carryOut, OutdatedRequest, type Seen } from "./carryOut.ts";
import { approvalReason, effectOf } from "./gate.ts";
import type { TellRequester } from "./jobs.ts";
import {
  countWaiting,
  endWaiting,
  findApproval,
  findApprovals,
  findDecider,
  findReviewers,
  findSameWaiting,
  findStored,
  insertApproval,
} from "./queries.ts";
import { mayDo, refusalToApprove, refusalToReject, refusalToWithdraw } from "./rules.ts";
import type { TellOwners } from "./waitingJobs.ts";

const dayMs = 86_400_000;

/** Captures what requires approval instead of refusing it. */
const watch =
  (db: Db, requester: Requester, keep: (seen: Seen) => void): ApprovalGate =>
  async (rule, about) => {
    if (await approvalReason(db, requester, rule, about)) keep({ rule, about });
  };

const read = async (db: Db, id: string, session: Session, now: Date) =>
  existing(await findApproval(db, id, session, now), "approval");

type Tells = { requester: TellRequester; owners: TellOwners };

export const approvalRoutes = (app: FastifyInstance, tell: Tells) => {
  serve(app, listApprovals, ({ db, query, paging, session }) =>
    findApprovals(db, query, paging, session),
  );

  serve(app, countApprovals, async ({ db, session, now }) => ({
    waiting: await countWaiting(db, session, now),
  }));

  serve(app, getApproval, ({ db, params: { id }, session, now }) => read(db, id, session, now));

  requestRoute(app, tell.owners);
  approveRoute(app, tell.requester);

  serve(app, rejectApproval, async ({ db, params: { id }, body, session, now, enqueue }) => {
    const stored = existing(await findStored(db, id, session, "for update of r"), "approval");
    refuse(refusalToReject(stored, await findDecider(db, session), now));
    await endWaiting(db, id, "rejected", { by: session.userId, answer: body.reason, now });
    await enqueue(tell.requester, { id });
    return read(db, id, session, now);
  });

  serve(app, withdrawApproval, async ({ db, params: { id }, body, session, now }) => {
    const stored = existing(await findStored(db, id, session, "for update of r"), "approval");
    refuse(refusalToWithdraw(stored, session, now));
    const answer = body.reason || null;
    await endWaiting(db, id, "withdrawn", { by: session.userId, answer, now });
    return read(db, id, session, now);
  });
};

/** The write of the requested call, if the user may request it. */
const requestedWrite = (
  { writes }: FastifyInstance,
  session: Session,
  { operation, version }: { operation: string; version: number | null },
) => {
  const write = writes.get(operation);
  if (!write?.endpoint.approval)
    throw invalidAt(
      "/operation",
      message("operation_without_approval", "This operation never requires approval."),
    );
  const { permission, versioned } = write.endpoint;
  if (!mayDo(session, permission))
    throw new Problem(
      "forbidden",
      message(
        "approval_request_forbidden",
        "Your role doesn't allow this action, even with approval. Ask an owner or admin.",
      ),
    );
  if (versioned && version === null)
    throw invalidAt(
      "/version",
      message("version_required", "Enter the version that you reviewed."),
    );
  return write;
};

const assertNew = async (db: Db, basis: Buffer, now: Date) => {
  const same = await findSameWaiting(db, basis, now);
  if (same)
    throw new Problem(
      "duplicate",
      message(
        "approval_already_requested",
        "{name} already requested this. The request is waiting for approval.",
        { name: same.name },
      ),
      { personal: [same.name] },
    );
};

const requestRoute = (app: FastifyInstance, tellOwners: TellOwners) =>
  serve(app, requestApproval, async ({ db, body: asked, session, now, enqueue, ...exchange }) => {
    const { operation, params, body, version: ifMatch, reason } = asked;
    const { request, reply } = exchange;
    const write = requestedWrite(app, session, asked);
    const { permission } = write.endpoint;
    const requester = { userId: session.userId, permission, now };
    const all: Seen[] = [];
    const requireApproval = watch(db, requester, (one) => void all.push(one));
    const given = { params, body };
    await rehearse(db, () =>
      write.run({ request, reply, given, version: ifMatch, db, requireApproval }),
    );
    const [seen] = all;
    if (!seen)
      throw new Problem(
        "wrong_state",
        message(
          "approval_not_required",
          "This action doesn't require approval. You can do it now.",
        ),
      );
    const basis = basisOf({ operation, params, body, ifMatch }, seen);
    await assertNew(db, basis, now);
    const { approvalDays } = await findSettings(db);
    const { entity, recordId, summary, facts, money } = seen.about;
    const takesEffectAt = await effectOf(db, requester, seen.rule);
    const id = await insertApproval(db, {
      operation,
      params,
      body,
      ifMatch,
      basis,
      reason,
      permission,
      entity,
      recordId,
      summary,
      facts,
      money,
      takesEffectAt,
      rule: seen.rule,
      requestedBy: session.userId,
      expiresAt: new Date((takesEffectAt ?? now).getTime() + approvalDays * dayMs),
    });
    if (takesEffectAt) await enqueue(tellOwners, { id });
    const allowed = roles.filter((role) => mayDo({ role }, permission));
    await notify(db, {
      to: await findReviewers(db, allowed, session.userId),
      kind: "approval",
      message: message("approval_requested", "{requester} requested an approval", {
        requester: session.name,
      }),
      path: `/approvals?preview=${id}`,
    });
    return read(db, id, session, now);
  });

/** Refuses, and still marks the request as stale, so that it must be requested again. */
const staleRequest = (
  id: string,
  { code, detail, reason, personal }: OutdatedRequest,
  now: Date,
  tell: (db: Db) => Promise<void>,
) =>
  new Problem(code, detail, { personal }, async (db) => {
    const answer = reason.text;
    if (await endWaiting(db, id, "stale", { by: null, answer, now })) await tell(db);
  });

const approveRoute = (app: FastifyInstance, tell: TellRequester) =>
  serve(app, approveApproval, async (call) => {
    const { db, params, body, session, now, enqueue } = call;
    const { id } = params;
    const stored = existing(await findStored(db, id, session, "for update of r"), "approval");
    refuse(refusalToApprove(stored, await findDecider(db, session), now));
    const decision = { by: session.userId, answer: body.reason || null, now };
    await endWaiting(db, id, "approved", decision);
    await enqueue(tell, { id });
    await carryOut(app.writes, stored, call).catch((error: unknown) => {
      if (!(error instanceof OutdatedRequest)) throw error;
      throw staleRequest(id, error, now, (other) =>
        app.platform.queues.enqueueIn(other)(tell, { id }),
      );
    });
    return read(db, id, session, now);
  });
