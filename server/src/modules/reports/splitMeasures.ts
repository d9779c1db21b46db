import type { Measures } from "@purser/contract/reports/endpoints";
import { allocate } from "../promotions/pricing/calculate.ts";

/** Splits by weights, also negative amounts, so that the parts sum to the amount exactly. */
const split = (amount: number, weights: readonly number[]) => {
  const parts = allocate(Math.abs(amount), weights);
  return amount < 0 ? parts.map((part) => -part) : parts;
};

const divided = ["charged", "tax", "refunds", "disputes", "discount"] as const;

/** The part of each app. In each part, charged minus tax, refunds and disputes is net revenue, too. */
export const splitMeasures = (measures: Measures, weights: readonly number[]): Measures[] => {
  const parts = divided.map((name) => split(measures[name], weights));
  return weights.map((_, place) => {
    const [charged = 0, tax = 0, refunds = 0, disputes = 0, discount = 0] = parts.map(
      (part) => part[place] ?? 0,
    );
    const net = charged - tax - refunds - disputes;
    const counts = { payments: null, refundCount: null, disputeCount: null };
    return { ...counts, charged, tax, refunds, disputes, net, discount };
  });
};
