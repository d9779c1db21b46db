import { z } from "zod";
import { documentKinds } from "../documents/content.ts";
import { checked } from "../entitlements/explanation.ts";
import { amount } from "../fields/money.ts";
import { country, languageTag } from "../fields/places.ts";
import { id, instant, version } from "../fields/primitives.ts";
import { code, email, plain, reason, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { subscriptionStatuses } from "../subscriptions/endpoints.ts";

/** The customer's ID in the sold apps. */
const externalId = text({ min: 1, max: 200 });

const byExternalId = z.strictObject({ externalId });

const appCustomer = z
  .object({
    id,
    number: plain,
    /** Its own, which differs from the requested one if two customers were merged. */
    externalId: plain.nullable(),
    email: plain,
    name: plain,
    country: plain.nullable(),
    locale: plain.nullable(),
    status: z.enum(["invited", "active", "suspended"]),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Customer" });
export type AppCustomer = z.output<typeof appCustomer>;

export const upsertCustomer = endpoint({
  method: "PUT",
  path: "/customers/:externalId",
  summary: "Create or update the customer with this external ID",
  permission: "users:write",
  keyScope: "customers:write",
  params: byExternalId,
  body: z.strictObject({
    email,
    /** By default the stored one, and for a new customer the part of the email address before the @. */
    name: text({ min: 1, max: 120 }).optional(),
    /** The stored one if left out. Null removes it. */
    country: country.nullable().optional(),
    /** Stored as the closest supported language. */
    locale: languageTag.nullable().optional(),
    reason: reason.optional(),
  }),
  reply: appCustomer,
  refusals: ["taken", "wrong_state"],
});
export type CustomerUpsert = Omit<z.output<(typeof upsertCustomer)["body"]>, "reason">;

const entitlement = checked
  .extend({ app: z.object({ id, code: plain, name: plain }) })
  .meta({ id: "CustomerEntitlement" });

const customerSubscription = z
  .object({
    id,
    package: z.object({ id, name: plain }),
    status: z.enum(subscriptionStatuses),
    quantity: z.int(),
    periodStart: instant,
    periodEnd: instant,
    /** When access ends: with the paid period, or after the grace period if a renewal is overdue. */
    accessUntil: instant,
    version,
  })
  .meta({ id: "CustomerSubscription" });

const customerDocument = z
  .object({
    id,
    kind: z.enum(documentKinds),
    number: plain,
    currency: plain,
    total: amount,
    issuedAt: instant,
    /** Where the PDF can be downloaded with the same key. */
    url: plain,
  })
  .meta({ id: "CustomerDocument" });

export const getCustomer = endpoint({
  method: "GET",
  path: "/customers/:externalId",
  summary: "Retrieve a customer with entitlements, subscriptions, balance and documents",
  permission: "users:read",
  keyScope: "customers:read",
  params: byExternalId,
  query: z.strictObject({
    /** Only the entitlements of the app with this code. API keys of apps only see their own app. */
    app: code.optional(),
  }),
  reply: z
    .object({
      /** As requested. */
      externalId: plain,
      /** Null if no customer has this external ID. The entitlements are then the default values. */
      customer: appCustomer.nullable(),
      entitlements: z.array(entitlement),
      /** Whether there are apps whose entitlements aren't included. */
      hasOtherApps: z.boolean(),
      /** The latest 100. With the key of an app, only those of packages that include the app. */
      subscriptions: z.array(customerSubscription),
      /** The balance in each currency. Null without the permission `transactions:read`, which no app has. */
      balance: z.array(z.object({ currency: plain, amount })).nullable(),
      /** The latest 100. Null without the permission `transactions:read`, which no app has. */
      documents: z.array(customerDocument).nullable(),
      asOf: instant,
    })
    .meta({ id: "CustomerRecord" }),
  refusals: ["not_found"],
});
