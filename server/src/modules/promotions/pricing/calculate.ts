import { amountMax } from "@purser/contract/fields/money";
import {
  type Discount,
  isDiscount,
  isFor,
  type Line,
  type Promotion,
  type Reason,
} from "./conditions.ts";

export const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Splits an amount by weights so that the parts sum to it exactly: what rounding down leaves goes to the
 * largest remainders, and of equal ones to the first.
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
  const favoured = shares
    .toSorted((one, other) => Number(other.remainder - one.remainder))
    .slice(0, missing);
  return shares.map((share) => share.part + (favoured.includes(share) ? 1 : 0));
};

/** Half a minor unit counts as one. */
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

/** The order in which promotions are calculated, and told of. */
export const byTurn = (one: Promotion, other: Promotion) =>
  steps.indexOf(stepOf(one)) - steps.indexOf(stepOf(other)) || byPriority(one, other);

/** What a promotion takes off each line, of which so much is left. */
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

/** What became of a promotion: what it takes off, or why it does not apply. */
export type Outcome = { amount: number; reason: Reason | null };

const outcomeOf = ({ budgets, given }: Discount, currency: string, amount: number): Outcome => {
  if (amount === 0) return { amount, reason: "nothing left" };
  const budget = budgets[currency] ?? Number.POSITIVE_INFINITY;
  const isCovered = amount <= budget - (given[currency] ?? 0);
  return isCovered ? { amount, reason: null } : { amount: 0, reason: "budget" };
};

/** What is paid together, in one currency. */
export type Basket = { lines: readonly Line[]; currency: string };

// Remainders go by place, so lines are counted in an order of their own, whatever order they came in.
const keyOf = ({ packageId, interval, intervalCount, amount, trialDays }: Line) =>
  JSON.stringify([packageId, interval, intervalCount, amount, trialDays]);

/** Each promotion in its turn, on what those before it left of each line. */
export const calculate = ({ lines, currency }: Basket, promotions: readonly Promotion[]) => {
  const outcomes = new Map<string, Outcome>();
  let rows = lines
    .map((line, place) => ({ line, place, left: line.amount }))
    .toSorted((one, other) => (keyOf(one.line) < keyOf(other.line) ? -1 : 1));
  for (const promotion of promotions.filter(isDiscount).toSorted(byTurn)) {
    const targeted = rows.map(({ line, left }) => (isFor(promotion, line) ? left : 0));
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
