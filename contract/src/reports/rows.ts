import { z } from "zod";
import { currency } from "../fields/money.ts";
import { id, instant } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { measures, shareRules } from "./endpoints.ts";
import { about, day, reportQuery, signed } from "./period.ts";

/** Apps share the revenue of packages, so their rows are days of packages. */
export const rowGroups = ["total", "package", "country", "promotion", "tax"] as const;
export type RowGroup = (typeof rowGroups)[number];

const user = z.object({ id, name: plain, email: plain });

/** More may follow although the page has few rows, because each page searches a limited number of payments. */
const next = id.nullable();

const row = z.object({
  id,
  at: instant,
  kind: z.enum(["sale", "credit", "refund", "chargeback"]),
  transaction: z.object({ id, number: plain }),
  user,
  charged: signed,
  tax: signed,
  /** Refunds and disputes, with tax. */
  returned: signed,
  net: signed,
  /** What promotions took off the payment. */
  discount: signed,
});

export const listRevenueRows = endpoint({
  method: "GET",
  path: "/reports/revenue/rows",
  summary: "List the payments, credits, refunds and disputes behind a number of the revenue report",
  permission: "reports:read",
  query: reportQuery({
    group: z.enum(rowGroups).default("total"),
    /** The key of the group, as in the revenue report. Empty for none. */
    key: text({ max: 100 }).default(""),
    after: id.optional(),
  }),
  reply: z
    .object({
      ...about,
      /** The name of the package or promotion. */
      name: plain.nullable(),
      /** Of all rows, on this page or not. */
      total: measures,
      items: z.array(row),
      next,
    })
    .meta({ id: "RevenueRows" }),
});

export const listShareRows = endpoint({
  method: "GET",
  path: "/reports/app-share/rows",
  summary: "List the days and package versions behind an app's share",
  permission: "reports:read",
  query: reportQuery({
    rule: z.enum(shareRules).default("list price"),
    /** The key of the app, as in the report. Empty for revenue without an app. */
    app: text({ max: 100 }).default(""),
    /** The key of the package. Without it all packages. Empty for revenue without one. */
    package: text({ max: 100 }).optional(),
    /** The rows before that day, from `next` of an earlier response. */
    before: day.optional(),
  }),
  reply: z
    .object({
      ...about,
      appName: plain.nullable(),
      packageName: plain.nullable(),
      /** Of all rows, on this page or not. */
      total: signed,
      items: z.array(
        z.object({
          day: plain,
          package: z.object({ key: plain, name: plain.nullable(), version: z.int().nullable() }),
          /** Net revenue of the version on that day, and the part of the app. */
          revenue: signed,
          share: signed,
        }),
      ),
      next: plain.nullable(),
    })
    .meta({ id: "ShareRows" }),
});

/** Customers by the day of their first payment, the latest first, with their monthly amount. */
const subscribers = {
  count: z.int(),
  items: z.array(z.object({ user, day: plain, amount: signed })),
  next,
};

export const listActiveSubscribers = endpoint({
  method: "GET",
  path: "/reports/subscribers",
  summary: "List the customers who were subscribed at the end of a day, with their monthly amount",
  permission: "reports:read",
  /** Only the last day of the period matters. */
  query: reportQuery({ after: id.optional() }),
  reply: z
    .object({
      ...about,
      /** The monthly recurring revenue of all of them, on this page or not. */
      mrr: signed,
      ...subscribers,
    })
    .meta({ id: "SubscriberList" }),
});

export const listRetained = endpoint({
  method: "GET",
  path: "/reports/retention/customers",
  summary: "List the customers of a cohort who were subscribed at the end of a month",
  permission: "reports:read",
  query: z.strictObject({ currency, cohort: day, month: day, after: id.optional() }),
  reply: z.object(subscribers).meta({ id: "RetainedCustomers" }),
});
