import { z } from "zod";
import { buyer, namesOneBuyer, oneBuyer } from "../entitlements/customerTokens.ts";
import { atLeast, atMost, atMostPercent, notPositive, required } from "../fields/commonRules.ts";
import { amount } from "../fields/money.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { intervals } from "../packages/prices.ts";
import { userSummary } from "../packages/publishing.ts";
import { offer } from "../promotions/pricing.ts";
import { chargedLine, takenCredit } from "../transactions/endpoints.ts";
import { brief } from "../transactions/fields.ts";
import { continuation, payment } from "../transactions/sales.ts";

export const subscriptionStatuses = [
  "trialing",
  "active",
  "past due",
  "paused",
  "ending",
  "ended",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

const price = z.object({
  currency: plain,
  amount,
  interval: z.enum(intervals),
  intervalCount: z.int(),
});

/** A package that a customer pays for repeatedly, and until when it is paid. */
export const subscriptionReply = z
  .object({
    id,
    user: userSummary,
    package: z.object({ id, name: plain, number: z.int() }),
    price,
    status: z.enum(subscriptionStatuses),
    periodStart: instant,
    periodEnd: instant,
    quantity: z.int(),
    /** When access ends: with the paid period, or after the grace period if a renewal is overdue. */
    accessUntil: instant,
    endedAt: instant.nullable(),
    /** The change at the end of the period. */
    next: z.object({ package: plain, number: z.int(), quantity: z.int() }).nullable(),
    /** A change that waits for its payment. */
    pendingChange: z
      .object({ transaction: brief, package: z.object({ id, name: plain }), due: amount })
      .nullable(),
    /** The provider that bills the renewals, or null if Purser requests them. */
    billedBy: plain.nullable(),
    /** The discount on the next payments, a percentage or an amount; null applies to all payments. */
    discounts: z.array(
      z.object({
        name: plain,
        basisPoints: z.int().nullable(),
        amount: amount.nullable(),
        paymentsLeft: z.int().nullable(),
      }),
    ),
    version,
    createdAt: instant,
  })
  .meta({ id: "Subscription" });
export type Subscription = z.output<typeof subscriptionReply>;

export const listSubscriptions = endpoint({
  method: "GET",
  path: "/users/:id/subscriptions",
  summary: "List a customer's subscriptions",
  permission: "users:read",
  params: record,
  reply: z.object({ items: z.array(subscriptionReply) }),
});

export const getSubscription = endpoint({
  method: "GET",
  path: "/subscriptions/:id",
  summary: "Retrieve a subscription",
  permission: "users:read",
  params: record,
  reply: subscriptionReply,
});

export const startTrial = endpoint({
  method: "POST",
  path: "/trials",
  summary: "Start a trial",
  permission: "users:write",
  approval: "grant",
  body: z
    .strictObject({ ...buyer, ...offer, reason: reason.optional() })
    .refine(namesOneBuyer, oneBuyer),
  status: 201,
  reply: subscriptionReply,
  refusals: ["wrong_state"],
});

const why = reason.min(1, required);
const whens = ["now", "period end"] as const;

export const cancelSubscription = endpoint({
  method: "POST",
  path: "/subscriptions/:id/cancel",
  summary: "Cancel a subscription",
  permission: "users:write",
  params: record,
  body: z.strictObject({ when: z.enum(whens), reason: why }),
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const keepSubscription = endpoint({
  method: "POST",
  path: "/subscriptions/:id/keep",
  summary: "Undo a scheduled cancellation or package change",
  permission: "users:write",
  params: record,
  body: actionBody,
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const extendSubscription = endpoint({
  method: "POST",
  path: "/subscriptions/:id/extend",
  summary: "Extend the current period of a subscription",
  permission: "users:write",
  approval: "grant",
  params: record,
  body: z.strictObject({
    days: z.int().min(1, atLeast(1)).max(366, atMost(366)),
    reason: why,
  }),
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const pauseSubscription = endpoint({
  method: "POST",
  path: "/subscriptions/:id/pause",
  summary: "Pause a subscription",
  permission: "users:write",
  params: record,
  body: z.strictObject({ reason: why }),
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const resumeSubscription = endpoint({
  method: "POST",
  path: "/subscriptions/:id/resume",
  summary: "Resume a subscription",
  permission: "users:write",
  params: record,
  body: actionBody,
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

/** The limits of discounts; lower for users who can't record payments. */
export const discountMax = {
  payments: 12,
  supportPayments: 3,
  supportBasisPoints: 5000,
} as const;

export const discountSubscription = endpoint({
  method: "POST",
  path: "/subscriptions/:id/discount",
  summary: "Discount the next payments of a subscription",
  permission: "users:write",
  approval: "refund",
  params: record,
  body: z
    .strictObject({
      basisPoints: z.int().min(1, notPositive).max(10_000, atMostPercent(100)).optional(),
      /** In the subscription's currency. */
      amount: amount.min(1, notPositive).optional(),
      payments: z.int().min(1, atLeast(1)).max(discountMax.payments, atMost(discountMax.payments)),
      reason: why,
    })
    .refine(({ basisPoints, amount: off }) => (basisPoints === undefined) !== (off === undefined), {
      path: ["basisPoints"],
      error: rule("discount_ambiguous", "Enter either a percentage or an amount."),
    }),
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state", "forbidden"],
});

const { packageId, interval, intervalCount } = offer;
const change = {
  packageId,
  interval,
  intervalCount,
  /** The currency of the subscription by default. Another one only at the end of the period. */
  currency: offer.currency.optional(),
  /** The current one by default. */
  quantity: z.int().min(1, atLeast(1)).max(1_000_000, atMost(1_000_000)).optional(),
  when: z.enum(whens),
};

/** A feature of one package or both. Null if a package doesn't have it. */
const comparedFeature = z.object({
  app: plain,
  feature: plain,
  before: plain.nullable(),
  after: plain.nullable(),
});
export type ComparedFeature = z.output<typeof comparedFeature>;

export const previewChange = endpoint({
  method: "POST",
  path: "/subscriptions/:id/change/preview",
  summary: "Preview a package or quantity change",
  permission: "users:read",
  params: record,
  body: z.strictObject(change),
  reply: z.object({
    /** The moment from which on time is unused. A change within 15 minutes can name it, to keep these amounts. */
    at: instant,
    currency: plain,
    /** What the change charges; at the end of the period nothing is charged yet. */
    lines: z.array(chargedLine),
    /** The unused value of what was paid before. */
    credits: z.array(takenCredit),
    total: amount,
    payment,
    /** Promotions of the subscription, and whether they continue. */
    promotions: z.array(continuation),
    access: z.object({
      gained: z.array(comparedFeature),
      lost: z.array(comparedFeature),
      changed: z.array(comparedFeature),
    }),
    from: instant,
    until: instant,
  }),
  keyed: false,
  refusals: ["wrong_state"],
});

export const changeSubscription = endpoint({
  method: "POST",
  path: "/subscriptions/:id/change",
  summary: "Change the package or quantity of a subscription",
  permission: "users:write",
  approval: "refund",
  params: record,
  body: z.strictObject({
    ...change,
    /** The moment that the preview used; now by default. */
    at: instant.optional(),
    /** The amount due that the user saw. The change is refused if it changed. */
    due: amount.optional(),
    /** Where the credit goes that the new package doesn't need. */
    rest: z.enum(["balance", "payment method"]).default("balance"),
    reason: why,
  }),
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state", "not_found", "impact_changed"],
});

export const withdrawChange = endpoint({
  method: "POST",
  path: "/subscriptions/:id/change/withdraw",
  summary: "Withdraw a pending or scheduled change of a subscription",
  permission: "users:write",
  params: record,
  body: actionBody,
  reply: subscriptionReply,
  versioned: true,
  refusals: ["wrong_state"],
});
