import { z } from "zod";
import { atLeast, atMost } from "../fields/commonRules.ts";
import { amount, currency } from "../fields/money.ts";
import { rule } from "../messages/rules.ts";

export const intervals = ["once", "day", "week", "month", "year"] as const;

const price = z.strictObject({
  currency,
  amount,
  interval: z.enum(intervals),
  /** How many intervals are between payments. */
  intervalCount: z.int().min(1, atLeast(1)).max(120, atMost(120)).default(1),
  /** The amount is for one unit, and a sale has a quantity. */
  perUnit: z.boolean().default(false),
});
export type VersionPrice = z.output<typeof price>;
/** What a customer pays and how often. */
export type Price = Omit<VersionPrice, "perUnit">;

/** A reply always has all fields. */
export const shownPrice = price.extend({
  intervalCount: price.shape.intervalCount.unwrap(),
  perUnit: z.boolean(),
});

/** Prices with equal currency and interval are the same offer. */
export const offerOf = ({ currency, interval, intervalCount }: Omit<Price, "amount">) =>
  `${currency} every ${intervalCount} ${interval}`;

export const prices = z
  .array(price)
  .max(200)
  .superRefine((given, context) => {
    const seen = new Set<string>();
    for (const [place, one] of given.entries()) {
      if (one.interval === "once" && one.intervalCount !== 1)
        context.addIssue({
          code: "custom",
          path: [place, "intervalCount"],
          message: rule("interval_count_once", "Enter 1 for a one-time price."),
        });
      if (seen.has(offerOf(one)))
        context.addIssue({
          code: "custom",
          path: [place, "currency"],
          message: rule(
            "price_repeated",
            "This currency already has a price for this billing period.",
          ),
        });
      seen.add(offerOf(one));
    }
  });
