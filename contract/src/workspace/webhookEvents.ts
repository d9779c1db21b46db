import { z } from "zod";
import { grantSources } from "../entitlements/grants.ts";
import { amount } from "../fields/money.ts";
import { id } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { subscriptionStatuses } from "../subscriptions/endpoints.ts";
import { transactionKinds, transactionStates } from "../transactions/fields.ts";
import type { SentType } from "./webhooks.ts";

/** As the database writes it, with an offset. */
const time = z.iso.datetime({ offset: true });

const common = {
  user: z.object({ id, externalId: plain.nullable() }),
  /** The position among the customer's events. */
  sequence: z.int(),
};

const eventOf = <Type extends SentType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: time, data });

const grant = z.object({
  id,
  packageId: id.nullable(),
  versionId: id.nullable(),
  featureId: id.nullable(),
  value: value.nullable(),
  subscriptionId: id.nullable(),
  source: z.enum(grantSources),
  startsAt: time,
  endsAt: time.nullable(),
  revokedAt: time.nullable(),
});

const subscription = z.object({
  id,
  packageId: id,
  versionId: id,
  priceId: id.nullable(),
  status: z.enum(subscriptionStatuses),
  periodStart: time,
  periodEnd: time,
  accessUntil: time,
  endedAt: time.nullable(),
});

const transaction = z.object({
  id,
  number: plain,
  kind: z.enum(transactionKinds),
  state: z.enum(transactionStates),
  packageId: id.nullable(),
  versionId: id.nullable(),
  subscriptionId: id.nullable(),
  parentId: id.nullable(),
  currency: plain,
  subtotal: amount,
  discount: amount,
  tax: amount,
  total: amount,
  refunded: amount,
  periodStart: time.nullable(),
  periodEnd: time.nullable(),
  occurredAt: time,
});

/** The bodies of the requests that Purser sends to webhook endpoints. */
export const webhookEvents = {
  "entitlements.changed": eventOf(
    "entitlements.changed",
    z.object({
      ...common,
      grant,
      /** After an app was suspended or resumed. */
      app: z.object({ id, suspendedAt: time.nullable() }).optional(),
    }),
  ).meta({ id: "EntitlementsChanged" }),
  "subscription.changed": eventOf(
    "subscription.changed",
    z.object({ ...common, subscription }),
  ).meta({ id: "SubscriptionChanged" }),
  "transaction.changed": eventOf("transaction.changed", z.object({ ...common, transaction })).meta({
    id: "TransactionChanged",
  }),
  test: eventOf("test", z.object({ message: plain })).meta({ id: "TestEvent" }),
} as const satisfies Record<SentType, z.ZodType>;
