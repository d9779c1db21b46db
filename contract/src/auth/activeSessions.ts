import { z } from "zod";
import { id, instant, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

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
        device: plain,
      })
      .meta({ id: "Session" }),
  ),
});

const waysIn = ["password", "code", "recovery code", "passkey", "company"] as const;
export type WayIn = (typeof waysIn)[number];

const outcomes = ["ok", "wrong credentials", "wrong code", "refused by policy", "blocked"] as const;
export type SignInOutcome = (typeof outcomes)[number];

const signIns = z.object({
  items: z.array(
    z
      .object({
        id,
        at: instant,
        how: z.enum(waysIn),
        outcome: z.enum(outcomes),
        address: plain,
        device: plain,
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

const sessionOfStaff = z.strictObject({ id, sessionId: id });

export const listSessions = endpoint({
  method: "GET",
  path: "/sessions",
  summary: "List where you are signed in",
  permission: "signed in",
  beforeSecondFactor: true,
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
  summary: "Sign out everywhere",
  permission: "signed in",
});

export const listSignIns = endpoint({
  method: "GET",
  path: "/sign-ins",
  summary: "List the tries to sign in as you, newest first",
  permission: "signed in",
  query: older,
  reply: signIns,
});

export const listStaffSessions = endpoint({
  method: "GET",
  path: "/staff/:id/sessions",
  summary: "List where a member of staff is signed in",
  permission: "staff:read",
  params: record,
  reply: sessions,
});

export const endStaffSession = endpoint({
  method: "DELETE",
  path: "/staff/:id/sessions/:sessionId",
  summary: "End one session of a member of staff",
  permission: "staff:write",
  params: sessionOfStaff,
});

export const endStaffSessions = endpoint({
  method: "DELETE",
  path: "/staff/:id/sessions",
  summary: "End every session of a member of staff",
  permission: "staff:write",
  params: record,
});

export const listStaffSignIns = endpoint({
  method: "GET",
  path: "/staff/:id/sign-ins",
  summary: "List the tries to sign in as a member of staff, newest first",
  permission: "staff:read",
  params: record,
  query: older,
  reply: signIns,
});
