import { type Db, run } from "#platform/db/db.ts";

// Rows of this transaction have its time as the default. The journal and documents have their own time.
const made = "created_at = now()";

const statements = {
  transaction_events: "update transaction_events set recorded_at = at where recorded_at = now()",
  transaction_lines: `update transaction_lines l set created_at = t.occurred_at from transactions t
    where t.id = l.transaction_id and l.${made}`,
  line_credits: `update line_credits c set created_at = t.occurred_at from transactions t
    where t.id = c.transaction_id and c.${made}`,
  balance_entries: `update balance_entries b set created_at = coalesce(
      (select coalesce(t.settled_at, t.occurred_at) from transactions t where t.id = b.transaction_id),
      (select e.at from journal_entries e where e.source_id = b.id), b.created_at) where b.${made}`,
  transactions: `update transactions t set created_at = occurred_at, updated_at = (
      select max(at) from transaction_events e where e.transaction_id = t.id) where ${made}`,
  subscriptions: `update subscriptions s set created_at = since, updated_at = greatest(since, ended_at, paused_at,
      least(period_start, now()))
    from (select subscription_id, min(starts_at) as since from grants group by 1) held
    where held.subscription_id = s.id and s.${made}`,
  grants: `update grants set created_at = least(starts_at, now()) where ${made}`,
};

/**
 * Gives the rows of the history the times at which they would have been created. The product never changes them, so
 * its triggers are off meanwhile. The audit log keeps the time at which the demo data was loaded.
 */
export const backdate = async (db: Db) => {
  await run(db, "set constraints all immediate");
  for (const [table, text] of Object.entries(statements)) {
    await run(db, `alter table ${table} disable trigger user`);
    await run(db, text);
    await run(db, `alter table ${table} enable trigger user`);
  }
  await run(db, "set constraints all deferred");
};
