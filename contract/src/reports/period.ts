import { z } from "zod";
import { currency } from "../fields/money.ts";
import { instant } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { rule } from "../messages/rules.ts";

export const day = z.iso
  .date(rule("day_invalid", "Enter a date."))
  .refine(
    (value) => value >= "1970" && value < "2200",
    rule("report_day_too_far", "Choose a day from 1970 to 2199."),
  );

export const comparisons = ["previous", "year", "none"] as const;
export type Comparison = (typeof comparisons)[number];

const dayMs = 86_400_000;

/** Three years and some days, so that a report stays small. */
export const reportDaysMax = 1100;

/** The days of a report, both included. Without them the last 30 days, in the currency that is used most. */
const period = {
  from: day.optional(),
  until: day.optional(),
  currency: currency.optional(),
};

const isInOrder = ({ from, until }: { from?: string | undefined; until?: string | undefined }) =>
  from === undefined || until === undefined || from <= until;
const wrongOrder = {
  path: ["until"],
  error: rule("report_end_before_start", "Choose a day on or after the first one."),
};
const isShort = ({ from, until }: { from?: string | undefined; until?: string | undefined }) =>
  from === undefined ||
  until === undefined ||
  Date.parse(until) - Date.parse(from) < reportDaysMax * dayMs;
const tooLong = {
  path: ["from"],
  error: rule("report_too_long", "Choose at most {max} days.", { max: reportDaysMax }),
};

export const reportQuery = <Shape extends z.ZodRawShape>(more: Shape) =>
  z
    .strictObject({ ...period, ...more })
    .refine((given) => isInOrder(given as { from?: string }), wrongOrder)
    .refine((given) => isShort(given as { from?: string }), tooLong);

export const compare = z.enum(comparisons).default("previous");

/** What every report says about itself. */
export const about = {
  currency: plain,
  /** The currencies that have figures, the most used first. */
  currencies: z.array(plain),
  from: plain,
  until: plain,
  previous: z.object({ from: plain, until: plain }).nullable(),
  timeZone: plain,
  /** All payments up to this time are included. */
  asOf: instant,
  /** Whether figures are being counted again, so that some are missing. */
  isRebuilding: z.boolean(),
};

/** An amount in minor units, which can be negative. */
export const signed = z.int();
