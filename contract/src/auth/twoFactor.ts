import { z } from "zod";
import { nothing } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { code } from "./credentials.ts";

export const startTotp = endpoint({
  method: "POST",
  path: "/two-factor/start",
  summary: "Start setting up an authenticator app",
  permission: "signed in",
  proof: "recent",
  beforeTwoFactor: true,
  keyed: false,
  body: nothing,
  reply: z.object({ secret: plain, uri: plain }),
  refusals: ["wrong_state"],
});

export const confirmTotp = endpoint({
  method: "POST",
  path: "/two-factor/confirm",
  summary: "Turn on the authenticator app and return recovery codes",
  permission: "signed in",
  proof: "recent",
  beforeTwoFactor: true,
  keyed: false,
  body: z.strictObject({ code }),
  reply: z.object({ recoveryCodes: z.array(plain) }),
  refusals: ["wrong_code", "wrong_state", "too_many_requests"],
});

export const removeTotp = endpoint({
  method: "POST",
  path: "/two-factor/remove",
  summary: "Turn off the authenticator app",
  permission: "signed in",
  proof: "recent",
  keyed: false,
  body: nothing,
  refusals: ["wrong_state", "two_factor_required"],
});
