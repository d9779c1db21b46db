import { z } from "zod";
import { commonFields } from "../fields/commonFields.ts";
import { tooManyEntries } from "../fields/commonRules.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
} from "../fields/declarations.ts";
import { amount } from "../fields/money.ts";
import { id, instant } from "../fields/primitives.ts";
import { plain, text, token } from "../fields/text.ts";
import { tag } from "../http/tagGiven.ts";
import { rule } from "../messages/rules.ts";
import { intervals } from "../packages/prices.ts";
import { userSummary } from "../packages/publishing.ts";

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

/** The displayed state, which includes refunds. */
export const shownStates = [...transactionStates, "partially refunded", "refunded"] as const;
export type ShownState = (typeof shownStates)[number];

export const eventTypes = [
  "created",
  "submitted",
  "authorized",
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
  rule("provider_invalid", "Use 2 to 40 lowercase letters, digits and -. Start with a letter."),
);

/** Purser's own names for payments that it requests. Another provider receives them. */
export const paymentRequests: readonly string[] = ["renewal", "change"];

/** The provider that received a payment or reports it, or null for a request that no provider has answered yet. */
export const paidWithOf = ({
  provider,
  settledBy,
}: {
  provider: string;
  settledBy: string | null;
}) => settledBy ?? (paymentRequests.includes(provider) ? null : provider);

export const tagsMax = 20;
export const tags = z.array(tag).max(tagsMax, tooManyEntries(tagsMax));

export const brief = z.object({ id, number: plain });

/** Transactions are never reverted; a refund corrects a mistake. */
export const transactionFields = fields({
  id: commonFields.id,
  number: { label: "Number", read: plain, list: { kind: "text", label: "Reference" } },
  occurredAt: {
    label: "Date",
    read: instant,
    list: { kind: "instant", sort: true, label: "Created" },
    form: { label: "Date and time" },
  },
  kind: {
    label: "Type",
    read: z.enum(transactionKinds),
    list: { kind: "choice", options: transactionKinds },
  },
  state: {
    label: "Status",
    read: z.enum(shownStates),
    list: { kind: "choice", options: transactionStates },
  },
  user: { label: "User", column: "userId", read: userSummary, list: { kind: "relation" } },
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
  parent: {
    label: "Original transaction",
    column: "parentId",
    read: brief.nullable(),
    export: false,
  },
  currency: { label: "Currency", read: plain, list: { kind: "text" } },
  subtotal: { label: "Subtotal", read: amount },
  discount: { label: "Discount", read: amount },
  tax: { label: "Tax", read: amount },
  total: { label: "Total", read: amount, list: { kind: "number", label: "Amount" } },
  /** The part of the total that the balance paid, or that a refund returned to it. */
  balanceAmount: { label: "From balance", read: amount },
  taxIncluded: { label: "Tax included", read: z.boolean(), export: false },
  /** Refunded, or about to be. */
  refunded: { label: "Refunded", read: amount },
  provider: {
    label: "Provider",
    write: provider.default("manual"),
    read: plain,
    list: { kind: "text", label: "Paid with" },
    form: { mono: true, help: "Payment provider, or “manual”." },
    revert: false,
  },
  reference: {
    label: "Reference",
    write: text({ min: 1, max: 200 }).nullable().default(null),
    read: plain.nullable(),
    revert: false,
  },
  periodStart: { label: "Period start", read: instant.nullable(), export: false },
  periodEnd: { label: "Period end", read: instant.nullable(), export: false },
  access: { label: "Access", read: z.enum(accessChoices).nullable(), export: false },
  settledAt: {
    label: "Settled",
    read: instant.nullable(),
    list: { kind: "instant", sort: true },
  },
  /** The provider that received the money. */
  settledBy: { label: "Received by", read: plain.nullable(), export: false },
  changesId: { label: "Replaced subscription" },
  changesVersion: { label: "Version of the replaced subscription" },
  isSplit: { label: "Has lines" },
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
    list: { kind: "text" },
    export: false,
    revert: false,
  },
  createdBy: { label: "Created by" },
  snapshot: { label: "Price details" },
  version: commonFields.version,
  createdAt: { label: "Created", read: instant, export: false },
  updatedAt: { label: "Updated", read: instant, export: false },
});

export const transactionListFields = listFieldsOf(transactionFields);
export const transactionColumns = exportColumnsOf(transactionFields);
export const transactionLabels = historyLabelsOf(transactionFields);

export const transactionReply = z.object(readShape(transactionFields)).meta({ id: "Transaction" });
export type Transaction = z.output<typeof transactionReply>;
