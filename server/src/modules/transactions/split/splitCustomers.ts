import { randomBytes } from "node:crypto";
import { lockRecords } from "#modules/entitlements/customerQueries.ts";
import type { Db } from "#platform/db/db.ts";
import type { History, KnownLine } from "./history.ts";
import { splitHistory } from "./splitHistory.ts";
import {
  findKnownLines,
  findOldTransactions,
  findOpenChanges,
  findUnsplitOfSubscription,
  findUnsplitOfTransaction,
  insertSplit,
  type OldRow,
  type Rows,
} from "./splitQueries.ts";

/** UUIDs of version 7 for moments in the past. Those of the same millisecond are in the order of their creation. */
const idsInOrder = () => {
  let count = 0;
  return (at: Date) => {
    count = (count + 1) % 0x1000;
    const time = at.getTime().toString(16).padStart(12, "0");
    const place = count.toString(16).padStart(3, "0");
    const rest = randomBytes(8);
    rest[0] = 0x80 | ((rest[0] ?? 0) & 0x3f);
    const hex = rest.toString("hex");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${place}-${hex.slice(0, 4)}-${hex.slice(4)}`;
  };
};

const groupByCustomer = (rows: readonly OldRow[]) => {
  const groups = new Map<string, OldRow[]>();
  for (const row of rows) {
    const group = groups.get(row.customer);
    if (group) group.push(row);
    else groups.set(row.customer, [row]);
  }
  return groups;
};

const creditedBy = (rows: readonly OldRow[]) =>
  rows.flatMap(({ credit }) => (credit ? [credit.subscriptionId] : []));

const historyOf = (
  rows: readonly OldRow[],
  { lines, openChanges }: { lines: readonly KnownLine[]; openChanges: readonly string[] },
): History => {
  const parents = new Set(rows.map(({ parentId }) => parentId));
  const credited = new Set<string | null>(creditedBy(rows));
  return {
    transactions: rows,
    lines: lines.filter(
      (line) => parents.has(line.transactionId) || credited.has(line.subscriptionId),
    ),
    periodEnds: new Map(
      rows.flatMap(({ subscriptionId, subscriptionEnd }) =>
        subscriptionId && subscriptionEnd ? [[subscriptionId, subscriptionEnd]] : [],
      ),
    ),
    openChanges,
  };
};

/**
 * Adds lines, credits and journal entries to the transactions of customers that an earlier version recorded. Locks
 * the customers like a sale does. Returns the number of transactions.
 */
export const splitCustomers = async (db: Db, customers: readonly string[]) => {
  await lockRecords(db, customers);
  const old = await findOldTransactions(db, customers);
  if (old.length === 0) return 0;
  const parentIds = old.flatMap(({ parentId }) => parentId ?? []);
  const credited = creditedBy(old);
  const known = {
    lines: await findKnownLines(db, parentIds, credited),
    openChanges: await findOpenChanges(db, credited),
  };
  const newId = idsInOrder();
  const all: Rows = { lines: [], credits: [], balanceEntries: [], entries: [], marks: [] };
  for (const [userId, rows] of groupByCustomer(old)) {
    const split = splitHistory(historyOf(rows, known), newId);
    all.lines.push(...split.lines);
    all.credits.push(...split.credits);
    all.marks.push(...split.marks);
    all.balanceEntries.push(...split.balanceEntries.map((entry) => ({ ...entry, userId })));
    all.entries.push(...split.entries.map((entry) => ({ ...entry, userId })));
  }
  await insertSplit(db, all);
  return old.length;
};

/** Call it before locking a transaction, because the customer is locked first. Does nothing once all are split. */
export const splitForTransaction = async (db: Db, id: string) => {
  const customer = await findUnsplitOfTransaction(db, id);
  if (customer !== undefined) await splitCustomers(db, [customer]);
};

/** Call it before locking a subscription, because the customer is locked first. Does nothing once all are split. */
export const splitForSubscription = async (db: Db, id: string) => {
  const customer = await findUnsplitOfSubscription(db, id);
  if (customer !== undefined) await splitCustomers(db, [customer]);
};
