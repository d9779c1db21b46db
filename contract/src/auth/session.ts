import { z } from "zod";
import { id, instant } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { preferences } from "../workspace/preferences.ts";
import { type Permission, permissions, roles } from "./permissions.ts";

export const me = z
  .object({
    id,
    name: plain,
    email: plain,
    role: z.enum(roles),
    permissions: z.array(z.enum(Object.keys(permissions) as [Permission, ...Permission[]])),
    /** Whether an authenticator app is set up. */
    twoFactor: z.boolean(),
    hasPasskey: z.boolean(),
    /** Until then, this user can still sign in with the password alone, in case the passkey is lost. */
    passkeyRequiredFrom: instant.nullable(),
    /** When two-factor authentication must be set up, and whether that is overdue. */
    twoFactorRequirement: z.object({ dueAt: instant, isDue: z.boolean() }).nullable(),
    /** How users without two-factor authentication confirm their identity before sensitive actions. */
    proof: z.enum(["password", "recent sign-in"]),
    preferences,
    /** When this session ends even if it is active, or the key of a service account expires. */
    endsAt: instant,
    /** Until when all changes are known, for `GET /events`. */
    position: plain,
  })
  .meta({ id: "Me" });
export type Me = z.output<typeof me>;

export const getSession = endpoint({
  method: "GET",
  path: "/session",
  summary: "Retrieve the signed-in user or service account",
  permission: "signed in",
  serviceAccounts: true,
  beforeTwoFactor: true,
  reply: me,
});

/** Also answers without a session, so that the sign-in page has no failed request. */
export const getSignedInUser = endpoint({
  method: "GET",
  path: "/session/user",
  summary: "Retrieve the signed-in user, or null",
  permission: "anyone",
  optionalSession: true,
  reply: z.object({ user: me.nullable() }),
});

export const signOut = endpoint({
  method: "DELETE",
  path: "/session",
  summary: "Sign out",
  permission: "signed in",
  beforeTwoFactor: true,
});

export const changeOwnName = endpoint({
  method: "PUT",
  path: "/account",
  summary: "Update your name",
  permission: "signed in",
  body: z.strictObject({ name: text({ min: 1, max: 120 }) }),
  reply: me,
});
