import { z } from "zod";
import { nothing } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { assertion, ceremony, code, givenPassword, ticket } from "./credentials.ts";

/** How long a confirmed identity is enough for endpoints with `proof`. */
export const proofMinutes = 10;

/** Lets a page ask for the confirmation before it starts a download, which can't ask. */
export const checkConfirmation = endpoint({
  method: "GET",
  path: "/session/confirmation",
  summary: "Check that you confirmed your identity recently",
  permission: "signed in",
  proof: "recent",
});

export const startPasskeyConfirmation = endpoint({
  method: "POST",
  path: "/session/confirmation/passkey/start",
  summary: "Start confirming your identity with a passkey",
  permission: "signed in",
  beforeTwoFactor: true,
  keyed: false,
  body: nothing,
  reply: z.object({ challenge: plain, options: ceremony }),
});

export const confirmWithPasskey = endpoint({
  method: "POST",
  path: "/session/confirmation/passkey",
  summary: "Confirm your identity with a passkey",
  permission: "signed in",
  beforeTwoFactor: true,
  keyed: false,
  body: z.strictObject({ challenge: ticket, response: assertion }),
  refusals: ["passkey_refused"],
});

export const confirmWithCode = endpoint({
  method: "POST",
  path: "/session/confirmation/code",
  summary: "Confirm your identity with a two-factor or recovery code",
  permission: "signed in",
  beforeTwoFactor: true,
  keyed: false,
  body: z.strictObject({ code }),
  refusals: ["wrong_code", "wrong_state", "too_many_requests"],
});

export const confirmWithPassword = endpoint({
  method: "POST",
  path: "/session/confirmation/password",
  summary: "Confirm your identity with your password, without two-factor authentication",
  permission: "signed in",
  beforeTwoFactor: true,
  keyed: false,
  body: z.strictObject({ password: givenPassword }),
  refusals: ["wrong_credentials", "wrong_state", "too_many_requests"],
});
