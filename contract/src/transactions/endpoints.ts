import { z } from "zod";
import { amount } from "../fields/money.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf } from "../http/list.ts";
import { previewBulk, startBulk, startExport } from "../http/listJobs.ts";
import { sumsOf, sumsQuery } from "../http/sums.ts";
import { tag, tagGiven } from "../http/tagGiven.ts";
import { intervals } from "../packages/prices.ts";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import {
  brief,
  eventTypes,
  tags,
  transactionColumns,
  transactionFields,
  transactionListFields,
  transactionReply,
} from "./fields.ts";

export const listTransactions = endpoint({
  method: "GET",
  path: "/transactions",
  summary: "List transactions",
  permission: "transactions:read",
  query: listQuery(transactionListFields),
  reply: pageOf(transactionReply),
});

/** Amounts of refunds and chargebacks are subtracted. */
export const sumTransactions = endpoint({
  method: "GET",
  path: "/transactions/sums",
  summary: "Add up the amounts of transactions by currency",
  permission: "transactions:read",
  query: sumsQuery(transactionListFields),
  reply: sumsOf(["total", "refunded"]),
});

export const exportTransactions = endpoint({
  method: "GET",
  path: "/transactions/export",
  summary: "Export transactions as CSV or JSON lines",
  permission: "transactions:export",
  proof: "recent",
  query: exportQuery(transactionListFields, transactionColumns),
  reply: plain,
  file: true,
});

export const startTransactionsExport = startExport("transactions", exportTransactions);

const bulkJobActions = ["tag"] as const;

export const previewBulkTransactions = previewBulk(
  "transactions",
  transactionListFields,
  bulkJobActions,
  tagGiven,
);
export const startBulkTransactions = startBulk(
  "transactions",
  transactionListFields,
  bulkJobActions,
  tagGiven,
);

const snapshot = z.object({
  package: plain,
  version: z.int(),
  interval: z.enum(intervals),
  intervalCount: z.int(),
  price: amount,
  /** Free days from promotions before the paid period. */
  trialDays: z.int().default(0),
  promotions: z.array(z.object({ promotionId: id, name: plain, code: plain.nullable(), amount })),
  /** Only of versions before 0.6.0: the unused value of the subscription that this one replaces. */
  credit: z.object({ subscriptionId: id, package: plain, amount }).nullable().default(null),
  /** Entered codes that didn't apply. */
  rejectedCodes: z.array(plain).default([]),
  features: z.array(z.object({ app: plain, feature: plain, words: plain, icon: plain })),
});
export type Snapshot = z.output<typeof snapshot>;

const event = z.object({
  id,
  type: z.enum(eventTypes),
  at: instant,
  source: z.enum(["team", "provider", "system"]),
  by: plain.nullable(),
  evidence: plain.nullable(),
  recordedAt: instant,
});

export const taxTreatments = [
  "none",
  "rate",
  "reverse charge",
  "exempt",
  "manual",
  "provider",
  "unknown",
] as const;

/** What is charged for one package. */
export const chargedLine = z.object({
  name: plain,
  quantity: z.int(),
  unitAmount: amount,
  subtotal: amount,
  discount: amount,
  net: amount,
  tax: amount,
  gross: amount,
  taxTreatment: z.enum(taxTreatments),
  taxBasisPoints: z.int().nullable(),
  taxName: plain.nullable(),
  taxCountry: plain.nullable(),
  taxReason: plain.nullable(),
});
export type ChargedLine = z.output<typeof chargedLine>;

const storedLine = chargedLine.extend({
  id,
  package: z.object({ id, name: plain }).nullable(),
  periodStart: instant.nullable(),
  periodEnd: instant.nullable(),
  /** Taken back so far, including what a pending change holds. */
  credited: amount,
  refundable: amount,
  /** The value of the unused time now. */
  unused: amount,
});

/** What is taken back of a line of an earlier transaction. */
export const takenCredit = z.object({
  lineId: id,
  name: plain,
  transaction: brief,
  /** The unused time, without pauses; null for an amount. */
  from: instant.nullable(),
  until: instant.nullable(),
  net: amount,
  tax: amount,
  gross: amount,
});
export type TakenCredit = z.output<typeof takenCredit>;

export const creditReasons = [
  "change",
  "refund",
  "chargeback",
  "write-off",
  "undelivered",
] as const;
export const creditStates = ["held", "applied", "released"] as const;

/** A transaction with its lines, events, refunds and grants. */
export const transactionDetails = transactionReply
  .extend({
    /** The import that recorded it. Such a transaction has no documents and grants no access. */
    importId: id.nullable(),
    snapshot: snapshot.nullable(),
    lines: z.array(storedLine),
    /** What this transaction takes back of other transactions. */
    credits: z.array(
      takenCredit.extend({ id, reason: z.enum(creditReasons), state: z.enum(creditStates) }),
    ),
    /** Every name that providers have for it. */
    references: z.array(plain),
    events: z.array(event),
    refunds: z.array(transactionReply),
    grants: z.array(
      z.object({
        id,
        name: plain,
        startsAt: instant,
        endsAt: instant.nullable(),
        isActive: z.boolean(),
      }),
    ),
    /** The amount that can still be refunded. */
    refundable: amount,
    /** The part of it that can go back to the payment method. */
    refundableCash: amount,
    /** Status lookups at its provider; null if there are none. */
    reconciliation: z
      .object({
        attempts: z.int(),
        lastAt: instant,
        lastAnswer: plain,
        nextAt: instant.nullable(),
      })
      .nullable(),
    customer: z.object({
      since: instant,
      paid: z.array(z.object({ currency: plain, total: amount, refunded: amount })),
    }),
  })
  .meta({ id: "TransactionDetails" });
export type TransactionDetails = z.output<typeof transactionDetails>;

export const getTransaction = endpoint({
  method: "GET",
  path: "/transactions/:id",
  summary: "Retrieve a transaction",
  permission: "transactions:read",
  params: record,
  reply: transactionDetails,
});

export const changeTransaction = endpoint({
  method: "PUT",
  path: "/transactions/:id",
  summary: "Update the note and tags of a transaction",
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

export const tagTransaction = endpoint({
  method: "POST",
  path: "/transactions/:id/tag",
  summary: "Add a tag to a transaction",
  permission: "transactions:write",
  params: record,
  body: z.strictObject({ tag, reason: reason.optional() }),
  reply: transactionReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const getTransactionActivity = endpoint({
  method: "GET",
  path: "/transactions/:id/activity",
  summary: "List a transaction's activity",
  permission: "transactions:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
