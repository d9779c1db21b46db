import { z } from "zod";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { code, proof } from "./credentials.ts";

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
