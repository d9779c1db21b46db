import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { MoneyOut, Requester } from "#platform/http/approvalGate.ts";
import type { Sums } from "./limits.ts";

const dayMs = 86_400_000;

/** The smallest ID of a record that was created at this time or later. IDs begin with their time. */
const firstIdSince = (at: Date) => {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};

const findSumsSql = statement(
  "approvals.findSums",
  `select (coalesce((
     select sum(t.total) from transactions t where t.kind in ('refund', 'chargeback') and t.occurred_at > $3
       and t.created_by = any ($1::uuid[]) and t.currency = $5), 0)
   + coalesce((
     select sum(e.amount) from balance_entries e where e.id >= $6 and e.kind = 'added'
       and e.created_by = any ($1::uuid[]) and e.currency = $5), 0)
   + coalesce((
     select sum(p.given_amount) from promotions p where p.given_by = any ($1::uuid[]) and p.published_at > $3
       and p.given_currency = $5), 0)
   - coalesce((
     select sum(a.amount) from approvals a where a.status = 'approved' and a.decided_at > $3
       and a.decided_by = any ($1::uuid[]) and a.currency = $5), 0))::float8 as "byMember",
   (coalesce((
     select sum(t.total) from transactions t where t.user_id = $2 and t.occurred_at > $4
       and t.kind in ('refund', 'chargeback') and t.created_by is not null and t.currency = $5), 0)
   + coalesce((
     select sum(e.amount) from balance_entries e where e.user_id = $2 and e.id >= $7
       and e.kind = 'added' and e.created_by is not null and e.currency = $5), 0)
   + coalesce((
     select sum(p.given_amount) from promotions p where p.given_to = $2 and p.published_at > $4
       and p.given_currency = $5), 0))::float8 as "byCustomer"`,
).narrow<Sums>();

const findServiceAccountsSql = statement(
  "approvals.findServiceAccounts",
  "select id from service_accounts where exists (select from service_accounts where id = $1) order by id",
);

/** Service accounts share their sums, so that creating more of them doesn't raise the limit. */
const findSharers = async (db: Db, userId: string | null) => {
  if (userId === null) return { ids: [], lock: "" };
  const services = (await run(db, findServiceAccountsSql, [userId])).map(({ id }) => id);
  return services.length > 0
    ? { ids: services, lock: "service accounts" }
    : { ids: [userId], lock: userId };
};

/**
 * Locks the team member's sums until the transaction ends, so that refunds at the same time can't all pass. The
 * caller has locked the customer before.
 */
export const lockSums = async (
  db: Db,
  { userId, now }: Pick<Requester, "userId" | "now">,
  { customerId, currency }: MoneyOut,
): Promise<Sums> => {
  const { ids: members, lock } = await findSharers(db, userId);
  await run(db, "select pg_advisory_xact_lock(hashtext('money out'), hashtext($1))", [lock]);
  const day = new Date(now.getTime() - dayMs);
  const month = new Date(now.getTime() - 30 * dayMs);
  const ids = [firstIdSince(day), firstIdSince(month)];
  const sums = await first(db, findSumsSql, [members, customerId, day, month, currency, ...ids]);
  return sums ?? { byMember: 0, byCustomer: 0 };
};
