import { createHash } from "node:crypto";
import type { Message } from "@purser/contract/messages/message";
import {
  approveApproval,
  countApprovals,
  getApproval,
  listApprovals,
  rejectApproval,
  requestApproval,
  withdrawApproval,
} from "@purser/contract/workspace/approvals";
import type { ApprovalRule } from "@purser/contract/workspace/settings";
import type { FastifyInstance } from "fastify";
import { checkConstraints, giveReason, rehearse } from "#platform/audit/context.ts";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalGate, ApprovalSubject, Requester } from "#platform/http/approvalGate.ts";
import { problemOf } from "#platform/http/errors.ts";
import { existing, invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { approvalReason } from "./gate.ts";
import type { TellRequester } from "./jobs.ts";
import {
  countWaiting,
  endWaiting,
  findApproval,
  findApprovals,
  findSameWaiting,
  findStored,
  insertApproval,
  type Stored,
} from "./queries.ts";
import { mayDo, refusalToDecide, refusalToWithdraw, stillMayDo } from "./rules.ts";

const dayMs = 86_400_000;

type RequestedCall = Pick<Stored, "operation" | "params" | "body" | "ifMatch">;

/** Sorts keys, so that the same facts always give the same text. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!value || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, inOrder(one)]),
  );
};

/** A hash of the call and of everything that the approver sees. */
const basisOf = ({ operation, params, body, ifMatch }: RequestedCall, seen: Seen) => {
  const { facts, basis, summary } = seen.about;
  const all = [operation, params, body, ifMatch, seen.rule, summary, facts, basis];
  return createHash("sha256")
    .update(JSON.stringify(inOrder(all)))
    .digest();
};

type Seen = { rule: ApprovalRule; about: ApprovalSubject };

/** Captures what requires approval instead of refusing it. */
const watch =
  (db: Db, requester: Requester, keep: (seen: Seen) => void): ApprovalGate =>
  async (rule, about) => {
    if (await approvalReason(db, requester, rule, about)) keep({ rule, about });
  };

const read = async (db: Db, id: string, session: Session, now: Date) =>
  existing(await findApproval(db, id, session, now), "approval");

export const approvalRoutes = (app: FastifyInstance, tell: TellRequester) => {
  serve(app, listApprovals, ({ db, query, paging, session }) =>
    findApprovals(db, query, paging, session),
  );

  serve(app, countApprovals, async ({ db, session, now }) => ({
    waiting: await countWaiting(db, session, now),
  }));

  serve(app, getApproval, ({ db, params: { id }, session, now }) => read(db, id, session, now));

  requestRoute(app);
  approveRoute(app, tell);

  serve(app, rejectApproval, async ({ db, params: { id }, body, session, now, enqueue }) => {
    const stored = existing(await findStored(db, id, session, "for update of r"), "approval");
    refuse(refusalToDecide(stored, session, now));
    await endWaiting(db, id, "rejected", { by: session.userId, answer: body.reason, now });
    await enqueue(tell, { id });
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

const requestRoute = (app: FastifyInstance) =>
  serve(app, requestApproval, async ({ db, body: asked, session, now, request, reply }) => {
    const { operation, params, body, version: ifMatch, reason } = asked;
    const write = app.writes.get(operation);
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
    if (versioned && ifMatch === null)
      throw invalidAt(
        "/version",
        message("version_required", "Enter the version that you reviewed."),
      );
    let seen: Seen | undefined;
    const requireApproval = watch(db, { userId: session.userId, permission }, (one) => {
      seen = one;
    });
    const given = { params, body };
    await rehearse(db, () =>
      write.run({ request, reply, given, version: ifMatch, db, requireApproval }),
    );
    if (!seen)
      throw new Problem(
        "wrong_state",
        message(
          "approval_not_required",
          "This action doesn't require approval. You can do it now.",
        ),
      );
    const basis = basisOf({ operation, params, body, ifMatch }, seen);
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
    const { approvalDays } = await findSettings(db);
    const id = await insertApproval(db, {
      operation,
      params,
      body,
      ifMatch,
      basis,
      reason,
      permission,
      rule: seen.rule,
      entity: seen.about.entity,
      recordId: seen.about.recordId,
      summary: seen.about.summary,
      facts: seen.about.facts,
      requestedBy: session.userId,
      expiresAt: new Date(now.getTime() + approvalDays * dayMs),
    });
    return read(db, id, session, now);
  });

type Outdated = {
  detail: Message;
  /** Why it failed, if it isn't the detail. Kept with the request. */
  reason?: Message;
  personal?: readonly string[];
};

/** Refuses, and still marks the request as stale, so that it must be requested again. */
const staleRequest = (
  id: string,
  { detail, reason = detail, personal = [] }: Outdated,
  now: Date,
  notify: (db: Db) => Promise<void>,
) =>
  new Problem("wrong_state", detail, { personal }, async (db) => {
    const answer = reason.text;
    if (await endWaiting(db, id, "stale", { by: null, answer, now })) await notify(db);
  });

const outdated = message(
  "approval_outdated",
  "This request is out of date and can't be approved. Send a new request if it is still needed.",
);

const passing = new Set(["unavailable", "internal", "in_progress"]);

const approveRoute = (app: FastifyInstance, tell: TellRequester) =>
  serve(app, approveApproval, async (call) => {
    const { db, params, body, session, now, enqueue, request, reply } = call;
    const { id } = params;
    const stored = existing(await findStored(db, id, session, "for update of r"), "approval");
    refuse(refusalToDecide(stored, session, now));
    const stale = (given: Outdated) =>
      staleRequest(id, given, now, (other) => app.platform.queues.enqueueIn(other)(tell, { id }));
    if (!stillMayDo(stored.requester, stored.permission))
      throw stale({
        detail: message(
          "approval_requester_forbidden",
          "{name} no longer has permission for this action, so the request can't be approved.",
          { name: stored.requestedBy.name },
        ),
        personal: [stored.requestedBy.name],
      });
    const decision = { by: session.userId, answer: body.reason || null, now };
    await endWaiting(db, id, "approved", decision);
    await enqueue(tell, { id });
    await giveReason(db, `Requested by ${stored.requestedBy.name}: ${stored.reason}`);

    const requireApproval: ApprovalGate = async (rule, about) => {
      if (!basisOf(stored, { rule, about }).equals(stored.basis))
        throw stale({
          detail: message(
            "approval_basis_changed",
            "The details have changed since this was requested. Send a new request if it is still needed.",
          ),
        });
    };
    const given = { params: stored.params, body: stored.body };
    try {
      const version = stored.ifMatch;
      const write = existing(app.writes.get(stored.operation), "operation");
      await write.run({ request, reply, given, version, db, requireApproval });
      await checkConstraints(db);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const problem = problemOf(error, () => undefined);
      if (problem.afterwards || passing.has(problem.code)) throw error;
      throw stale({ detail: outdated, reason: problem.detail });
    }
    return read(db, id, session, now);
  });
