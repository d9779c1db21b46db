import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

type Goodwill = {
  name: string;
  basisPoints: number | null;
  amount: number | null;
  currency: string;
  /** Of so many payments. */
  payments: number;
  userId: string;
  /** The last payment, after which it counts. */
  transactionId: string;
  subscriptionId: string;
  /** How many payments there are already. */
  since: number;
};

const insertGoodwillSql = statement(
  "promotions.insertGoodwill",
  `insert into promotions (name, kind, basis_points, level, duration, periods, max_uses, max_uses_per_user,
     audience, stacking, needs_code, returns_use, published_at, archived_at)
   values ($1, $2, $3, 'line', 'periods', $4, 1, 1, 'listed', 'stackable', false, false, $5, $5) returning id`,
);

/**
 * A discount for one person's subscription alone: a promotion as any other, used once and archived at once, so that
 * nobody else comes to it and renewals keep it as they keep what was bought with.
 */
export const insertGoodwill = async (db: Db, given: Goodwill, now: Date) => {
  const { name, basisPoints, amount, currency, payments, userId, since } = given;
  const made = await first(db, insertGoodwillSql, [
    name,
    basisPoints === null ? "fixed" : "percent",
    basisPoints,
    payments,
    now,
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
    [id, userId, given.transactionId, given.subscriptionId, currency, since, now],
  );
};
