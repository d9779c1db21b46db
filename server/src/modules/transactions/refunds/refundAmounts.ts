import type { Transaction } from "@purser/contract/transactions/fields";
import { proRata } from "#modules/billing/periods.ts";

/** The part of the total for the unused rest of the paid period, which is the suggested refund. */
export const unusedOf = (sale: Transaction, now: Date) => {
  const { periodStart, periodEnd, total, refunded } = sale;
  const left = total - refunded;
  if (!periodStart || !periodEnd) return left;
  const period = { start: periodStart, end: periodEnd };
  return Math.min(left, proRata({ amount: total, period, at: now }));
};

/**
 * The tax in a refund: the proportional tax of all refunds including this one, rounded half up, minus the tax of
 * earlier ones. This way the taxes of all refunds add up to the tax of the sale.
 */
export const taxIn = (
  { tax, total, refunded }: Pick<Transaction, "tax" | "total" | "refunded">,
  refundedTax: number,
  amount: number,
) => {
  const whole = BigInt(total);
  const soFar = (2n * BigInt(tax) * BigInt(refunded + amount) + whole) / (2n * whole);
  return Math.min(amount, Math.max(0, Number(soFar) - refundedTax));
};
