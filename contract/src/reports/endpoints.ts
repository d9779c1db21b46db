import { z } from "zod";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { about, compare, reportQuery, signed } from "./period.ts";

const summaryDay = z.object({
  day: plain,
  net: signed,
  /** Refunds and disputes, with tax. */
  returned: signed,
  mrr: signed,
  subscribers: z.int(),
  gained: z.int(),
  lost: z.int(),
  trialsPaid: z.int(),
  trialsLost: z.int(),
});

const summaryTotals = z.object({
  net: signed,
  refunds: signed,
  disputes: signed,
  /** At the end of the last day. */
  mrr: signed,
  subscribers: z.int(),
  gained: z.int(),
  lost: z.int(),
  trialsPaid: z.int(),
  trialsLost: z.int(),
});
export type SummaryTotals = z.output<typeof summaryTotals>;

export const getSummary = endpoint({
  method: "GET",
  path: "/reports/summary",
  summary: "Retrieve the key figures of a period",
  permission: "reports:read",
  query: reportQuery({ compare }),
  reply: z
    .object({
      ...about,
      totals: summaryTotals,
      previousTotals: summaryTotals.nullable(),
      days: z.array(summaryDay),
    })
    .meta({ id: "ReportSummary" }),
});

export const revenueGroups = ["total", "package", "app", "country", "promotion", "tax"] as const;
export type RevenueGroup = (typeof revenueGroups)[number];

export const reportUnits = ["day", "week", "month"] as const;
export type ReportUnit = (typeof reportUnits)[number];

export const shareRules = ["list price", "equal parts", "features"] as const;
export type ShareRule = (typeof shareRules)[number];

export const measures = z.object({
  /** Null for an app, because a payment for several apps can't be divided. */
  payments: z.int().nullable(),
  refundCount: z.int().nullable(),
  disputeCount: z.int().nullable(),
  charged: signed,
  tax: signed,
  refunds: signed,
  disputes: signed,
  /** Charged without tax, refunds and disputes. */
  net: signed,
  discount: signed,
});
export type Measures = z.output<typeof measures>;

export const getRevenue = endpoint({
  method: "GET",
  path: "/reports/revenue",
  summary: "Retrieve revenue by day, week or month and by package, app, country, promotion or tax",
  permission: "reports:read",
  query: reportQuery({
    compare,
    group: z.enum(revenueGroups).default("total"),
    unit: z.enum(reportUnits).default("day"),
    rule: z.enum(shareRules).default("list price"),
  }),
  reply: z
    .object({
      ...about,
      groups: z.array(
        z.object({
          /** The id of the package, app or promotion, the country or the tax account. Empty for none. */
          key: plain,
          name: plain.nullable(),
          measures,
          previous: measures.nullable(),
        }),
      ),
      total: measures,
      previousTotal: measures.nullable(),
      /** Net revenue by the first day of each period, of each group in the same order. */
      series: z.array(z.object({ day: plain, net: signed, groups: z.array(signed) })),
      previousSeries: z.array(z.object({ day: plain, net: signed })).nullable(),
    })
    .meta({ id: "RevenueReport" }),
});

export const getAppShare = endpoint({
  method: "GET",
  path: "/reports/app-share",
  summary: "Retrieve each app's share of the net revenue of packages",
  permission: "reports:read",
  query: reportQuery({ rule: z.enum(shareRules).default("list price") }),
  reply: z
    .object({
      ...about,
      packages: z.array(z.object({ key: plain, name: plain.nullable(), net: signed })),
      apps: z.array(
        z.object({
          key: plain,
          name: plain.nullable(),
          icon: plain.nullable(),
          /** Per month when sold alone, or null. */
          listPrice: signed.nullable(),
          net: signed,
          /** For each package; null if it doesn't contain the app. */
          packages: z.array(signed.nullable()),
        }),
      ),
    })
    .meta({ id: "AppShareReport" }),
});
