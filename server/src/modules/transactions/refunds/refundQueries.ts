import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

type Returned = { kind: "refund" | "chargeback"; amount: number };

/**
 * Adds to the refunded amount of a sale, or returns false if less is left. One statement does both, so that
 * refunds at the same time never exceed the total. A bank takes back the whole payment, even if a part of it was
 * refunded to the balance before.
 */
export const addRefunded = async (db: Db, id: string, { kind, amount }: Returned) =>
  (
    await run(
      db,
      `update transactions set refunded = least(total, refunded + $2)
       where id = $1 and state in ('succeeded', 'disputed') and ($3 or refunded + $2 <= total) returning id`,
      [id, amount, kind === "chargeback"],
    )
  ).length > 0;

const findCashSql = statement(
  "transactions.findCash",
  `select (t.total - t.balance_amount - coalesce((
     select sum(r.total - r.balance_amount) from transactions r where r.parent_id = t.id
       and r.kind in ('refund', 'chargeback') and r.state in ('pending', 'succeeded')), 0))::float8 as cash
   from transactions t where t.id = $1`,
).narrow<{ cash: number }>();

/** What was paid in cash and not returned in cash. The rest can only go to the balance. */
export const findCash = async (db: Db, id: string) =>
  Math.max(0, (await first(db, findCashSql, [id]))?.cash ?? 0);

const findRefundFactsSql = statement(
  "transactions.findRefundFacts",
  `select (select count(*)::int from redemptions u join promotions p on p.id = u.promotion_id
     where u.transaction_id = $1 and u.returned_at is null and p.returns_use and $2) as returns,
   (select count(*)::int from version_values f join transactions t on t.version_id = f.version_id
     where t.id = $1) as features`,
).narrow<{ returns: number; features: number }>();

/** The redemptions that a refund restores, and the features of the sold version. */
export const findRefundFacts = async (db: Db, id: string, { isFull }: { isFull: boolean }) =>
  (await first(db, findRefundFactsSql, [id, isFull])) ?? { returns: 0, features: 0 };
