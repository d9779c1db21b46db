import { z } from "zod";
import { roles } from "../auth/permissions.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { email, plain, reason, text } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { type Fields, listQuery, pageOf } from "../http/list.ts";

const statuses = ["invited", "active", "suspended"] as const;

export const staffMember = z
  .object({
    id,
    email: plain,
    name: plain,
    role: z.enum(roles),
    status: z.enum(statuses),
    /** Two-factor methods. */
    secondFactor: z.object({ authenticator: z.boolean(), passkeys: z.int() }),
    /** When two-factor authentication must be set up; null if not required or done. */
    secondFactorDueAt: instant.nullable(),
    /** When the link of the invitation expires; null without one. */
    invitationEndsAt: instant.nullable(),
    version,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "StaffMember" });

export const staffFields = {
  name: { kind: "text", sort: true },
  email: { kind: "text", sort: true },
  role: { kind: "choice", options: roles },
  status: { kind: "choice", options: statuses, sort: true },
  createdAt: { kind: "instant", sort: true },
} as const satisfies Fields;

export type StaffMember = z.output<typeof staffMember>;

export const listStaff = endpoint({
  method: "GET",
  path: "/staff",
  summary: "List the people who may sign in",
  permission: "staff:read",
  query: listQuery(staffFields),
  reply: pageOf(staffMember),
});

export const getStaffMember = endpoint({
  method: "GET",
  path: "/staff/:id",
  summary: "Read a member of staff",
  permission: "staff:read",
  params: record,
  reply: staffMember,
});

export const inviteStaffMember = endpoint({
  method: "POST",
  path: "/staff",
  summary: "Invite somebody by mail",
  permission: "staff:write",
  approval: "owner",
  body: z.strictObject({
    email,
    name: text({ min: 1, max: 120 }),
    role: z.enum(roles),
    reason: reason.optional(),
  }),
  reply: staffMember,
  status: 201,
  refusals: ["taken"],
});

export const inviteStaffMemberAgain = endpoint({
  method: "POST",
  path: "/staff/:id/invite",
  summary: "Send the invitation again; the earlier link ends",
  permission: "staff:write",
  params: record,
  body: actionBody,
  status: 202,
  refusals: ["wrong_state"],
});

export const changeStaffMember = endpoint({
  method: "PUT",
  path: "/staff/:id",
  summary: "Change a name or role; a new role ends that person's sessions",
  permission: "staff:write",
  approval: "owner",
  params: record,
  body: z.strictObject({
    name: text({ min: 1, max: 120 }),
    role: z.enum(roles),
    reason: reason.optional(),
  }),
  reply: staffMember,
  versioned: true,
  refusals: ["last_owner", "own_account", "forbidden"],
});

export const suspendStaffMember = endpoint({
  method: "POST",
  path: "/staff/:id/suspend",
  summary: "Suspend somebody: their sessions end at once",
  permission: "staff:write",
  params: record,
  body: actionBody,
  reply: staffMember,
  versioned: true,
  refusals: ["wrong_state", "last_owner", "own_account"],
});

export const restoreStaffMember = endpoint({
  method: "POST",
  path: "/staff/:id/restore",
  summary: "Let a suspended person in again",
  permission: "staff:write",
  params: record,
  body: actionBody,
  reply: staffMember,
  versioned: true,
  refusals: ["wrong_state"],
});

export const removeStaffMember = endpoint({
  method: "POST",
  path: "/staff/:id/remove",
  summary: "Take somebody off the staff: they stay as a customer who cannot sign in here",
  permission: "staff:write",
  approval: "owner",
  params: record,
  body: actionBody,
  versioned: true,
  refusals: ["last_owner", "own_account"],
});

export const getRoles = endpoint({
  method: "GET",
  path: "/roles",
  summary: "Tell how many people have each role",
  permission: "staff:read",
  reply: z.object({
    items: z.array(z.object({ role: z.enum(roles), people: z.int(), suspended: z.int() })),
  }),
});
