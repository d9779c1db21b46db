import { z } from "zod";
import { id, instant, nothing, record } from "../fields/primitives.ts";
import { endpoint } from "../http/endpoint.ts";
import { type Permission, permissions, roles } from "./permissions.ts";
import { preferences } from "../workspace/preferences.ts";
import { email, plain, secretText, text, token } from "../fields/text.ts";

const givenPassword = secretText({ min: 1, max: 256 });
/** Long beats complicated; common ones are refused by the server's list. */
const newPassword = secretText({ min: 12, max: 256 });
const ticket = token(/^[A-Za-z0-9_-]{43}$/, "must be the token of the link or challenge");
/** Six digits from the authenticator, or a recovery code. */
const code = token(/^([0-9]{6}|[a-z0-9]{5}-[a-z0-9]{5})$/, "must be 6 digits or a recovery code");

export const me = z
  .object({
    id,
    name: plain,
    email: plain,
    role: z.enum(roles),
    permissions: z.array(z.enum(Object.keys(permissions) as [Permission, ...Permission[]])),
    /** Whether an authenticator is on. */
    secondFactor: z.boolean(),
    /** What the policy of second factors asks of this person: by when, and whether that is past. */
    secondFactorDuty: z.object({ dueAt: instant, isDue: z.boolean() }).nullable(),
    /** How a person proves again who they are, before what a stolen session must not do. */
    proof: z.enum(["password", "recent sign-in"]),
    preferences,
    /** When this session ends even if it is used. */
    endsAt: instant,
  })
  .meta({ id: "Me" });
export type Me = z.output<typeof me>;

const signedIn = z.object({ state: z.literal("signed in"), me });

/** Signed in, or still to be proven with a code. */
export const enteredOrChallenged = z.discriminatedUnion("state", [
  signedIn,
  z.object({ state: z.literal("second factor"), challenge: plain, expiresAt: instant }),
]);

export const signIn = endpoint({
  method: "POST",
  path: "/session",
  summary: "Sign in with mail and password",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ email, password: givenPassword }),
  reply: enteredOrChallenged,
  refusals: ["wrong_credentials", "passwords_off", "second_factor_required"],
});

export const signInWithCode = endpoint({
  method: "POST",
  path: "/session/code",
  summary: "Finish a sign-in with a code of the authenticator, or a recovery code",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ challenge: ticket, code }),
  reply: signedIn,
  refusals: ["wrong_code"],
});

/** What the browser's WebAuthn call takes and gives; the server's library checks it. */
const ceremony = z.record(plain, z.unknown());

export const startPasskeySignIn = endpoint({
  method: "POST",
  path: "/session/passkey/start",
  summary: "Start a sign-in with a passkey",
  permission: "anyone",
  keyed: false,
  body: nothing,
  reply: z.object({ challenge: plain, options: ceremony }),
});

const assertion = z.strictObject({
  id: text({ min: 1, max: 1400 }),
  rawId: text({ min: 1, max: 1400 }),
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).nullish(),
  clientExtensionResults: z.record(text({ max: 100 }), z.unknown()),
  response: z.record(text({ max: 100 }), z.unknown()),
});

export const signInWithPasskey = endpoint({
  method: "POST",
  path: "/session/passkey",
  summary: "Sign in with a passkey",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ challenge: ticket, response: assertion }),
  reply: signedIn,
  refusals: ["passkey_refused"],
});

export const getSession = endpoint({
  method: "GET",
  path: "/session",
  summary: "Tell who is signed in",
  permission: "signed in",
  beforeSecondFactor: true,
  reply: me,
});

export const signOut = endpoint({
  method: "DELETE",
  path: "/session",
  summary: "Sign out here",
  permission: "signed in",
  beforeSecondFactor: true,
});

export const forgotPassword = endpoint({
  method: "POST",
  path: "/password/forgot",
  summary: "Ask for a mail with a link to a new password; the answer is the same for every address",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ email }),
  status: 202,
  refusals: ["passwords_off"],
});

export const getLink = endpoint({
  method: "POST",
  path: "/password/link",
  summary: "Tell what a link from a mail is for",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ token: ticket }),
  reply: z.object({
    purpose: z.enum(["invitation", "reset", "operator"]),
    email: plain,
    name: plain,
  }),
  refusals: ["link_unusable"],
});

export const setPassword = endpoint({
  method: "POST",
  path: "/password/set",
  summary: "Set the password by a link from a mail; all sessions end, a second factor stays",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ token: ticket, password: newPassword }),
  refusals: ["link_unusable", "passwords_off"],
});

export const changePassword = endpoint({
  method: "PUT",
  path: "/password",
  summary: "Change your password; your other sessions end",
  permission: "signed in",
  body: z.strictObject({ current: givenPassword, password: newPassword }),
  refusals: ["wrong_credentials", "too_many", "passwords_off"],
});

/** The password again; without, where the office has none, the session must be a few minutes old. */
const proof = z.strictObject({ password: givenPassword.optional() });

export const startTotp = endpoint({
  method: "POST",
  path: "/second-factor/start",
  summary: "Start setting up an authenticator",
  permission: "signed in",
  beforeSecondFactor: true,
  keyed: false,
  body: proof,
  reply: z.object({ secret: plain, uri: plain }),
  refusals: ["wrong_credentials", "wrong_state", "too_many", "sign_in_again"],
});

export const confirmTotp = endpoint({
  method: "POST",
  path: "/second-factor/confirm",
  summary: "Switch the authenticator on; answers with the recovery codes, once",
  permission: "signed in",
  beforeSecondFactor: true,
  keyed: false,
  body: z.strictObject({ code }),
  reply: z.object({ recoveryCodes: z.array(plain) }),
  refusals: ["wrong_code", "wrong_state", "too_many"],
});

export const removeTotp = endpoint({
  method: "POST",
  path: "/second-factor/remove",
  summary: "Switch the authenticator off",
  permission: "signed in",
  keyed: false,
  body: proof,
  refusals: [
    "wrong_credentials",
    "wrong_state",
    "too_many",
    "sign_in_again",
    "second_factor_required",
  ],
});

const passkeyName = text({ min: 1, max: 60 });

const passkey = z
  .object({ id, name: plain, createdAt: instant, lastUsedAt: instant.nullable() })
  .meta({ id: "Passkey" });

export const listPasskeys = endpoint({
  method: "GET",
  path: "/passkeys",
  summary: "List your passkeys",
  permission: "signed in",
  beforeSecondFactor: true,
  reply: z.object({ items: z.array(passkey) }),
});

export const startPasskey = endpoint({
  method: "POST",
  path: "/passkeys/start",
  summary: "Start adding a passkey",
  permission: "signed in",
  beforeSecondFactor: true,
  keyed: false,
  body: proof,
  reply: z.object({ challenge: plain, options: ceremony }),
  refusals: ["wrong_credentials", "too_many", "sign_in_again"],
});

export const addPasskey = endpoint({
  method: "POST",
  path: "/passkeys",
  summary: "Add a passkey",
  permission: "signed in",
  beforeSecondFactor: true,
  keyed: false,
  body: z.strictObject({ challenge: ticket, name: passkeyName, response: assertion }),
  reply: passkey,
  status: 201,
  refusals: ["passkey_refused", "taken"],
});

export const renamePasskey = endpoint({
  method: "PUT",
  path: "/passkeys/:id",
  summary: "Give a passkey another name",
  permission: "signed in",
  params: record,
  body: z.strictObject({ name: passkeyName }),
  reply: passkey,
});

export const removePasskey = endpoint({
  method: "DELETE",
  path: "/passkeys/:id",
  summary: "Remove a passkey",
  permission: "signed in",
  params: record,
  refusals: ["second_factor_required"],
});

export const changeOwnName = endpoint({
  method: "PUT",
  path: "/account",
  summary: "Change your own name",
  permission: "signed in",
  body: z.strictObject({ name: text({ min: 1, max: 120 }) }),
  reply: me,
});
