import { z } from "zod";
import { grantSources } from "../entitlements/grants.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { email, plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { person } from "../packages/publishing.ts";

const why = reason.min(1, "must not be empty");

/** A current or future grant, for a selection. */
const heldRight = z.object({
  id,
  /** "Studio version 5", or "Cloud storage: 50 GB". */
  name: plain,
  source: z.enum(grantSources),
  startsAt: instant,
  endsAt: instant.nullable(),
  /** When its subscription renews. */
  renewsAt: instant.nullable(),
});
export type HeldGrant = z.output<typeof heldRight>;

export const listRights = endpoint({
  method: "GET",
  path: "/users/:id/rights",
  summary: "List the rights of a person that count now or will",
  permission: "users:read",
  params: record,
  reply: z.object({ items: z.array(heldRight) }),
});

const chosen = z
  .array(id)
  .min(1, "must name at least one right")
  .max(100, "must name at most 100 rights");

export const previewMove = endpoint({
  method: "POST",
  path: "/users/:id/rights/move/preview",
  summary: "Say what moving rights to another person would do; nothing is stored",
  permission: "users:write",
  params: record,
  body: z.strictObject({ email, grantIds: chosen }),
  reply: z.object({
    /** Null if no user has this address. */
    to: person.nullable(),
    items: z.array(heldRight),
    /** What is not moved, as sentences. */
    consequences: z.array(plain),
    /** Why it is refused, or null. */
    refusal: plain.nullable(),
  }),
  keyed: false,
});

export const moveRights = endpoint({
  method: "POST",
  path: "/users/:id/rights/move",
  summary: "Move rights to another person: they end here and go on there; money stays where it was",
  permission: "users:write",
  params: record,
  body: z.strictObject({ email, grantIds: chosen, reason: why }),
  reply: z.object({ to: person, items: z.array(heldRight) }),
  refusals: ["wrong_state"],
});

export const previewMerge = endpoint({
  method: "POST",
  path: "/users/:id/merge/preview",
  summary: "Say what merging another record of the same person into this one would do",
  permission: "users:write",
  params: record,
  /** The email address, id or external ID of the other record. */
  body: z.strictObject({ other: text({ min: 1, max: 254 }) }),
  reply: z.object({
    stays: person,
    goes: person,
    rights: z.array(heldRight),
    subscriptions: z.array(z.object({ id, name: plain, renewsAt: instant })),
    notes: z.int(),
    /** How many remain with the other record, which is kept for them. */
    transactions: z.int(),
    refusal: plain.nullable(),
  }),
  keyed: false,
});

export const mergeUsers = endpoint({
  method: "POST",
  path: "/users/:id/merge",
  summary:
    "Merge another record of the same person into this one; it stays, closed, for its payments",
  permission: "users:write",
  params: record,
  body: z.strictObject({ otherId: id, reason: why }),
  reply: z.object({ stays: person, goes: person, rights: z.int(), subscriptions: z.int() }),
  refusals: ["wrong_state"],
});
