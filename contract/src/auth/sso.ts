import { z } from "zod";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { enteredOrChallenged } from "./signIn.ts";

export const getSignInMethods = endpoint({
  method: "GET",
  path: "/session/methods",
  summary: "List the available sign-in methods",
  permission: "anyone",
  reply: z.object({
    passwords: z.boolean(),
    /** The name of the company's SSO; null if it is not set up. */
    sso: plain.nullable(),
  }),
});

export const startSso = endpoint({
  method: "POST",
  path: "/session/sso/start",
  summary: "Start a single sign-on",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({
    /** The page to open afterwards. */
    redirect: text({ max: 2000 }).optional(),
  }),
  reply: z.object({ address: plain }),
  refusals: ["wrong_state"],
});

export const signInWithSso = endpoint({
  method: "POST",
  path: "/session/sso",
  summary: "Complete a single sign-on",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({
    /** The query of the callback URL. */
    answer: text({ min: 1, max: 4000 }),
  }),
  reply: z.object({ entered: enteredOrChallenged, redirect: plain.nullable() }),
  refusals: ["sso_refused", "wrong_state"],
});
