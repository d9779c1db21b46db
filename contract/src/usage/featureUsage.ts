import { z } from "zod";
import { id, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { usageDay, usagePeriod } from "./endpoints.ts";

/** Customers who used a feature most. */
export const topCustomersMax = 20;

export const getFeatureUsage = endpoint({
  method: "GET",
  path: "/features/:id/usage",
  summary: "Retrieve a feature's usage by day, and the customers who used it most",
  permission: "users:read",
  params: record,
  query: z.strictObject(usagePeriod),
  reply: z
    .object({
      from: plain,
      to: plain,
      /**
       * The first day that the figures include. Later than `from` if the period has more than 50,000 rows, one for each
       * customer and day. Null if its last day alone has more.
       */
      since: plain.nullable(),
      used: z.int(),
      /** Customers who used it. */
      customers: z.int(),
      /** Days with usage. */
      days: z.array(usageDay.extend({ customers: z.int() })),
      /** By usage, at most 20. */
      top: z.array(z.object({ user: z.object({ id, name: plain, email: plain }), used: z.int() })),
    })
    .meta({ id: "FeatureUsage" }),
});
