import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

/**
 * Adds to the refunded amount of a sale, or returns false if less is left. One statement does both, so that
 * refunds at the same time never exceed the total.
 */
export const addRefunded = async (db: Db, id: string, amount: number) =>
  (
    await run(
      db,
      `update transactions set refunded = refunded + $2
       where id = $1 and state in ('succeeded', 'disputed') and refunded + $2 <= total returning id`,
      [id, amount],
    )
  ).length > 0;

const findRefundedTaxSql = statement(
  "transactions.findRefundedTax",
  `select coalesce(sum(tax), 0)::float8 as tax from transactions
   where parent_id = $1 and kind in ('refund', 'chargeback') and state in ('pending', 'succeeded')`,
).narrow<{ tax: number }>();

export const findRefundedTax = async (db: Db, id: string) => {
  const row = await first(db, findRefundedTaxSql, [id]);
  return row?.tax ?? 0;
};

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
