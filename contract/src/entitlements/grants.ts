import { z } from "zod";
import { required } from "../fields/commonRules.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { email, plain, reason, text } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { userSummary } from "../packages/publishing.ts";

export const grantSources = ["transaction", "trial", "promotion", "import", "manual"] as const;

/** A grant to a package version, or to one feature's value, for a period. */
const grant = z
  .object({
    id,
    user: userSummary,
    package: z.object({ id, name: plain, number: z.int() }).nullable(),
    feature: z.object({ id, name: plain, value }).nullable(),
    source: z.enum(grantSources),
    reason: plain.nullable(),
    startsAt: instant,
    /** Null for no end. */
    endsAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: "Grant" });
export type Grant = z.output<typeof grant>;

export const listSubscribers = endpoint({
  method: "GET",
  path: "/packages/:id/subscribers",
  summary: "List a package's subscribers",
  permission: "packages:read",
  params: record,
  query: z.strictObject({ q: text({ max: 200 }).optional(), after: id.optional() }),
  reply: z.object({ items: z.array(grant), next: id.nullable() }),
});

export const grantAccess = endpoint({
  method: "POST",
  path: "/grants",
  summary: "Grant a customer access to a package or feature",
  permission: "users:write",
  approval: "grant",
  body: z
    .strictObject({
      /** An existing user. */
      userId: id.optional(),
      /** Or an email address; an unknown one creates a customer. */
      email: email.optional(),
      packageId: id.optional(),
      featureId: id.optional(),
      value: value.optional(),
      /** Null for no end. */
      endsAt: instant.nullable(),
      reason: reason.min(1, required),
    })
    .superRefine(({ userId, email: address, packageId, featureId, value: given }, context) => {
      if ((userId === undefined) === (address === undefined))
        context.addIssue({
          code: "custom",
          path: ["email"],
          message: rule(
            "customer_ambiguous",
            "Send either the customer's ID or their email address.",
          ),
        });
      if ((packageId === undefined) === (featureId === undefined))
        context.addIssue({
          code: "custom",
          path: ["packageId"],
          message: rule("grant_ambiguous", "Choose either a package or a feature."),
        });
      if ((featureId === undefined) !== (given === undefined))
        context.addIssue({
          code: "custom",
          path: ["value"],
          message: rule("feature_value_required", "Enter a value for the feature."),
        });
    }),
  reply: grant,
  status: 201,
  refusals: ["wrong_state", "not_found"],
});

export const revokeAccess = endpoint({
  method: "POST",
  path: "/grants/:id/revoke",
  summary: "Revoke a grant",
  permission: "users:write",
  params: record,
  body: z.strictObject({ reason: reason.min(1, required) }),
  reply: grant,
  refusals: ["wrong_state"],
});
