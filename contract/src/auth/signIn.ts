import { z } from "zod";
import { instant, nothing } from "../fields/primitives.ts";
import { email, plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { assertion, ceremony, code, givenPassword, ticket } from "./credentials.ts";
import { me } from "./session.ts";

const signedIn = z.object({ state: z.literal("signed in"), me });

/** Either signed in, or a two-factor code is required. */
export const enteredOrChallenged = z.discriminatedUnion("state", [
  signedIn,
  z.object({ state: z.literal("second factor"), challenge: plain, expiresAt: instant }),
]);

export const signIn = endpoint({
  method: "POST",
  path: "/session",
  summary: "Sign in with email and password",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ email, password: givenPassword }),
  reply: enteredOrChallenged,
  refusals: ["wrong_credentials", "password_sign_in_off", "two_factor_required"],
});

export const signInWithCode = endpoint({
  method: "POST",
  path: "/session/code",
  summary: "Complete a sign-in with a two-factor or recovery code",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ challenge: ticket, code }),
  reply: signedIn,
  refusals: ["wrong_code"],
});

export const startPasskeySignIn = endpoint({
  method: "POST",
  path: "/session/passkey/start",
  summary: "Start a sign-in with a passkey",
  permission: "anyone",
  keyed: false,
  body: nothing,
  reply: z.object({ challenge: plain, options: ceremony }),
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
