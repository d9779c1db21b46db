import { z } from "zod";
import { amount } from "../fields/money.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { intervals } from "../packages/prices.ts";
import { brief } from "../transactions/fields.ts";

/** More aren't counted. */
export const countedMax = 1000;
const count = z.int().meta({ description: `At most ${countedMax}.` });

export const customerProblems = ["payment failed", "payment unknown", "disputed"] as const;

/** What support looks at first. Packages and the balance have endpoints of their own. */
export const getUserSummary = endpoint({
  method: "GET",
  path: "/users/:id/summary",
  summary: "Retrieve a customer's next payment, open problems and counts",
  permission: "users:read",
  params: record,
  reply: z
    .object({
      /** The next renewal, priced as if it were due now. */
      nextPayment: z
        .object({
          at: instant,
          package: plain,
          currency: plain,
          total: amount,
          /** What the balance pays of it. */
          fromBalance: amount,
          due: amount,
        })
        .nullable(),
      /** What running subscriptions charge next, or what is overdue, with discounts, quantity and tax. */
      renewals: z.array(
        z.object({
          subscriptionId: id,
          at: instant,
          currency: plain,
          total: amount,
          isOverdue: z.boolean(),
        }),
      ),
      /** Successful payments of the newest transactions. */
      payments: count,
      transactions: count,
      documents: count,
      notes: count,
      problems: z.array(
        z.object({
          kind: z.enum(customerProblems),
          transaction: brief,
          package: plain.nullable(),
          currency: plain,
          amount,
          at: instant,
        }),
      ),
      /** Features that apps denied in the last 30 days because the limit was reached, and still do. */
      limits: z.array(
        z.object({
          app: z.object({ id, name: plain }),
          feature: z.object({ id, name: plain }),
          used: z.number(),
          limit: z.number(),
          denials: z.int(),
          lastAt: instant,
        }),
      ),
    })
    .meta({ id: "UserSummary" }),
});

export const getFeatureOffer = endpoint({
  method: "GET",
  path: "/users/:id/offer",
  summary: "Find the cheapest package on sale with a feature that a customer doesn't have",
  permission: "users:read",
  params: record,
  query: z.strictObject({ featureId: id }),
  reply: z.object({
    /** Null if no package on sale includes the feature, or the customer has all of them. */
    offer: z
      .object({
        package: z.object({ id, name: plain }),
        currency: plain,
        amount,
        interval: z.enum(intervals),
        intervalCount: z.int(),
      })
      .nullable(),
  }),
});
