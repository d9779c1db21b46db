import { z } from "zod";
import { email, plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { givenPassword, newPassword, ticket } from "./credentials.ts";

export const forgotPassword = endpoint({
  method: "POST",
  path: "/password/forgot",
  summary: "Request a password reset email",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ email }),
  status: 202,
  refusals: ["password_sign_in_off"],
});

export const getLink = endpoint({
  method: "POST",
  path: "/password/link",
  summary: "Retrieve the purpose of an email link",
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
  summary: "Set a password with an email link and end all sessions",
  permission: "anyone",
  keyed: false,
  body: z.strictObject({ token: ticket, password: newPassword }),
  refusals: ["link_unusable", "password_sign_in_off"],
});

export const changePassword = endpoint({
  method: "PUT",
  path: "/password",
  summary: "Change your password and end your other sessions",
  permission: "signed in",
  body: z.strictObject({ current: givenPassword, password: newPassword }),
  refusals: ["wrong_credentials", "too_many_requests", "password_sign_in_off"],
});
