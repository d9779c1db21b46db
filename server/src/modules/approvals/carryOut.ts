import { createHash } from "node:crypto";
import type { Message } from "@purser/contract/messages/message";
import type { ApprovalKind } from "@purser/contract/workspace/approvals";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkConstraints, giveReason } from "#platform/audit/context.ts";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalGate, ApprovalSubject } from "#platform/http/approvalGate.ts";
import { problemOf } from "#platform/http/errors.ts";
import { existing } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { isPreviewOutdated } from "../transactions/previewMoment.ts";
import type { Stored } from "./queries.ts";
import { stillMayDo } from "./rules.ts";

type RequestedCall = Pick<Stored, "operation" | "params" | "body" | "ifMatch">;

export type Seen = { rule: ApprovalKind; about: ApprovalSubject };

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
export const basisOf = ({ operation, params, body, ifMatch }: RequestedCall, seen: Seen) => {
  const { facts, basis, summary } = seen.about;
  const all = [operation, params, body, ifMatch, seen.rule, summary, facts, basis];
  return createHash("sha256")
    .update(JSON.stringify(inOrder(all)))
    .digest();
};

type Reasons = {
  code?: "wrong_state" | "impact_changed";
  detail: Message;
  /** Why it failed, if it isn't the detail. Kept with the request. */
  reason?: Message;
  personal?: readonly string[];
};

/** The request can't be carried out as it was requested. */
export class OutdatedRequest extends Error {
  readonly code: "wrong_state" | "impact_changed";
  readonly detail: Message;
  readonly reason: Message;
  readonly personal: readonly string[];

  constructor({ code = "wrong_state", detail, reason = detail, personal = [] }: Reasons) {
    super(detail.text);
    this.code = code;
    this.detail = detail;
    this.reason = reason;
    this.personal = personal;
  }
}

const outdated = message(
  "approval_outdated",
  "This request is out of date and can't be approved. Send a new request if it is still needed.",
);

const amountsChanged = () =>
  new OutdatedRequest({
    code: "impact_changed",
    detail: message(
      "approval_amounts_changed",
      "The amounts have changed since this was requested, so it can't be approved. Open the preview again and send a new request.",
    ),
  });

/**
 * The body without the moment of its preview, if that is too long ago. The amounts are then those of now, and must be
 * the ones that the approver saw.
 */
const currentBody = ({ body }: RequestedCall, now: Date) => {
  const { at, ...rest } = body;
  return typeof at === "string" && isPreviewOutdated(new Date(at), now) ? rest : body;
};

const passing = new Set(["unavailable", "internal", "in_progress"]);

type Exchange = { db: Db; request: FastifyRequest; reply: FastifyReply };

/** Makes the requested call, if it is still the one that was shown. Throws `OutdatedRequest` otherwise. */
export const carryOut = async (
  writes: FastifyInstance["writes"],
  stored: Stored,
  { db, request, reply }: Exchange,
) => {
  const { name } = stored.requestedBy;
  if (!stillMayDo(stored.requester, stored.permission))
    throw new OutdatedRequest({
      detail: message(
        "approval_requester_forbidden",
        "{name} no longer has permission for this action, so the request can't be approved.",
        { name },
      ),
      personal: [name],
    });
  await giveReason(db, `Requested by ${name}: ${stored.reason}`);
  const body = currentBody(stored, request.now);
  const requireApproval: ApprovalGate = async (rule, about) => {
    if (basisOf(stored, { rule, about }).equals(stored.basis)) return;
    throw body === stored.body
      ? new OutdatedRequest({
          detail: message(
            "approval_basis_changed",
            "The details have changed since this was requested. Send a new request if it is still needed.",
          ),
        })
      : amountsChanged();
  };
  const given = { params: stored.params, body };
  try {
    const version = stored.ifMatch;
    const write = existing(writes.get(stored.operation), "operation");
    await write.run({ request, reply, given, version, db, requireApproval });
    await checkConstraints(db);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof OutdatedRequest) throw error;
    const problem = problemOf(error, () => undefined);
    if (problem.afterwards || passing.has(problem.code)) throw error;
    if (problem.code === "impact_changed" && "at" in stored.body) throw amountsChanged();
    throw new OutdatedRequest({ detail: outdated, reason: problem.detail });
  }
};
