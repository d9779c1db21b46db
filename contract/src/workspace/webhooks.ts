import { z } from "zod";
import { noRepeats } from "../fields/commonRules.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { type Fields, listQuery, pageOf, rowCount } from "../http/list.ts";
import { rule } from "../messages/rules.ts";
import { userSummary } from "../packages/publishing.ts";

/** The events that an endpoint can subscribe to. */
export const webhookTypes = [
  "entitlements.changed",
  "subscription.changed",
  "transaction.changed",
] as const;

/** All event types, including the test event. */
export const sentTypes = [...webhookTypes, "test"] as const;
export type SentType = (typeof sentTypes)[number];

export const endpointStatuses = ["active", "disabled"] as const;

export const webhookDetails = z.strictObject({
  url: text({ min: 1, max: 2000 }),
  description: text({ max: 500 }).default(""),
  types: z
    .array(z.enum(webhookTypes))
    .min(1, rule("event_types_none", "Choose at least one event."))
    .max(webhookTypes.length)
    .refine((chosen) => new Set(chosen).size === chosen.length, noRepeats)
    .meta({ uniqueItems: true }),
  reason: reason.optional(),
});
export type WebhookDetails = Omit<z.output<typeof webhookDetails>, "reason">;

export const webhookEndpoint = z
  .object({
    id,
    url: plain,
    description: plain,
    types: z.array(z.enum(webhookTypes)),
    status: z.enum(endpointStatuses),
    /** Why it was disabled automatically. */
    disabledBecause: plain.nullable(),
    /** Until when the previous secret also signs. */
    previousUntil: instant.nullable(),
    /** Since when deliveries fail; null if they succeed. */
    failingSince: instant.nullable(),
    /** In the last 24 hours, counting at most the latest 10,000. */
    lately: z.object({ attempted: z.int(), delivered: z.int() }),
    lastFailure: z.object({ at: instant, error: plain }).nullable(),
    waiting: rowCount,
    /** When the oldest waiting delivery was created, of at most 10,000. */
    oldestWaitingAt: instant.nullable(),
    failed: rowCount,
    version,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "WebhookEndpoint" });
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

const withSecret = webhookEndpoint
  .extend({ secret: plain })
  .meta({ id: "WebhookEndpointWithSecret" });

export const listWebhookEndpoints = endpoint({
  method: "GET",
  path: "/webhook-endpoints",
  summary: "List webhook endpoints",
  permission: "webhooks:read",
  reply: z.object({ items: z.array(webhookEndpoint) }),
});

export const createWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhook-endpoints",
  summary: "Create a webhook endpoint and return its secret once",
  permission: "webhooks:write",
  proof: "recent",
  body: webhookDetails,
  reply: withSecret,
  status: 201,
  refusals: ["taken", "wrong_state"],
});

export const changeWebhookEndpoint = endpoint({
  method: "PUT",
  path: "/webhook-endpoints/:id",
  summary: "Update a webhook endpoint",
  permission: "webhooks:write",
  proof: "recent",
  params: record,
  body: webhookDetails,
  reply: webhookEndpoint,
  versioned: true,
  refusals: ["taken"],
});

export const rotateWebhookSecret = endpoint({
  method: "POST",
  path: "/webhook-endpoints/:id/rotate-secret",
  summary: "Rotate a webhook endpoint's secret",
  permission: "webhooks:write",
  proof: "recent",
  params: record,
  body: actionBody.extend({ keepHours: z.int().min(0).max(168).default(24) }),
  reply: withSecret,
  versioned: true,
});

export const disableWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhook-endpoints/:id/disable",
  summary: "Disable a webhook endpoint",
  permission: "webhooks:write",
  proof: "recent",
  params: record,
  body: actionBody,
  reply: webhookEndpoint,
  versioned: true,
  refusals: ["wrong_state"],
});

export const enableWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhook-endpoints/:id/enable",
  summary: "Enable a webhook endpoint",
  permission: "webhooks:write",
  proof: "recent",
  params: record,
  body: actionBody,
  reply: webhookEndpoint,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deleteWebhookEndpoint = endpoint({
  method: "DELETE",
  path: "/webhook-endpoints/:id",
  summary: "Delete a webhook endpoint and its deliveries",
  permission: "webhooks:write",
  proof: "recent",
  params: record,
  versioned: true,
});

export const testWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhook-endpoints/:id/test",
  summary: "Send a test event to a webhook endpoint",
  permission: "webhooks:write",
  params: record,
  body: actionBody,
  reply: z.object({ deliveryId: id, eventId: id }),
  status: 202,
  refusals: ["wrong_state"],
});

export const resendFailed = endpoint({
  method: "POST",
  path: "/webhook-endpoints/:id/resend",
  summary: "Resend failed deliveries of a webhook endpoint",
  permission: "webhooks:write",
  params: record,
  body: actionBody.extend({ since: instant }),
  reply: z.object({ sent: z.int() }),
  status: 202,
  refusals: ["wrong_state"],
});

export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const delivery = z
  .object({
    id,
    /** The same for every attempt, so that a receiver can ignore repeats. */
    eventId: id,
    type: z.enum(sentTypes),
    state: z.enum(deliveryStates),
    endpoint: z.object({ id, url: plain }),
    user: userSummary.nullable(),
    /** The position among the customer's events; 0 without a customer. */
    sequence: z.int(),
    attempts: z.int(),
    /** The next attempt; null if none is planned or an earlier event of the customer comes first. */
    nextAt: instant.nullable(),
    lastStatus: z.int().nullable(),
    lastError: plain.nullable(),
    createdAt: instant,
    attemptedAt: instant.nullable(),
    deliveredAt: instant.nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.output<typeof delivery>;

/** One stored attempt. */
const attempt = z.object({
  at: instant,
  status: z.int().nullable(),
  error: plain.nullable(),
  ms: z.int(),
});
export type Attempt = z.input<typeof attempt>;

export const deliveryFields = {
  endpoint: { kind: "relation" },
  state: { kind: "choice", options: deliveryStates },
  type: { kind: "choice", options: sentTypes },
  user: { kind: "relation" },
  createdAt: { kind: "instant", sort: true },
} as const satisfies Fields;

export const listWebhookDeliveries = endpoint({
  method: "GET",
  path: "/webhook-deliveries",
  summary: "List webhook deliveries",
  permission: "webhooks:read",
  query: listQuery(deliveryFields),
  reply: pageOf(delivery),
});

const deliveryDetails = delivery.extend({
  /** The body as it is sent. */
  payload: plain,
  /** The beginning of the last response. */
  answer: plain.nullable(),
  /** The latest 20, newest last. */
  latestAttempts: z.array(attempt),
});

export const getWebhookDelivery = endpoint({
  method: "GET",
  path: "/webhook-deliveries/:id",
  summary: "Retrieve a webhook delivery",
  permission: "webhooks:read",
  params: record,
  reply: deliveryDetails.meta({ id: "WebhookDeliveryDetails" }),
});

export const resendWebhookDelivery = endpoint({
  method: "POST",
  path: "/webhook-deliveries/:id/resend",
  summary: "Resend a webhook delivery",
  permission: "webhooks:write",
  params: record,
  body: actionBody,
  reply: delivery,
  status: 202,
  refusals: ["wrong_state"],
});
