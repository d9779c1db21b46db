import { z } from "zod";
import { roles } from "../auth/permissions.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { email, plain, reason, text } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { type Fields, listQuery, pageOf } from "../http/list.ts";

const statuses = ["invited", "active", "suspended"] as const;

export const teamMember = z
  .object({
    id,
    email: plain,
    name: plain,
    role: z.enum(roles),
    status: z.enum(statuses),
    /** Two-factor methods. */
    twoFactor: z.object({ authenticator: z.boolean(), passkeys: z.int() }),
    /** When two-factor authentication must be set up; null if not required or done. */
    twoFactorDueAt: instant.nullable(),
    /** When the link of the invitation expires; null without one. */
    invitationEndsAt: instant.nullable(),
    version,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "TeamMember" });

export const teamMemberFields = {
  name: { kind: "text", sort: true },
  email: { kind: "text", sort: true },
  role: { kind: "choice", options: roles },
  status: { kind: "choice", options: statuses, sort: true },
  createdAt: { kind: "instant", sort: true },
} as const satisfies Fields;

export type TeamMember = z.output<typeof teamMember>;

export const listTeam = endpoint({
  method: "GET",
  path: "/team",
  summary: "List team members",
  permission: "team:read",
  query: listQuery(teamMemberFields),
  reply: pageOf(teamMember),
});

export const getTeamMember = endpoint({
  method: "GET",
  path: "/team/:id",
  summary: "Retrieve a team member",
  permission: "team:read",
  params: record,
  reply: teamMember,
});

export const inviteTeamMember = endpoint({
  method: "POST",
  path: "/team",
  summary: "Invite a team member",
  permission: "team:write",
  proof: "recent",
  approval: "owner",
  body: z.strictObject({
    email,
    name: text({ min: 1, max: 120 }),
    role: z.enum(roles),
    reason: reason.optional(),
  }),
  reply: teamMember,
  status: 201,
  refusals: ["taken"],
});

export const resendTeamMemberInvitation = endpoint({
  method: "POST",
  path: "/team/:id/invite",
  summary: "Resend an invitation",
  permission: "team:write",
  proof: "recent",
  params: record,
  body: actionBody,
  status: 202,
  refusals: ["wrong_state"],
});

export const changeTeamMember = endpoint({
  method: "PUT",
  path: "/team/:id",
  summary: "Update a team member",
  permission: "team:write",
  proof: "recent",
  approval: "owner",
  params: record,
  body: z.strictObject({
    name: text({ min: 1, max: 120 }),
    role: z.enum(roles),
    reason: reason.optional(),
  }),
  reply: teamMember,
  versioned: true,
  refusals: ["last_owner", "own_account", "forbidden"],
});

export const suspendTeamMember = endpoint({
  method: "POST",
  path: "/team/:id/suspend",
  summary: "Suspend a team member",
  permission: "team:write",
  approval: "owner",
  proof: "recent",
  params: record,
  body: actionBody,
  reply: teamMember,
  versioned: true,
  refusals: ["wrong_state", "last_owner", "own_account"],
});

export const restoreTeamMember = endpoint({
  method: "POST",
  path: "/team/:id/restore",
  summary: "Reactivate a team member",
  permission: "team:write",
  approval: "owner",
  proof: "recent",
  params: record,
  body: actionBody,
  reply: teamMember,
  versioned: true,
  refusals: ["wrong_state"],
});

export const resetTeamMemberTwoFactor = endpoint({
  method: "POST",
  path: "/team/:id/two-factor/reset",
  summary: "Reset the two-factor authentication of a team member",
  permission: "team:write",
  approval: "owner",
  proof: "recent",
  params: record,
  body: actionBody,
  reply: teamMember,
  refusals: ["wrong_state", "own_account", "forbidden"],
});

export const removeTeamMember = endpoint({
  method: "POST",
  path: "/team/:id/remove",
  summary: "Remove a team member",
  permission: "team:write",
  proof: "recent",
  approval: "owner",
  params: record,
  body: actionBody,
  versioned: true,
  refusals: ["last_owner", "own_account"],
});

export const getRoles = endpoint({
  method: "GET",
  path: "/roles",
  summary: "List roles with their number of members",
  permission: "team:read",
  reply: z.object({
    items: z.array(z.object({ role: z.enum(roles), members: z.int(), suspended: z.int() })),
  }),
});
