import { z } from "zod";
import { amount, currency } from "../fields/money.ts";
import { id, instant } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { endpoint } from "../http/endpoint.ts";
import { message } from "../messages/schema.ts";
import { intervals } from "../packages/prices.ts";
import { promotionDetails } from "./endpoints.ts";
import { promotionKinds } from "./fields.ts";

/** Why a promotion doesn't apply. */
export const withheldReasons = [
  "draft",
  "paused",
  "archived",
  "not started",
  "ended",
  "used up",
  "used by buyer",
  "budget",
  "minimum",
  "audience",
  "package",
  "interval",
  "code",
  "currency",
  "beaten",
  "nothing left",
  "over",
  "feature archived",
] as const;
export type WithheldReason = (typeof withheldReasons)[number];

/** One promotion that was considered, and the result. */
const consideration = z.object({
  promotionId: id,
  name: plain,
  code: plain.nullable(),
  kind: z.enum(promotionKinds),
  isApplied: z.boolean(),
  /** The discount. */
  amount,
  reason: z.enum(withheldReasons).nullable(),
  /** The result in one sentence. */
  message,
});
export type Consideration = z.output<typeof consideration>;

/** A price and how it was calculated. */
export const quote = z
  .object({
    currency: plain,
    subtotal: amount,
    discount: amount,
    tax: amount,
    /** Subtotal − discount + tax. */
    total: amount,
    trialDays: z.int(),
    features: z.array(z.object({ featureId: id, name: plain, value, days: z.int().nullable() })),
    trace: z.array(consideration),
    /** The prices of later periods until they no longer change. */
    later: z.array(z.object({ from: instant, total: amount })),
  })
  .meta({ id: "Quote" });
export type Quote = z.output<typeof quote>;

/** The purchase: a package on sale, with a currency and interval that it has a price for. */
export const offer = {
  packageId: id,
  currency,
  interval: z.enum(intervals),
  intervalCount: z.int().min(1).max(120).default(1),
};

export const previewPromotion = endpoint({
  method: "POST",
  path: "/promotions/preview",
  summary: "Preview a price with a promotion",
  permission: "promotions:read",
  body: z.strictObject({
    details: promotionDetails,
    /** The stored promotion that these details would replace. */
    promotionId: id.nullable().default(null),
    ...offer,
    userId: id.nullable().default(null),
  }),
  reply: quote,
  keyed: false,
  refusals: ["not_found", "wrong_state"],
});
