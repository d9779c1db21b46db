import { z } from "zod";
import { customerIdentifier } from "../entitlements/customerTokens.ts";
import { checked } from "../entitlements/explanation.ts";
import { between, required } from "../fields/commonRules.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { code, plain, reason, text } from "../fields/text.ts";
import { quantityMax } from "../fields/values.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { day } from "../reports/period.ts";

/** How many events a request may report. */
export const usageEventsMax = 1000;

/** How many days ago an event may have happened. */
export const lateDaysMax = 31;

const zero = rule("usage_amount_zero", "Enter an amount other than 0.");
const amountRange = between(1, quantityMax);
const amount = z.int(amountRange).min(1, amountRange).max(quantityMax, amountRange);
const signedRange = between(-quantityMax, quantityMax);
const signedAmount = z
  .int(signedRange)
  .min(-quantityMax, signedRange)
  .max(quantityMax, signedRange)
  .refine((given) => given !== 0, zero);

/** Chosen by the app. An event with the same ID is counted once. */
const eventId = text({ min: 1, max: 200 });

const use = { id: eventId, user: customerIdentifier, feature: code };

const usageEvent = z
  .strictObject({
    ...use,
    /** Negative only for limits, such as a seat that is free again. */
    amount: signedAmount.default(1),
    /** When it happened. By default now. */
    at: instant.optional(),
  })
  .meta({ id: "UsageEvent" });

/** What became of an event. Sold apps rely on these values. */
export const usageResults = ["recorded", "duplicate", "refused"] as const;

export const usageRefusals = [
  "unknown customer",
  "unknown feature",
  "not counted",
  "negative amount",
  "too late",
  "in the future",
  "id reused",
  "below zero",
  "no access",
  "limit reached",
] as const;
export type UsageRefusal = (typeof usageRefusals)[number];

const recordedEvent = z.object({
  id: plain,
  result: z.enum(usageResults),
  /** Why it was refused. */
  reason: z.enum(usageRefusals).nullable(),
});

export const recordUsage = endpoint({
  method: "POST",
  path: "/usage",
  summary: "Record usage of up to 1,000 events",
  permission: "app key",
  // Each event has its own ID.
  keyed: false,
  bodyKbMax: 1024,
  body: z.strictObject({ events: z.array(usageEvent).min(1, required).max(usageEventsMax) }),
  reply: z
    .object({
      /** In the order of the request. */
      items: z.array(recordedEvent),
    })
    .meta({ id: "RecordedUsage" }),
});

export const consumeUsage = endpoint({
  method: "POST",
  path: "/usage/consume",
  summary: "Check a feature and record its usage in one call",
  permission: "app key",
  keyed: false,
  body: z.strictObject({ ...use, amount: amount.default(1) }),
  /** With `allowed: false`, nothing was recorded. */
  reply: checked.extend({ result: z.enum(usageResults) }).meta({ id: "ConsumedUsage" }),
  refusals: ["not_found", "wrong_state"],
});

export const reservationStatuses = ["open", "confirmed", "released", "expired"] as const;

const reservation = z.object({
  id,
  status: z.enum(reservationStatuses),
  amount: z.int(),
  /** What was used of it. */
  confirmed: z.int().nullable(),
  expiresAt: instant,
});

const leaseSeconds = { min: 1, max: 86_400, default: 300 };
const leaseRange = between(leaseSeconds.min, leaseSeconds.max);

export const reserveUsage = endpoint({
  method: "POST",
  path: "/usage/reservations",
  summary: "Reserve an amount before it is used",
  permission: "app key",
  keyed: false,
  body: z.strictObject({
    ...use,
    amount: amount.default(1),
    /** How long the amount is reserved. */
    seconds: z
      .int(leaseRange)
      .min(leaseSeconds.min, leaseRange)
      .max(leaseSeconds.max, leaseRange)
      .default(leaseSeconds.default),
  }),
  reply: z
    .object({
      answer: checked,
      /** Null if the answer is no. */
      reservation: reservation.nullable(),
    })
    .meta({ id: "ReservedUsage" }),
  refusals: ["not_found", "wrong_state"],
});

export const confirmReservation = endpoint({
  method: "POST",
  path: "/usage/reservations/:id/confirm",
  summary: "Record the used part of a reservation and release the rest",
  permission: "app key",
  // The reservation can only be confirmed once.
  keyed: false,
  params: record,
  /** By default all of it. */
  body: z.strictObject({ amount: amount.optional() }),
  reply: reservation.meta({ id: "UsageReservation" }),
  refusals: ["wrong_state"],
});

export const releaseReservation = endpoint({
  method: "POST",
  path: "/usage/reservations/:id/release",
  summary: "Release a reservation",
  permission: "app key",
  keyed: false,
  params: record,
  body: z.strictObject({}),
  reply: reservation,
  refusals: ["wrong_state"],
});

/** A year with its leap day. */
export const usageDaysMax = 366;

export const usagePeriod = {
  /** The first and the last day, in the company's time zone. By default the last 30 days. */
  from: day.optional(),
  to: day.optional(),
};

export const usageDay = z.object({ day: plain, used: z.int() });

const usageOfFeature = z.object({
  feature: z.object({
    id,
    code: plain,
    name: plain,
    unit: z.object({ one: plain, many: plain }).nullable(),
  }),
  app: z.object({ id, name: plain, icon: plain }),
  /** Of the whole period. */
  used: z.int(),
  days: z.array(usageDay),
});

export const getUsage = endpoint({
  method: "GET",
  path: "/users/:id/usage",
  summary: "List a customer's usage by feature and day",
  permission: "users:read",
  params: record,
  query: z.strictObject(usagePeriod),
  reply: z.object({ from: plain, to: plain, items: z.array(usageOfFeature) }),
});

export const exportAppUsage = endpoint({
  method: "GET",
  path: "/apps/:id/usage/export",
  summary: "Export the usage of an app by feature, day and customer",
  permission: "users:export",
  proof: "recent",
  params: record,
  query: z.strictObject({
    ...usagePeriod,
    /** Only the feature with this code. */
    feature: code.optional(),
    format: z.enum(["csv", "jsonl"]).default("csv"),
  }),
  reply: plain,
  file: true,
  refusals: ["not_found"],
});

export const correctUsage = endpoint({
  method: "POST",
  path: "/users/:id/usage/corrections",
  summary: "Correct a customer's usage",
  permission: "users:write",
  params: record,
  body: z.strictObject({
    featureId: id,
    /** Added to what was used, so that a negative amount gives some of it back. */
    amount: signedAmount,
    reason,
  }),
  reply: z.object({ used: z.int() }),
  refusals: ["wrong_state"],
});
