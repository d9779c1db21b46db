import { z } from "zod";
import { required } from "../fields/commonRules.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { type Fields, listQuery, pageOf } from "../http/list.ts";
import { rule } from "../messages/rules.ts";
import { approvalRules } from "./settings.ts";

/** "safeguard" can't be turned off: loosening a rule, a limit or sign-in, and taking power from an owner. */
export const approvalKinds = [...approvalRules, "safeguard"] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStatuses = [
  "waiting",
  "approved",
  "applied",
  "rejected",
  "withdrawn",
  "expired",
  "stale",
] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

const namedUser = z.object({ id, name: plain });

/** An action that another team member must approve first. */
export const approval = z
  .object({
    id,
    rule: z.enum(approvalKinds),
    status: z.enum(approvalStatuses),
    /** Method and path of the call that is made once approved. */
    operation: plain,
    /** The table of the record; the record is null if it doesn't exist yet. */
    entity: plain,
    recordId: id.nullable(),
    summary: plain,
    facts: z.array(z.object({ label: plain, value: plain })),
    reason: plain,
    requestedBy: namedUser,
    createdAt: instant,
    expiresAt: instant,
    /** When it is carried out unless an owner stops it. Null if only an approver can do that. */
    takesEffectAt: instant.nullable(),
    decidedBy: namedUser.nullable(),
    decidedAt: instant.nullable(),
    /** The approver's reason, or why it can no longer be carried out. */
    answer: plain.nullable(),
    /** Whether the user made the request, can approve it, and can reject it. New approvers can only reject. */
    isOwn: z.boolean(),
    mayDecide: z.boolean(),
    mayReject: z.boolean(),
    version,
    updatedAt: instant,
  })
  .meta({ id: "Approval" });
export type Approval = z.output<typeof approval>;

export const approvalFields = {
  status: { kind: "choice", options: approvalStatuses },
  rule: { kind: "choice", options: approvalKinds },
  createdAt: { kind: "instant", sort: true },
} as const satisfies Fields;

export const listApprovals = endpoint({
  method: "GET",
  path: "/approvals",
  summary: "List approval requests",
  permission: "signed in",
  query: listQuery(approvalFields),
  reply: pageOf(approval),
});

export const countApprovals = endpoint({
  method: "GET",
  path: "/approvals/counts",
  summary: "Count approval requests that wait for you",
  permission: "signed in",
  reply: z.object({ waiting: z.int() }),
});

export const getApproval = endpoint({
  method: "GET",
  path: "/approvals/:id",
  summary: "Retrieve an approval request",
  permission: "signed in",
  params: record,
  reply: approval,
});

const levelsMax = 12;

/** Limited in depth, because deeply nested JSON breaks recursive code. */
const isShallow = (given: unknown) => {
  let level = [given];
  for (let depth = 0; depth < levelsMax; depth += 1)
    level = level.flatMap((one) => (one && typeof one === "object" ? Object.values(one) : []));
  return level.length === 0;
};

/** Parts of another call, validated by that call's own schema. */
const ofCall = z
  .looseObject({})
  .refine(isShallow, rule("nested_too_deep", "The value is nested too deeply."));

export const requestApproval = endpoint({
  method: "POST",
  path: "/approvals",
  summary: "Request approval",
  permission: "signed in",
  body: z.strictObject({
    /** Method and path of the call, such as `POST /transactions/:id/refund`. */
    operation: text({ min: 1, max: 100 }),
    /** The input of the call. It is tried first, so that only possible requests are stored. */
    params: ofCall,
    body: ofCall,
    version: version.nullable().default(null),
    reason: reason.min(1, required),
  }),
  reply: approval,
  status: 201,
  refusals: ["wrong_state", "duplicate", "not_found"],
});

const decision = z.strictObject({ reason: reason.optional() });

export const approveApproval = endpoint({
  method: "POST",
  path: "/approvals/:id/approve",
  summary: "Approve and carry out a request",
  permission: "signed in",
  proof: "recent",
  params: record,
  body: decision,
  reply: approval,
  refusals: ["wrong_state", "impact_changed", "own_account"],
});

export const rejectApproval = endpoint({
  method: "POST",
  path: "/approvals/:id/reject",
  summary: "Reject an approval request",
  permission: "signed in",
  proof: "recent",
  params: record,
  body: z.strictObject({ reason: reason.min(1, required) }),
  reply: approval,
  refusals: ["wrong_state", "own_account"],
});

export const withdrawApproval = endpoint({
  method: "POST",
  path: "/approvals/:id/withdraw",
  summary: "Withdraw your approval request",
  permission: "signed in",
  params: record,
  body: decision,
  reply: approval,
  refusals: ["wrong_state"],
});
