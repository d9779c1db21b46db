import { z } from "zod";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { commonFields } from "../fields/commonFields.ts";
import { endpoint } from "../http/endpoint.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
  writeShape,
} from "../fields/declarations.ts";
import { exportQuery, listQuery, pageOf } from "../http/list.ts";
import { amount } from "../fields/money.ts";
import { intervals } from "../packages/endpoints.ts";
import { offer, quote } from "../promotions/pricing.ts";
import { person } from "../packages/publishing.ts";
import { email, plain, reason, text, token } from "../fields/text.ts";

export const transactionKinds = [
  "purchase",
  "renewal",
  "change",
  "refund",
  "chargeback",
  "adjustment",
] as const;
export type TransactionKind = (typeof transactionKinds)[number];

export const transactionStates = [
  "draft",
  "pending",
  "succeeded",
  "failed",
  "unknown",
  "canceled",
  "voided",
  "disputed",
  "charged back",
] as const;
export type TransactionState = (typeof transactionStates)[number];

/** As people see it: refunds are told on top of the state. */
export const shownStates = [...transactionStates, "partially refunded", "refunded"] as const;
export type ShownState = (typeof shownStates)[number];

export const eventTypes = [
  "created",
  "submitted",
  "authorised",
  "succeeded",
  "failed",
  "unknown",
  "canceled",
  "voided",
  "disputed",
  "dispute won",
  "dispute lost",
] as const;
export type EventType = (typeof eventTypes)[number];

export const accessChoices = ["keep", "end now", "end with period"] as const;
export type AccessChoice = (typeof accessChoices)[number];

export const provider = token(
  /^[a-z][a-z0-9-]{1,39}$/,
  "must have 2 to 40 of a-z, 0-9 and -, and start with a letter",
);

const tags = z.array(text({ min: 1, max: 40 })).max(20, "must be at most 20");

const brief = z.object({ id, number: plain });

/** What was recorded of money stays, so nothing of it is reverted; a refund puts a mistake right. */
export const transactionFields = fields({
  id: commonFields.id,
  number: { label: "Number", read: plain, list: { kind: "text", label: "Reference" } },
  occurredAt: {
    label: "Happened",
    read: instant,
    list: { kind: "instant", sort: true, label: "Created" },
    form: { label: "When it happened" },
  },
  kind: {
    label: "Kind",
    read: z.enum(transactionKinds),
    list: { kind: "choice", options: transactionKinds },
  },
  state: {
    label: "Status",
    read: z.enum(shownStates),
    list: { kind: "choice", options: transactionStates },
    form: { label: "State" },
  },
  user: { label: "User", column: "userId", read: person, list: { kind: "relation" } },
  package: {
    label: "Package",
    column: "packageId",
    read: z.object({ id, name: plain, number: z.int() }).nullable(),
    list: { kind: "relation" },
  },
  versionId: { label: "Version" },
  priceId: { label: "Price" },
  interval: { label: "Interval", read: z.enum(intervals).nullable(), export: false },
  intervalCount: { label: "Interval", read: z.int().nullable(), export: false },
  subscriptionId: { label: "Subscription", read: id.nullable(), export: false },
  parent: { label: "Of", column: "parentId", read: brief.nullable(), export: false },
  currency: { label: "Currency", read: plain, list: { kind: "text" } },
  subtotal: { label: "Price", read: amount },
  discount: { label: "Discount", read: amount },
  tax: { label: "Tax", read: amount },
  total: { label: "Total", read: amount, list: { kind: "number", label: "Amount" } },
  /** What was taken back, or is about to be. */
  refunded: { label: "Refunded", read: amount },
  provider: {
    label: "Provider",
    write: provider.default("manual"),
    read: plain,
    list: { kind: "text", label: "Paid with" },
    form: { mono: true, help: "Who took it: manual, or a provider's name." },
    revert: false,
  },
  reference: {
    label: "Reference",
    write: text({ min: 1, max: 200 }).nullable().default(null),
    read: plain.nullable(),
    revert: false,
  },
  periodStart: { label: "Period from", read: instant.nullable(), export: false },
  periodEnd: { label: "Period until", read: instant.nullable(), export: false },
  access: { label: "Access", read: z.enum(accessChoices).nullable(), export: false },
  settledAt: { label: "Settled", read: instant.nullable() },
  reason: { label: "Reason", read: plain.nullable(), export: false },
  note: {
    label: "Note",
    write: text({ max: 2000, lines: true }).default(""),
    read: plain,
    form: { lines: true },
    export: false,
    revert: false,
  },
  tags: {
    label: "Tags",
    write: tags.default([]),
    read: z.array(plain),
    export: false,
    revert: false,
  },
  createdBy: { label: "Recorded by" },
  snapshot: { label: "As it was sold" },
  version: commonFields.version,
  createdAt: { label: "Created", read: instant, export: false },
  updatedAt: { label: "Changed", read: instant, export: false },
});

export const transactionListFields = listFieldsOf(transactionFields);
export const transactionColumns = exportColumnsOf(transactionFields);
export const transactionLabels = historyLabelsOf(transactionFields);

export const transactionReply = z.object(readShape(transactionFields)).meta({ id: "Transaction" });
export type Transaction = z.output<typeof transactionReply>;

export const listTransactions = endpoint({
  method: "GET",
  path: "/transactions",
  summary: "List transactions, found by number, reference, or a person's address",
  permission: "transactions:read",
  query: listQuery(transactionListFields),
  reply: pageOf(transactionReply),
});

export const exportTransactions = endpoint({
  method: "GET",
  path: "/transactions/export",
  summary: "Take transactions away as a file: CSV, or one JSON document per line",
  permission: "transactions:read",
  query: exportQuery(transactionListFields, transactionColumns),
  reply: plain,
  file: true,
});

const snapshot = z.object({
  package: plain,
  version: z.int(),
  interval: z.enum(intervals),
  intervalCount: z.int(),
  price: amount,
  /** Free days that promotions put before the days that are paid for. */
  trialDays: z.int().default(0),
  promotions: z.array(z.object({ promotionId: id, name: plain, code: plain.nullable(), amount })),
  /** What was left of another subscription in money, which this one takes the place of. */
  credit: z.object({ subscriptionId: id, package: plain, amount }).nullable().default(null),
  features: z.array(z.object({ app: plain, feature: plain, words: plain, icon: plain })),
});
export type Snapshot = z.output<typeof snapshot>;

const event = z.object({
  id,
  type: z.enum(eventTypes),
  at: instant,
  source: z.enum(["staff", "provider", "system"]),
  by: plain.nullable(),
  evidence: plain.nullable(),
  recordedAt: instant,
});

/** A transaction with all that belongs to it. */
export const transactionDetails = transactionReply
  .extend({
    snapshot: snapshot.nullable(),
    events: z.array(event),
    refunds: z.array(transactionReply),
    grants: z.array(
      z.object({
        id,
        name: plain,
        startsAt: instant,
        endsAt: instant.nullable(),
        isInForce: z.boolean(),
      }),
    ),
    /** What can still be taken back. */
    refundable: amount,
    /** How often its provider was asked what became of it; null where nobody asks. */
    reconciliation: z
      .object({
        asked: z.int(),
        lastAt: instant,
        lastAnswer: plain,
        nextAt: instant.nullable(),
      })
      .nullable(),
    person: z.object({
      since: instant,
      paid: z.array(z.object({ currency: plain, total: amount, refunded: amount })),
    }),
  })
  .meta({ id: "TransactionDetails" });
export type TransactionDetails = z.output<typeof transactionDetails>;

export const getTransaction = endpoint({
  method: "GET",
  path: "/transactions/:id",
  summary: "Read a transaction with its events, refunds and what it granted",
  permission: "transactions:read",
  params: record,
  reply: transactionDetails,
});

const sale = {
  /** Whoever has this address; somebody unknown becomes a customer. */
  email,
  ...offer,
  codes: z
    .array(text({ min: 1, max: 60 }))
    .max(10, "must be at most 10")
    .default([]),
  /** What the tax comes to; how it is worked out is not ours. */
  tax: amount.default(0),
  occurredAt: instant,
};

/** What recording it would do, at that moment. */
const effect = z.object({
  /** A new subscription, the next period of one, another package instead of one, or a right without end. */
  makes: z.enum(["subscription", "period", "change", "right"]),
  version: z.int(),
  apps: z.int(),
  features: z.int(),
  from: instant,
  until: instant.nullable(),
  /** Rights that end because of it. */
  replaces: z.array(z.object({ grantId: id, name: plain, until: instant.nullable() })),
});
export type SaleEffect = z.output<typeof effect>;

export const quoteSale = endpoint({
  method: "POST",
  path: "/transactions/quote",
  summary: "Say what a sale would cost and do; nothing is stored",
  permission: "transactions:read",
  body: z.strictObject(sale),
  reply: z.object({
    quote,
    effect,
    person: person.nullable(),
    /** Of the same person, package and amount within 24 hours: perhaps the same sale. */
    duplicates: z.array(brief.extend({ occurredAt: instant })),
  }),
  keyed: false,
  refusals: ["not_found", "wrong_state", "too_many"],
});

export const createTransaction = endpoint({
  method: "POST",
  path: "/transactions",
  summary: "Record a sale by hand, at the price that is worked out",
  permission: "transactions:write",
  body: z
    .strictObject({
      ...sale,
      /** A draft gives nothing yet; what succeeded gives access at once. */
      state: z.enum(["draft", "pending", "succeeded"]),
      ...writeShape(transactionFields),
      /** The total that was shown: another one now is told instead of recorded. */
      total: amount,
      /** Of the same person, package and amount within 24 hours there is another, and this is one more. */
      isNoDuplicate: z.boolean().default(false),
      reason: reason.optional(),
    })
    .refine(
      ({ state, provider: by, reference }) =>
        state === "draft" || by !== "manual" || reference !== null,
      {
        path: ["reference"],
        error: "says where it is to be found again, such as a bank's reference",
      },
    ),
  reply: transactionReply,
  status: 201,
  refusals: ["not_found", "wrong_state", "taken", "impact_changed", "duplicate", "too_many"],
});

export const changeTransaction = endpoint({
  method: "PUT",
  path: "/transactions/:id",
  summary: "Change note and tags; what was recorded of money stays",
  permission: "transactions:write",
  params: record,
  body: z.strictObject({
    note: transactionFields.note.write.unwrap(),
    tags,
    reason: reason.optional(),
  }),
  reply: transactionReply,
  versioned: true,
});

export const getTransactionActivity = endpoint({
  method: "GET",
  path: "/transactions/:id/activity",
  summary: "List what happened to a transaction, newest first",
  permission: "transactions:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
