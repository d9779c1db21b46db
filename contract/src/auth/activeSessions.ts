import { z } from "zod";
import { id, instant, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { message } from "../messages/schema.ts";

const sessions = z.object({
  items: z.array(
    z
      .object({
        id,
        /** Whether it is the caller's own session. */
        current: z.boolean(),
        createdAt: instant,
        lastSeenAt: instant,
        address: plain,
        /** Such as "Firefox on Linux". */
        device: message,
      })
      .meta({ id: "Session" }),
  ),
});

const signInMethods = [
  "password",
  "code",
  "recovery code",
  "passkey",
  "sso",
  // The link that `purser demo` prints.
  "demo link",
] as const;
export type SignInMethod = (typeof signInMethods)[number];

const outcomes = ["ok", "wrong credentials", "wrong code", "refused by policy", "blocked"] as const;
export type SignInOutcome = (typeof outcomes)[number];

const signIns = z.object({
  items: z.array(
    z
      .object({
        id,
        at: instant,
        how: z.enum(signInMethods),
        outcome: z.enum(outcomes),
        address: plain,
        device: message,
        /** Whether the user signed in with this browser for the first time. */
        newDevice: z.boolean(),
      })
      .meta({ id: "SignIn" }),
  ),
  /** Cursor of the next page. */
  next: id.nullable(),
});
export type SignIns = z.output<typeof signIns>;

/** Only sign-ins older than this one. */
const older = z.strictObject({ after: id.optional() });

const sessionOfMember = z.strictObject({ id, sessionId: id });

export const listSessions = endpoint({
  method: "GET",
  path: "/sessions",
  summary: "List your active sessions",
  permission: "signed in",
  beforeTwoFactor: true,
  reply: sessions,
});

export const endOwnSession = endpoint({
  method: "DELETE",
  path: "/sessions/:id",
  summary: "End one of your sessions",
  permission: "signed in",
  params: record,
});

export const signOutEverywhere = endpoint({
  method: "DELETE",
  path: "/sessions",
  summary: "End all your sessions",
  permission: "signed in",
});

export const listSignIns = endpoint({
  method: "GET",
  path: "/sign-ins",
  summary: "List your sign-in attempts",
  permission: "signed in",
  query: older,
  reply: signIns,
});

export const listTeamMemberSessions = endpoint({
  method: "GET",
  path: "/team/:id/sessions",
  summary: "List a team member's active sessions",
  permission: "team:read",
  params: record,
  reply: sessions,
});

export const endTeamMemberSession = endpoint({
  method: "DELETE",
  path: "/team/:id/sessions/:sessionId",
  summary: "End a team member's session",
  permission: "team:write",
  params: sessionOfMember,
});

export const endTeamMemberSessions = endpoint({
  method: "DELETE",
  path: "/team/:id/sessions",
  summary: "End all sessions of a team member",
  permission: "team:write",
  params: record,
});

export const listTeamMemberSignIns = endpoint({
  method: "GET",
  path: "/team/:id/sign-ins",
  summary: "List a team member's sign-in attempts",
  permission: "team:read",
  params: record,
  query: older,
  reply: signIns,
});
