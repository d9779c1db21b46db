import { amountMax } from "@purser/contract/fields/amounts";
import {
  appliesTo,
  type Discount,
  isDiscount,
  type Line,
  type Promotion,
  type Reason,
} from "./conditions.ts";

export const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Splits an amount by weights so that the parts sum to it exactly. The units lost by rounding down go to the
 * largest remainders, or to the first of equal ones.
 */
export const allocate = (amount: number, weights: readonly number[]): number[] => {
  if (amount === 0) return weights.map(() => 0);
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (whole === 0n) throw new Error("An amount cannot be split by weights that are all 0.");
  const shares = weights.map((weight) => {
    const exact = BigInt(amount) * BigInt(weight);
    return { part: Number(exact / whole), remainder: exact % whole };
  });
  const missing = amount - sumOf(shares.map(({ part }) => part));
  const favored = shares
    .toSorted((one, other) => Number(other.remainder - one.remainder))
    .slice(0, missing);
  return shares.map((share) => share.part + (favored.includes(share) ? 1 : 0));
};

/** Rounds half a minor unit up. */
export const percentOf = (amount: number, basisPoints: number) =>
  Number((BigInt(amount) * BigInt(basisPoints) + 5_000n) / 10_000n);

// In the order of calculation.
const steps = [
  "line fixed",
  "line percent",
  "order fixed",
  "order percent",
  "trial",
  "feature",
] as const;
export type Step = (typeof steps)[number];

export const stepOf = (promotion: Promotion): Step =>
  isDiscount(promotion) ? `${promotion.level} ${promotion.kind}` : promotion.kind;

export const byPriority = (one: Promotion, other: Promotion) =>
  other.priority - one.priority || (one.id < other.id ? -1 : 1);

/** The order in which promotions are calculated and listed. */
export const byStep = (one: Promotion, other: Promotion) =>
  steps.indexOf(stepOf(one)) - steps.indexOf(stepOf(other)) || byPriority(one, other);

/** What a promotion takes off each line, given what is left of the lines. */
const partsOf = (promotion: Discount, currency: string, left: readonly number[]) => {
  const takenOff = (amount: number) =>
    promotion.kind === "percent"
      ? percentOf(amount, promotion.basisPoints)
      : Math.min(promotion.amounts[currency] ?? 0, amount);
  const parts =
    promotion.level === "line" ? left.map(takenOff) : allocate(takenOff(sumOf(left)), left);
  const most = promotion.cap[currency] ?? amountMax;
  return sumOf(parts) > most ? allocate(most, parts) : parts;
};

/** What a promotion takes off, or why it doesn't apply. */
export type Outcome = { amount: number; reason: Reason | null };

const outcomeOf = ({ budgets, given }: Discount, currency: string, amount: number): Outcome => {
  if (amount === 0) return { amount, reason: "nothing left" };
  const budget = budgets[currency] ?? Number.POSITIVE_INFINITY;
  const isCovered = amount <= budget - (given[currency] ?? 0);
  return isCovered ? { amount, reason: null } : { amount: 0, reason: "budget" };
};

/** Lines that are paid together, in one currency. */
export type Basket = { lines: readonly Line[]; currency: string };

// Remainders depend on the order of lines, so lines are sorted to make the result independent of their order.
const keyOf = ({ packageId, interval, intervalCount, amount, trialDays }: Line) =>
  JSON.stringify([packageId, interval, intervalCount, amount, trialDays]);

/** Applies the promotions in order, each to what the previous ones left of each line. */
export const calculate = ({ lines, currency }: Basket, promotions: readonly Promotion[]) => {
  const outcomes = new Map<string, Outcome>();
  let rows = lines
    .map((line, place) => ({ line, place, left: line.amount }))
    .toSorted((one, other) => (keyOf(one.line) < keyOf(other.line) ? -1 : 1));
  for (const promotion of promotions.filter(isDiscount).toSorted(byStep)) {
    const targeted = rows.map(({ line, left }) => (appliesTo(promotion, line) ? left : 0));
    const parts = partsOf(promotion, currency, targeted);
    const outcome = outcomeOf(promotion, currency, sumOf(parts));
    outcomes.set(promotion.id, outcome);
    if (outcome.reason === null)
      rows = rows.map((row, place) => ({ ...row, left: row.left - (parts[place] ?? 0) }));
  }
  return {
    outcomes,
    saved: sumOf([...outcomes.values()].map(({ amount }) => amount)),
    /** What is left to pay of each line. */
    nets: rows.toSorted((one, other) => one.place - other.place).map(({ left }) => left),
  };
};
