import type { ImportKind } from "@purser/contract/workspace/imports";
import { codes } from "./codes/kind.ts";
import { customers } from "./customers/kind.ts";
import type { Kind } from "./kind.ts";
import { subscriptions } from "./subscriptions/kind.ts";
import { transactions } from "./transactions/kind.ts";

export const kinds: Readonly<Record<ImportKind, Kind>> = {
  customers,
  subscriptions,
  transactions,
  codes,
};

/** The tables that imports fill. */
export const grownTables = [
  ...["import_rows", "import_results", "users", "subscriptions", "grants", "promotion_codes"],
  ...["transactions", "transaction_lines", "journal_entries", "postings"],
];
