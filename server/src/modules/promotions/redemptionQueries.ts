import pg from "pg";
import { z } from "zod";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

export type Redemption = {
  promotionId: string;
  codeId: string | null;
  userId: string;
  transactionId: string;
  subscriptionId: string | null;
  currency: string;
  amount: number;
  /** Valid even if the promotion was stopped in the meantime. */
  isPromised?: boolean;
};

const insertRedemptionSql = statement(
  "promotions.insertRedemption",
  "select redeem_promotion($1, $2, $3, $4, $5, $6, $7, $8, $9) as refusal",
);

/** Returns why the promotion can't be redeemed, or null. Locks the promotion until the transaction ends. */
export const insertRedemption = async (db: Db, redemption: Redemption, now: Date) => {
  const { promotionId, codeId, userId, transactionId, subscriptionId, currency, amount } =
    redemption;
  const row = await first(db, insertRedemptionSql, [
    ...[promotionId, codeId, userId, transactionId, subscriptionId],
    ...[currency, amount, now, redemption.isPromised ?? false],
  ]);
  return row?.refusal ?? null;
};

/** Redeems promotions in the order of a query of their columns. Returns why each one is refused, or null. */
export const redeemFrom = (rows: string) => `
  select r."promotionId", redeem_promotion(r."promotionId", r."codeId", r."userId", r."transactionId",
    r."subscriptionId", r.currency, r.amount, r.at, false) as refusal
  from (${rows}) r`;

/** A statement without values that redeems promotions in this order, or fails. */
export const redeemOrFail = (redemptions: readonly Redemption[], now: Date) => {
  const literal = (value: string | null) => (value === null ? "null" : pg.escapeLiteral(value));
  const calls = redemptions.map(
    ({ promotionId, codeId, userId, transactionId, subscriptionId, currency, amount }) =>
      `redeem_or_fail(${[
        ...[promotionId, codeId, userId, transactionId, subscriptionId, currency].map(literal),
        Math.trunc(amount),
        literal(now.toISOString()),
      ].join(", ")})`,
  );
  return `select ${calls.join(", ")}`;
};

const refusedSchema = z.object({ promotionId: z.string(), refusal: z.string() });

/** Which promotion was refused and why, if this is the error of `redeemOrFail`. */
export const refusedIn = (error: unknown) =>
  error instanceof pg.DatabaseError && error.constraint === "redemption_refused"
    ? refusedSchema.parse(JSON.parse(error.detail ?? "{}"))
    : null;

const findPromotionNameSql = statement(
  "promotions.findPromotionName",
  "select name from promotions where id = $1",
);

export const findPromotionName = async (db: Db, id: string) =>
  (await first(db, findPromotionNameSql, [id]))?.name;

const restoreRedemptionsSql = statement(
  "promotions.restoreRedemptions",
  `update redemptions u set returned_at = $2 from promotions p
   where u.transaction_id = $1 and u.returned_at is null and p.id = u.promotion_id and (p.returns_use or not $3)
   returning u.promotion_id as "promotionId", u.code_id as "codeId", u.currency, u.amount::float8 as amount`,
).narrow<{ amount: number }>();

/**
 * Makes the redemptions of a transaction available again: all of them if it was never paid. After a refund only
 * those of promotions that allow it.
 */
export const restoreRedemptions = async (
  db: Db,
  transactionId: string,
  { now, isRefund }: { now: Date; isRefund: boolean },
) => {
  const restored = await run(db, restoreRedemptionsSql, [transactionId, now, isRefund]);
  for (const { promotionId, codeId, currency, amount } of restored) {
    await run(db, "update promotions set uses = uses - 1 where id = $1", [promotionId]);
    await run(db, "update promotion_codes set uses = uses - 1 where id = $1", [codeId]);
    await run(
      db,
      "update promotion_amounts set given = given - $3 where promotion_id = $1 and currency = $2",
      [promotionId, currency, amount],
    );
  }
  return restored.length;
};

const findRestoredSql = statement(
  "promotions.findRestored",
  `select distinct on (promotion_id) promotion_id as "promotionId", code_id as "codeId", user_id as "userId",
     transaction_id as "transactionId", currency, amount::float8 as amount
   from redemptions u where transaction_id = $1 and returned_at is not null
     and not exists (select from redemptions o where o.transaction_id = $1 and o.promotion_id = u.promotion_id
       and o.returned_at is null)
   order by promotion_id`,
).narrow<{ amount: number }>();

/** Redemptions of a transaction that were restored and not repeated since. */
export const findRestored = (db: Db, transactionId: string) =>
  run(db, findRestoredSql, [transactionId]);
