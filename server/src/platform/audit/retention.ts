import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { transact } from "./context.ts";

export const sealsAtOnce = 1000;

const removeMonthsSql = statement("audit.removeMonths", "select audit_remove_months() as last");

/** Removes months that are older than the retention, and keeps what proves the rest. Returns the last removed ID. */
export const removeMonths = async (db: Db) => (await first(db, removeMonthsSql))?.last ?? null;

const removeSealsSql = statement(
  "audit.removeSeals",
  "select audit_remove_seals($1::int) as seals",
).narrow<{ seals: number }>();

/** Removes at most one batch of seals of removed months, and returns how many. */
export const removeSeals = async (db: Db) =>
  (await first(db, removeSealsSql, [sealsAtOnce]))?.seals ?? 0;

/** Sets how many months the log is kept, or null for forever. Only the owner of the tables can do this. */
export const setRetention = (db: Db, months: number | null) => {
  const actor = { kind: "system" as const, id: null, name: "purser audit keep" };
  const context = { actor, address: null, requestId: null, reason: null };
  return transact(db, context, (transaction) =>
    run(transaction, "update audit_retention set months = $1::int", [months]),
  );
};
