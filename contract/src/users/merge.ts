import { z } from "zod";
import { grantSources } from "../entitlements/grants.ts";
import { required, tooManyEntries } from "../fields/commonRules.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { email, plain, reason, text } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { message } from "../messages/schema.ts";
import { userSummary } from "../packages/publishing.ts";
import { shownFeature } from "../packages/versions.ts";

const why = reason.min(1, required);

/** A current or future grant, for a selection. */
const heldGrant = z.object({
  id,
  /** The granted version of a package, or null. */
  package: z.object({ name: plain, number: z.int() }).nullable(),
  /** The granted feature, or null. */
  feature: shownFeature
    .pick({ name: true, kind: true, unit: true, reset: true, options: true })
    .extend({ value })
    .nullable(),
  source: z.enum(grantSources),
  startsAt: instant,
  endsAt: instant.nullable(),
  /** When its subscription renews. */
  renewsAt: instant.nullable(),
});
export type HeldGrant = z.output<typeof heldGrant>;

export const listGrants = endpoint({
  method: "GET",
  path: "/users/:id/grants",
  summary: "List a customer's current and future grants",
  permission: "users:read",
  params: record,
  reply: z.object({ items: z.array(heldGrant) }),
});

const chosen = z
  .array(id)
  .min(1, rule("grants_none", "Choose at least one grant."))
  .max(100, tooManyEntries(100));

export const previewTransfer = endpoint({
  method: "POST",
  path: "/users/:id/grants/transfer/preview",
  summary: "Preview a transfer of grants",
  permission: "users:write",
  params: record,
  body: z.strictObject({ email, grantIds: chosen }),
  reply: z.object({
    /** Null if no user has this address. */
    to: userSummary.nullable(),
    items: z.array(heldGrant),
    /** What is not transferred. */
    consequences: z.array(message),
    /** Why it is refused, or null. */
    refusal: message.nullable(),
  }),
  keyed: false,
});

export const transferGrants = endpoint({
  method: "POST",
  path: "/users/:id/grants/transfer",
  summary: "Transfer grants to another customer",
  permission: "users:write",
  approval: "grant",
  params: record,
  body: z.strictObject({ email, grantIds: chosen, reason: why }),
  reply: z.object({ to: userSummary, items: z.array(heldGrant) }),
  refusals: ["wrong_state"],
});

export const previewMerge = endpoint({
  method: "POST",
  path: "/users/:id/merge/preview",
  summary: "Preview merging another customer into this one",
  permission: "users:write",
  params: record,
  /** The email address, id or external ID of the other record. */
  body: z.strictObject({ other: text({ min: 1, max: 254 }) }),
  reply: z.object({
    stays: userSummary,
    goes: userSummary,
    grants: z.array(heldGrant),
    subscriptions: z.array(z.object({ id, name: plain, renewsAt: instant })),
    notes: z.int(),
    /** How many remain with the other record, which is kept for them. */
    transactions: z.int(),
    refusal: message.nullable(),
  }),
  keyed: false,
});

export const mergeUsers = endpoint({
  method: "POST",
  path: "/users/:id/merge",
  summary: "Merge another customer into this one",
  permission: "users:write",
  approval: "grant",
  params: record,
  body: z.strictObject({ otherId: id, reason: why }),
  reply: z.object({
    stays: userSummary,
    goes: userSummary,
    grants: z.int(),
    subscriptions: z.int(),
  }),
  refusals: ["wrong_state"],
});
