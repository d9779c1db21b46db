import type pg from "pg";
import { recordsOf } from "./catalog.ts";

const makeApprovals = `
  with other as (
    insert into users (email, name, role, status)
    values (gen_random_uuid() || '@example.com', 'Fuzz', 'finance', 'active') returning id
  )
  insert into approvals (rule, operation, permission, params, body, entity, summary, facts, basis, reason,
    requested_by, expires_at)
  select 'refund', 'POST /transactions/:id/refund', 'transactions:write', '{}', '{}', 'transactions', 'Fuzz', '[]',
    '', 'Fuzz', case when n % 2 = 0 then $1::uuid else other.id end, now() + interval '7 days'
  from other, generate_series(1, 12) n returning id`;

/** Draft apps, whose creation can be reverted by deleting them. */
const findEntries = `
  select e.id from audit_entries e join apps a on a.id = e.record_id
  where e.entity = 'apps' and e.action = 'insert' and a.status = 'draft' order by e.id desc limit 8`;

type Made = { id: string };

/** Approval requests of the caller and of another user, and recent audit entries. */
export const makeWorkspace = async (owner: pg.Pool, userId: string) => {
  const approvals = await owner.query<Made>(makeApprovals, [userId]);
  const entries = await owner.query<Made>(findEntries);
  return {
    "/approvals/{id}": recordsOf(approvals.rows.map(({ id }) => id)),
    "/audit/{id}": recordsOf(entries.rows.map(({ id }) => id)),
  };
};
