import { z } from "zod";
import { notPositive } from "../fields/commonRules.ts";
import { amount, currency } from "../fields/money.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { code, email, plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { intervals } from "../packages/prices.ts";
import { provider } from "./fields.ts";

const reference = text({ min: 1, max: 200 });

/** The purchase, for a payment that Purser doesn't know yet. */
export const paidFor = z.strictObject({
  email,
  package: code,
  interval: z.enum(intervals),
  intervalCount: z.int().min(1).max(120).default(1),
  codes: z.array(reference.max(60)).max(10).default([]),
  quantity: z.int().min(1).max(1_000_000).default(1),
  /** The tax that the provider calculated. Otherwise Purser calculates it. */
  tax: amount.nullable().default(null),
});
export type PaidFor = z.output<typeof paidFor>;

const about = {
  /** The provider's id of the payment. */
  payment: reference,
  /** The number of the transaction, if the provider knows it. */
  transaction: reference.optional(),
  /** The subscription that this payment renews. */
  subscription: id.optional(),
  at: instant,
};

export const paymentOutcomes = [
  "authorized",
  "succeeded",
  "failed",
  "unknown",
  "canceled",
] as const;

/** Notifications from before 0.5.0 are stored with the British spelling, and are parsed again until they are applied. */
const currentOutcome = (given: unknown) => (given === "authorised" ? "authorized" : given);

/** A notification of any other provider, signed with Standard Webhooks. */
export const signedNews = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("payment"),
    ...about,
    outcome: z.preprocess(currentOutcome, z.enum(paymentOutcomes)),
    amount,
    currency,
    sale: paidFor.optional(),
  }),
  z.strictObject({
    type: z.literal("refund"),
    ...about,
    refund: reference,
    amount: amount.min(1, notPositive),
    currency,
  }),
  z.strictObject({
    type: z.literal("dispute"),
    ...about,
    outcome: z.enum(["disputed", "dispute won", "dispute lost"]),
    /** Until when evidence can be sent. */
    dueAt: instant.optional(),
  }),
]);

export const receiveProviderEvent = endpoint({
  method: "POST",
  path: "/providers/:provider/events",
  summary: "Receive a payment provider's notification",
  permission: "provider",
  params: z.object({ provider }),
  body: z.looseObject({}),
  bodyKbMax: 256,
  status: 202,
  reply: z.object({ isNew: z.boolean() }),
  keyed: false,
});

export const eventOutcomes = ["waiting", "applied", "ignored", "unmatched"] as const;

const providerEvent = z
  .object({
    id,
    provider: plain,
    eventId: plain,
    type: plain,
    payment: plain.nullable(),
    at: instant,
    receivedAt: instant,
    outcome: z.enum(eventOutcomes),
    /** How it was processed. */
    words: plain.nullable(),
    attempts: z.int(),
    nextAttemptAt: instant.nullable(),
    transaction: z.object({ id, number: plain }).nullable(),
  })
  .meta({ id: "ProviderEvent" });
export type ProviderEvent = z.output<typeof providerEvent>;

export const listProviderEvents = endpoint({
  method: "GET",
  path: "/provider-events",
  summary: "List payment provider notifications",
  permission: "transactions:read",
  query: z.strictObject({ outcome: z.enum(eventOutcomes).default("unmatched") }),
  reply: z.object({ items: z.array(providerEvent) }),
});

export const getProviderEvent = endpoint({
  method: "GET",
  path: "/provider-events/:id",
  summary: "Retrieve a payment provider's notification",
  permission: "transactions:read",
  params: record,
  reply: providerEvent.extend({ body: plain }).meta({ id: "ProviderEventDetails" }),
});

export const retryProviderEvent = endpoint({
  method: "POST",
  path: "/provider-events/:id/retry",
  summary: "Process a payment provider's notification again",
  permission: "transactions:write",
  params: record,
  body: z.strictObject({}),
  reply: providerEvent,
  refusals: ["wrong_state"],
});
