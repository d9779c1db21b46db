import type { Snapshot } from "@purser/contract/transactions/endpoints";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { NewTransaction } from "./queries.ts";

/** A payment that a subscription waits for. */
export type NewRenewal = Pick<
  NewTransaction,
  "userId" | "currency" | "subtotal" | "discount" | "tax" | "total" | "occurredAt"
> & {
  subscriptionId: string;
  packageId: string;
  versionId: string;
  priceId: string;
  balanceAmount: number;
  taxIncluded: boolean;
  periodStart: Date;
  periodEnd: Date;
  snapshot: Snapshot;
};

const insertRenewalsSql = statement(
  "transactions.insertRenewals",
  `insert into transactions (kind, state, provider, user_id, package_id, version_id, price_id, subscription_id,
     currency, subtotal, discount, tax, total, balance_amount, tax_included, occurred_at, period_start, period_end,
     snapshot, is_split)
   select 'renewal', 'pending', 'renewal', "userId", "packageId", "versionId", "priceId", "subscriptionId", currency,
     subtotal, discount, tax, total, "balanceAmount", "taxIncluded", "occurredAt", "periodStart", "periodEnd",
     snapshot, true
   from jsonb_to_recordset($1::jsonb) as added ("userId" uuid, "packageId" uuid, "versionId" uuid, "priceId" uuid,
     "subscriptionId" uuid, currency text, subtotal bigint, discount bigint, tax bigint, total bigint,
     "balanceAmount" bigint, "taxIncluded" boolean, "occurredAt" timestamptz, "periodStart" timestamptz,
     "periodEnd" timestamptz, snapshot jsonb)
   returning id, subscription_id as "subscriptionId"`,
).present<"subscriptionId">();

/** Inserts one renewal for each subscription and returns their IDs by subscription. A unique index allows one per period. */
export const insertRenewals = async (db: Db, renewals: readonly NewRenewal[]) => {
  const rows = await run(db, insertRenewalsSql, [JSON.stringify(renewals)]);
  return new Map(rows.map(({ id, subscriptionId }) => [subscriptionId, id]));
};

const findOpenChargesOfSql = statement(
  "transactions.findOpenChargesOf",
  `select t.id, t.state, t.currency, current_customer(t.user_id) as "userId",
     coalesce(t.changes_id, t.subscription_id) as "subscriptionId",
     (select -coalesce(sum(e.amount), 0) from balance_entries e
      where e.transaction_id = t.id and e.kind in ('payment', 'payment returned'))::float8 as taken,
     t.changes_id is not null or exists (select from redemptions r where r.transaction_id = t.id and r.returned_at is null)
       or exists (select from line_credits c where c.transaction_id = t.id and c.state = 'held') as "holdsMore"
   from transactions t
   where (t.subscription_id = any ($1::uuid[]) and t.kind = 'renewal' or t.changes_id = any ($1::uuid[]))
     and t.state in ('pending', 'failed')
   order by t.id for update of t`,
).narrow<{ userId: string; subscriptionId: string; taken: number; holdsMore: boolean }>();

/**
 * As `findOpenCharges`, for many subscriptions. `taken` is what a charge took from the balance, and `holdsMore` is true
 * if it also holds credits or redemptions.
 */
export const findOpenChargesOf = (db: Db, subscriptionIds: readonly string[]) =>
  run(db, findOpenChargesOfSql, [subscriptionIds]);

const findWithOpenChangeSql = statement(
  "transactions.findWithOpenChange",
  `select distinct changes_id as id from transactions
   where changes_id = any ($1::uuid[]) and state in ('pending', 'failed')`,
).present<"id">();

/** The subscriptions with a change that waits for its payment. */
export const findWithOpenChange = async (db: Db, subscriptionIds: readonly string[]) =>
  (await run(db, findWithOpenChangeSql, [subscriptionIds])).map(({ id }) => id);

/** The transactions must be locked. */
export const setCanceled = async (db: Db, ids: readonly string[]) => {
  await run(db, "update transactions set state = 'canceled' where id = any ($1::uuid[])", [ids]);
};
