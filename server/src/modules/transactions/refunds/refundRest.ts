import { creditAmount } from "#modules/billing/credits.ts";
import type { Db } from "#platform/db/db.ts";
import type { Charge, PlannedCredit } from "../lines/charge.ts";
import { lockLines } from "../lines/lineQueries.ts";
import { readLocked } from "../queries.ts";
import { recordRefund } from "./recordRefund.ts";
import { findCash } from "./refundQueries.ts";

type Part = { transactionId: string; lineId: string; amount: number };

/** The rest of a credit, with its tax in proportion. */
const reduced = (credit: PlannedCredit, amount: number): PlannedCredit => {
  const gross = credit.gross - amount;
  const tax = credit.gross === 0 ? 0 : Math.floor((credit.tax * gross) / credit.gross);
  return { ...credit, gross, tax, net: gross - tax };
};

/**
 * Splits off what a cheaper package doesn't need, so that it goes back to the payment methods of the credited
 * payments. What was not paid in cash goes to the balance.
 */
export const splitRest = async (
  db: Db,
  charge: Charge,
  to: "balance" | "payment method",
): Promise<{ charge: Charge; refunds: Part[] }> => {
  if (to === "balance" || charge.payment.toBalance === 0) return { charge, refunds: [] };
  const refunds: Part[] = [];
  const credits: PlannedCredit[] = [];
  let left = charge.payment.toBalance;
  for (const credit of charge.credits) {
    const cash = await findCash(db, credit.transactionId);
    const amount = Math.min(left, credit.gross, cash);
    left -= amount;
    credits.push(reduced(credit, amount));
    const { transactionId, lineId } = credit;
    if (amount > 0) refunds.push({ transactionId, lineId, amount });
  }
  return { charge: { credits, payment: { ...charge.payment, toBalance: left } }, refunds };
};

/** Returns a part of an earlier payment. Access was changed already. */
export const refundRest = async (
  db: Db,
  { transactionId, lineId, amount }: Part,
  { reason, by, now }: { reason: string; by: string; now: Date },
) => {
  const sale = await readLocked(db, transactionId);
  const lines = await lockLines(db, transactionId);
  const credits = lines
    .filter(({ id }) => id === lineId)
    .map((line) => ({ lineId, ...creditAmount(line, amount) }));
  await recordRefund(
    db,
    sale,
    {
      kind: "refund",
      userId: sale.user.id,
      lines,
      credits,
      amount,
      toBalance: 0,
      access: "keep",
      reason,
      note: "",
      provider: sale.provider,
      reference: null,
      by,
    },
    now,
  );
};
