import { plural, t } from "@lingui/core/macro";
import { type ImportKind, importFields } from "@purser/contract/workspace/imports";

type KindTexts = {
  label: string;
  /** What a file contains. */
  help: string;
  title: string;
  created: string;
  existing: string;
  view: { label: string; to: "/users" | "/transaction" | "/promotion" };
  /** What an import causes, and what not. */
  effect: string;
};

export const kindTexts: Record<ImportKind, KindTexts> = {
  customers: {
    label: t`Customers`,
    help: t`One row per customer, with an email address.`,
    title: t`Import customers`,
    created: t`New customers`,
    existing: t`customer already exists`,
    view: { label: t`View customers`, to: "/users" },
    effect: t`Customers are not emailed.`,
  },
  subscriptions: {
    label: t`Subscriptions`,
    help: t`One row per subscription, with its current period. Customers are imported first.`,
    title: t`Import subscriptions`,
    created: t`New subscriptions`,
    existing: t`subscription already exists`,
    view: { label: t`View customers`, to: "/users" },
    effect: t`Customers get access until the period ends. They are not emailed.`,
  },
  transactions: {
    label: t`Transactions`,
    help: t`One row per past payment. Customers and subscriptions are imported first.`,
    title: t`Import transactions`,
    created: t`New transactions`,
    existing: t`transaction already exists`,
    view: { label: t`View transactions`, to: "/transaction" },
    effect: t`No invoices, emails or webhooks. Imported transactions can't be deleted, only reversed.`,
  },
  codes: {
    label: t`Promotion codes`,
    help: t`One row per code, with the name or ID of its promotion.`,
    title: t`Import promotion codes`,
    created: t`New codes`,
    existing: t`code already exists`,
    view: { label: t`View promotions`, to: "/promotion" },
    effect: t`Codes can be redeemed as soon as they are imported.`,
  },
};

/** What undoing did. */
export const undoneText: Record<ImportKind, (count: number) => string> = {
  customers: (count) =>
    plural(count, {
      one: "Import undone, # customer erased",
      other: "Import undone, # customers erased",
    }),
  subscriptions: (count) =>
    plural(count, {
      one: "Import undone, # subscription ended",
      other: "Import undone, # subscriptions ended",
    }),
  transactions: (count) =>
    plural(count, {
      one: "Import undone, # transaction reversed",
      other: "Import undone, # transactions reversed",
    }),
  codes: (count) =>
    plural(count, {
      one: "Import undone, # code deleted",
      other: "Import undone, # codes deleted",
    }),
};

/** What undoing will do, and what it keeps. */
export const undoTexts: Record<ImportKind, { removed: string; kept: string }> = {
  customers: {
    removed: t`Customers created by the import are erased`,
    kept: t`Customers with payments, access, notes or changes since are kept`,
  },
  subscriptions: {
    removed: t`Subscriptions created by the import end now, with their access`,
    kept: t`Subscriptions with payments or changes since are kept`,
  },
  transactions: {
    removed: t`Transactions created by the import are reversed by refunds at their own dates`,
    kept: t`Transactions with refunds, disputes or changes since are kept`,
  },
  codes: {
    removed: t`Codes created by the import are deleted`,
    kept: t`Codes that were redeemed are kept`,
  },
};

const examples: Record<ImportKind, readonly string[]> = {
  customers: [
    ...["customer-1", "name@example.com", "", "", "", ""],
    ...["10115", "", "", "DE", "", "de", "Europe/Berlin", "2024-03-01"],
  ],
  subscriptions: [
    ...["subscription-1", "", "customer-1", "name@example.com", "studio", "month", "EUR", "", "1"],
    ...["2024-03-01", "2026-11-01", "2026-12-01", "active", "no", ""],
  ],
  transactions: [
    ...["payment-1", "", "customer-1", "name@example.com", "2024-03-01", "EUR", "11.90", "1.90"],
    ...["19", "paid", "", "", "", "studio", "", "2024-03-01", "2024-04-01"],
  ],
  codes: ["WELCOME-2026", "welcome", "1"],
};

const cellOf = (value: string) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A file with the recognized columns and one row as an example. */
export const templateOf = (kind: ImportKind) => {
  const rows = [importFields[kind], examples[kind]];
  const text = rows.map((row) => row.map(cellOf).join(",")).join("\r\n");
  return {
    href: `data:text/csv;charset=utf-8,${encodeURIComponent(`${text}\r\n`)}`,
    download: `${kind}-template.csv`,
  };
};
