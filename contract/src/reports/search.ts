import { z } from "zod";
import { currency } from "../fields/money.ts";
import { id } from "../fields/primitives.ts";
import { token } from "../fields/text.ts";
import { rule } from "../messages/rules.ts";
import { addDays, addMonths, firstOfMonth } from "./days.ts";
import { reportUnits, shareRules } from "./endpoints.ts";
import { comparisons, day } from "./period.ts";
import { mrrGroups } from "./recurring.ts";

export const ranges = ["7d", "30d", "90d", "month", "last-month", "12m", "custom"] as const;
export type Range = (typeof ranges)[number];

/** The reports that can be saved, downloaded and emailed, and the range that each has unless another is chosen. */
export const usualRanges = {
  revenue: "30d",
  mrr: "12m",
  retention: "12m",
  "app-share": "30d",
  tax: "30d",
  promotions: "30d",
} as const satisfies Record<string, Range>;
export type ReportName = keyof typeof usualRanges;
export const reportNames = Object.keys(usualRanges) as [ReportName, ...ReportName[]];

export const searchGroups = ["package", "app", "country", "promotion"] as const;

type Chosen = { range?: Range | undefined; from?: string | undefined; until?: string | undefined };

/** The days of a range up to today, both included. */
export const daysOfRange = (
  { range, from, until }: Chosen,
  usual: Range,
  today: string,
): { from: string; until: string } => {
  switch (range ?? usual) {
    case "7d":
      return { from: addDays(today, -6), until: today };
    case "90d":
      return { from: addDays(today, -89), until: today };
    case "month":
      return { from: firstOfMonth(today), until: today };
    case "last-month": {
      const first = firstOfMonth(today);
      return { from: addMonths(first, -1), until: addDays(first, -1) };
    }
    case "12m":
      return { from: addMonths(firstOfMonth(today), -11), until: today };
    case "custom":
      return { from: from ?? addDays(today, -29), until: until ?? today };
    default:
      return { from: addDays(today, -29), until: today };
  }
};

/** What the address of a report says. Defaults are left out, so that a range such as "last month" moves on. */
export const reportSearch = z.strictObject({
  tab: z.enum(reportNames).default("revenue"),
  range: z.enum(ranges).optional(),
  from: day.optional(),
  until: day.optional(),
  compare: z.enum(comparisons).optional(),
  currency: currency.optional(),
  group: z.enum(searchGroups).optional(),
  unit: z.enum(reportUnits).optional(),
  rule: z.enum(shareRules).optional(),
  /** How MRR is grouped, and the package that it is limited to. */
  by: z.enum(mrrGroups).optional(),
  package: id.optional(),
  /** The column of the table, with "-" if the largest is first. */
  sort: token(
    /^-?[a-z][a-zA-Z0-9.-]{0,60}$/,
    rule("report_sort_malformed", "Send the name of a column, such as -net."),
  ).optional(),
});
export type ReportSearch = z.output<typeof reportSearch>;
