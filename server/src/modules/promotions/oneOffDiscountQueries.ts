import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

type OneOffDiscount = {
  name: string;
  basisPoints: number | null;
  amount: number | null;
  currency: string;
  /** How many payments it reduces. */
  payments: number;
  userId: string;
  /** The last payment before the discount applies. */
  transactionId: string;
  subscriptionId: string;
  /** How many payments there are already. */
  since: number;
  /** What all payments together are reduced by, and the team member who gives it. */
  given: number;
  by: string;
};

const insertOneOffDiscountSql = statement(
  "promotions.insertOneOffDiscount",
  `insert into promotions (name, kind, basis_points, level, duration, periods, max_uses, max_uses_per_user,
     audience, stacking, needs_code, returns_use, published_at, archived_at, given_by, given_to, given_amount,
     given_currency)
   values ($1, $2, $3, 'line', 'periods', $4, 1, 1, 'listed', 'stackable', false, false, $5, $5, $6, $7, $8, $9)
   returning id`,
);

/**
 * A discount for one customer's subscription. It is stored as a promotion that is already redeemed and archived, so
 * that no one else can get it and renewals treat it like any redeemed promotion.
 */
export const insertOneOffDiscount = async (db: Db, discount: OneOffDiscount, now: Date) => {
  const { name, basisPoints, amount, currency, payments, userId, since } = discount;
  const { transactionId, subscriptionId } = discount;
  const made = await first(db, insertOneOffDiscountSql, [
    name,
    basisPoints === null ? "fixed" : "percent",
    basisPoints,
    payments,
    now,
    ...[discount.by, userId, discount.given, currency],
  ]);
  const id = made?.id ?? "";
  if (amount !== null)
    await run(
      db,
      "insert into promotion_amounts (promotion_id, currency, off) values ($1, $2, $3)",
      [id, currency, amount],
    );
  await run(db, "insert into promotion_people (promotion_id, user_id) values ($1, $2)", [
    id,
    userId,
  ]);
  await run(db, "update promotions set uses = 1, first_used_at = $2 where id = $1", [id, now]);
  await run(
    db,
    `insert into redemptions (promotion_id, user_id, transaction_id, subscription_id, nth, currency, amount, since,
       created_at)
     values ($1, $2, $3, $4, 1, $5, 0, $6, $7)`,
    [id, userId, transactionId, subscriptionId, currency, since, now],
  );
};
