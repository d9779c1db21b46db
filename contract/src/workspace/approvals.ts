import { z } from "zod";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { type Fields, listQuery, pageOf } from "../http/list.ts";
import { approvalRules } from "./settings.ts";

export const approvalStatuses = [
  "waiting",
  "approved",
  "rejected",
  "withdrawn",
  "expired",
  "stale",
] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

const somebody = z.object({ id, name: plain });

/** Something that one person wants done and another has to look at first. */
export const approval = z
  .object({
    id,
    rule: z.enum(approvalRules),
    status: z.enum(approvalStatuses),
    /** The call that is done once it is approved, by its method and path. */
    operation: plain,
    /** What it is about, by the name of its table; the record is null where there is none yet. */
    entity: plain,
    recordId: id.nullable(),
    summary: plain,
    facts: z.array(z.object({ label: plain, value: plain })),
    reason: plain,
    requestedBy: somebody,
    createdAt: instant,
    expiresAt: instant,
    decidedBy: somebody.nullable(),
    decidedAt: instant.nullable(),
    /** What whoever decided said, or why it can no longer be done. */
    answer: plain.nullable(),
    /** Whether you are the one who asked, and whether you could approve it. */
    isOwn: z.boolean(),
    mayDecide: z.boolean(),
    version,
    updatedAt: instant,
  })
  .meta({ id: "Approval" });
export type Approval = z.output<typeof approval>;

export const approvalFields = {
  status: { kind: "choice", options: approvalStatuses },
  rule: { kind: "choice", options: approvalRules },
  createdAt: { kind: "instant", sort: true },
} as const satisfies Fields;

export const listApprovals = endpoint({
  method: "GET",
  path: "/approvals",
  summary: "List what waits for a second person, and what became of it, as far as it concerns you",
  permission: "signed in",
  query: listQuery(approvalFields),
  reply: pageOf(approval),
});

export const countApprovals = endpoint({
  method: "GET",
  path: "/approvals/counts",
  summary: "Count what waits for you",
  permission: "signed in",
  reply: z.object({ waiting: z.int() }),
});

export const getApproval = endpoint({
  method: "GET",
  path: "/approvals/:id",
  summary: "Read a request for approval",
  permission: "signed in",
  params: record,
  reply: approval,
});

const levelsMax = 12;

/** Level by level, because what is nested very deep breaks whoever walks it. */
const isShallow = (given: unknown) => {
  let level = [given];
  for (let depth = 0; depth < levelsMax; depth += 1)
    level = level.flatMap((one) => (one && typeof one === "object" ? Object.values(one) : []));
  return level.length === 0;
};

/** Parts of another call; that call's own schema says what they must be. */
const ofCall = z.looseObject({}).refine(isShallow, "must not be nested that deep");

export const askApproval = endpoint({
  method: "POST",
  path: "/approvals",
  summary: "Ask a second person for something that you would be refused alone",
  permission: "signed in",
  body: z.strictObject({
    /** Method and path of the call, such as `POST /transactions/:id/refund`. */
    operation: text({ min: 1, max: 100 }),
    /** What it would be called with. It is tried first, so that nobody is asked for what cannot be done. */
    params: ofCall,
    body: ofCall,
    version: version.nullable().default(null),
    reason: reason.min(1, "must not be empty"),
  }),
  reply: approval,
  status: 201,
  refusals: ["wrong_state", "duplicate", "not_found"],
});

const decision = z.strictObject({ reason: reason.optional() });

export const approveApproval = endpoint({
  method: "POST",
  path: "/approvals/:id/approve",
  summary: "Approve it: it is done in the same moment, exactly as it was asked",
  permission: "signed in",
  params: record,
  body: decision,
  reply: approval,
  refusals: ["wrong_state", "own_account"],
});

export const rejectApproval = endpoint({
  method: "POST",
  path: "/approvals/:id/reject",
  summary: "Reject it, and say why",
  permission: "signed in",
  params: record,
  body: z.strictObject({ reason: reason.min(1, "must not be empty") }),
  reply: approval,
  refusals: ["wrong_state", "own_account"],
});

export const withdrawApproval = endpoint({
  method: "POST",
  path: "/approvals/:id/withdraw",
  summary: "Take back what you asked for",
  permission: "signed in",
  params: record,
  body: decision,
  reply: approval,
  refusals: ["wrong_state"],
});
