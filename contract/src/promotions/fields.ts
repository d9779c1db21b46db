import { z } from "zod";
import { commonFields } from "../fields/commonFields.ts";
import {
  atLeast,
  atLeastPercent,
  atMost,
  atMostPercent,
  notPositive,
  tooLarge,
} from "../fields/commonRules.ts";
import { exportColumnsOf, fields, historyLabelsOf, listFieldsOf } from "../fields/declarations.ts";
import { amount, currency } from "../fields/money.ts";
import { id, instant } from "../fields/primitives.ts";
import { email, plain, text } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { intervals } from "../packages/prices.ts";

export const promotionKinds = ["percent", "fixed", "trial", "feature"] as const;
export const promotionStatuses = [
  "draft",
  "scheduled",
  "running",
  "paused",
  "used up",
  "ended",
  "archived",
] as const;
export type PromotionStatus = (typeof promotionStatuses)[number];
export const audiences = ["anyone", "new", "existing", "listed", "first purchase"] as const;
export const durations = ["once", "periods", "forever"] as const;
/** Audit entries from before 0.5.0 have the old name of a duration. */
export const currentDuration = (stored: unknown) => (stored === "for ever" ? "forever" : stored);
export const levels = ["line", "order"] as const;
export const stackings = ["exclusive", "stackable"] as const;

const positive = amount.min(1, notPositive);

/** The amounts of a promotion in one currency. */
const amounts = z.strictObject({
  currency,
  /** The discount of a fixed promotion. */
  off: positive.nullable().default(null),
  /** Minimum purchase. */
  minimum: positive.nullable().default(null),
  /** Maximum discount per redemption. */
  cap: positive.nullable().default(null),
  /** Maximum discount in total. */
  budget: positive.nullable().default(null),
});

export const count = z.int().min(1, atLeast(1)).max(1_000_000_000, tooLarge);

const shownAmounts = amounts.extend({
  off: positive.nullable(),
  minimum: positive.nullable(),
  cap: positive.nullable(),
  budget: positive.nullable(),
  /** The discount given so far. */
  given: amount,
});

const named = z.object({ id, name: plain });

/** More codes of a promotion are not counted. */
export const countedCodesMax = 10_000;

export const promotionFields = fields({
  id: commonFields.id,
  /** Visible only to the team; buyers see the code. */
  name: commonFields.name,
  kind: {
    label: "Discount type",
    write: z.enum(promotionKinds),
    read: z.enum(promotionKinds),
    list: { kind: "choice", options: promotionKinds },
    revert: false,
  },
  status: {
    label: "Status",
    read: z.enum(promotionStatuses),
    list: { kind: "choice", options: promotionStatuses },
  },
  package: { label: "Package", list: { kind: "relation" } },
  /** In hundredths of a percent, for a percentage. */
  basisPoints: {
    label: "Percent off",
    write: z
      .int()
      .min(1, atLeastPercent(0.01))
      .max(10_000, atMostPercent(100))
      .nullable()
      .default(null),
    read: z.int().nullable(),
  },
  trialDays: {
    label: "Extra trial days",
    write: z.int().min(1, atLeast(1)).max(730, atMost(730)).nullable().default(null),
    read: z.int().nullable(),
  },
  featureId: { label: "Feature", write: id.nullable().default(null), revert: false },
  feature: {
    label: "Feature",
    read: named
      .extend({
        app: plain,
        /** Whether it or its app is archived. Buyers don't get it then. */
        archived: z.enum(["app", "feature"]).nullable(),
      })
      .nullable(),
    export: false,
  },
  value: {
    label: "Value",
    write: value.nullable().default(null),
    read: value.nullable(),
    export: false,
  },
  /** How long the feature is granted; by default as long as the purchase. */
  featureDays: {
    label: "Feature duration",
    write: z.int().min(1).max(3650, atMost(3650)).nullable().default(null),
    read: z.int().nullable(),
    export: false,
  },
  level: {
    label: "Applied to",
    write: z.enum(levels).default("line"),
    read: z.enum(levels),
    export: false,
  },
  duration: {
    label: "Duration",
    write: z.enum(durations).default("once"),
    read: z.enum(durations),
  },
  periods: {
    label: "Number of payments",
    write: z.int().min(1, atLeast(1)).max(120, atMost(120)).nullable().default(null),
    read: z.int().nullable(),
    export: false,
  },
  startsAt: {
    label: "Start date",
    write: instant.nullable().default(null),
    read: instant.nullable(),
  },
  endsAt: {
    label: "End date",
    write: instant.nullable().default(null),
    read: instant.nullable(),
    list: { kind: "instant" },
  },
  redemptions: {
    label: "Redemptions",
    column: "uses",
    read: z.int(),
    list: { kind: "number", sort: true },
  },
  redemptionLimit: {
    label: "Redemption limit",
    column: "maxUses",
    write: count.nullable().default(null),
    read: z.int().nullable(),
  },
  redemptionLimitPerCustomer: {
    label: "Limit per customer",
    column: "maxUsesPerUser",
    write: count.nullable().default(null),
    read: z.int().nullable(),
    export: false,
  },
  amounts: {
    label: "Amounts",
    write: z.array(amounts).max(50).default([]),
    read: z.array(shownAmounts),
    export: false,
    revert: false,
  },
  audience: {
    label: "Eligible customers",
    write: z.enum(audiences).default("anyone"),
    read: z.enum(audiences),
    export: false,
    revert: false,
  },
  /** The listed customers who can use it. Replies only contain their number. */
  customers: {
    label: "Email addresses",
    write: z.array(email).max(1000).default([]),
    read: z.int(),
    export: false,
    revert: false,
  },
  /** The packages it applies to; all if empty. */
  packageIds: { label: "Packages", write: z.array(id).max(200).default([]), revert: false },
  packages: { label: "Packages", read: z.array(named), export: false },
  intervals: {
    label: "Intervals",
    write: z.array(z.enum(intervals)).max(intervals.length).default([]),
    read: z.array(z.enum(intervals)),
    form: { label: "Interval" },
    export: false,
  },
  stacking: {
    label: "Combining",
    write: z.enum(stackings).default("exclusive"),
    read: z.enum(stackings),
    export: false,
  },
  priority: {
    label: "Priority",
    write: z.int().min(-1000).max(1000).default(0),
    read: z.int(),
    form: { help: "Combined promotions apply by priority, highest first." },
    export: false,
  },
  requiresCode: {
    label: "Requires a code",
    column: "needsCode",
    write: z.boolean().default(true),
    read: z.boolean(),
    form: { help: "If off, the discount applies automatically to eligible customers." },
    export: false,
    revert: false,
  },
  /** One code for everyone; codes in bulk are generated separately. Null without one. */
  code: {
    label: "Code",
    write: text({ max: 60 }).nullable().default(null),
    read: plain.nullable(),
    revert: false,
  },
  /** At most `countedCodesMax`, even if there are more. */
  codes: { label: "Codes", read: z.int(), export: false },
  /** Whether a full refund restores the redemption. */
  restoresRedemption: {
    label: "Restore redemption after a full refund",
    column: "returnsUse",
    write: z.boolean().default(false),
    read: z.boolean(),
    form: {
      help: "If off, a refunded redemption still counts toward the limit.",
    },
    export: false,
  },
  /** Once redeemed, value, targets and audience can't change. */
  isLocked: { label: "Locked", read: z.boolean(), export: false },
  firstUsedAt: { label: "First used" },
  publishedAt: { label: "Published" },
  pausedAt: { label: "Paused" },
  archivedAt: { label: "Archived" },
  givenBy: { label: "Given by" },
  givenTo: { label: "Given to" },
  givenAmount: { label: "Discount in total" },
  givenCurrency: { label: "Currency" },
  version: commonFields.version,
  createdAt: commonFields.createdAt,
  updatedAt: commonFields.updatedAt,
});

export const promotionListFields = listFieldsOf(promotionFields);
export const promotionColumns = exportColumnsOf(promotionFields);
export const promotionLabels = historyLabelsOf(promotionFields);
