import { z } from "zod";
import { plain, secretText, text, token } from "../fields/text.ts";
import { rule } from "../messages/rules.ts";

export const givenPassword = secretText({ min: 1, max: 256 });
/** Length matters more than complexity; the server refuses common passwords. */
export const newPassword = secretText({ min: 12, max: 256 });
export const ticket = token(
  /^[A-Za-z0-9_-]{43}$/,
  rule("token_invalid", "This token isn't valid."),
);
/** Six digits from an authenticator app, or a recovery code. Codes from before 0.6.0 have two groups. */
export const code = token(
  /^([0-9]{6}|[a-z0-9]{5}-[a-z0-9]{5}(-[a-z0-9]{5}){0,3})$/,
  rule("sign_in_code_invalid", "Enter the 6-digit code or a recovery code."),
);

/** Input and output of the browser's WebAuthn call, validated by the server's library. */
export const ceremony = z.record(plain, z.unknown());

export const assertion = z.strictObject({
  id: text({ min: 1, max: 1400 }),
  rawId: text({ min: 1, max: 1400 }),
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).nullish(),
  clientExtensionResults: z.record(text({ max: 100 }), z.unknown()),
  response: z.record(text({ max: 100 }), z.unknown()),
});
