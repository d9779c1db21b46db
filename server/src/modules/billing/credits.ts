// No routes.ts: transactions and subscriptions call this module.
// No rules.ts: the rules of this module are the credits below.
import type { Period } from "#platform/periods.ts";

/** A line of a sale, and what was taken back of it so far. */
export type CreditableLine = {
  net: number;
  tax: number;
  /** The paid time, or null for access without an end. */
  period: Period | null;
  credits: readonly { unused: Period | null; net: number; tax: number }[];
};

/** Taken back of a line: for unused time, or an amount without a time. */
export type Credit = { unused: Period | null; net: number; tax: number; gross: number };

/** Null while the pause lasts. */
export type Pause = { pausedAt: Date; resumedAt: Date | null };

/** Minor units, rounded half up. */
const share = (amount: number, part: bigint, whole: bigint) =>
  Number((2n * BigInt(amount) * part + whole) / (2n * whole));

const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);

const grossOf = ({ net, tax }: { net: number; tax: number }) => net + tax;

/** What can still be taken back. */
export const restOf = (line: CreditableLine) => grossOf(line) - sum(line.credits.map(grossOf));

export const restOfAll = (lines: readonly CreditableLine[]) => sum(lines.map(restOf));

/** The value of lines or credits, with their tax. */
export const totalOf = (amounts: readonly { gross: number }[]) =>
  sum(amounts.map(({ gross }) => gross));

/**
 * A moment on the clock of the paid time, which stands still during pauses. It lies within the period of a line
 * even if pauses have moved the end of access.
 * Takes the pauses since the period of the line was decided, including those in free days before it. Earlier ones
 * are in the period already.
 */
export const paidClockAt = (at: Date, pauses: readonly Pause[]) => {
  const paused = pauses.map(({ pausedAt, resumedAt }) =>
    Math.max(0, Math.min(+at, +(resumedAt ?? at)) - +pausedAt),
  );
  return new Date(+at - sum(paused));
};

/**
 * Splits a credit into net and tax. The tax of all credits together is the line's tax in proportion, rounded half
 * up, so that the last one takes back exactly what is left.
 */
const withTax = (line: CreditableLine, gross: number, unused: Period | null): Credit => {
  const before = {
    net: sum(line.credits.map(({ net }) => net)),
    tax: sum(line.credits.map(({ tax }) => tax)),
  };
  const credited = grossOf(before) + gross;
  const whole = BigInt(grossOf(line));
  const taxSoFar = whole === 0n ? 0 : share(line.tax, BigInt(credited), whole);
  const leastTax = Math.max(0, gross - (line.net - before.net));
  const mostTax = Math.min(gross, line.tax - before.tax);
  const tax = Math.min(mostTax, Math.max(leastTax, taxSoFar - before.tax));
  return { unused, gross, tax, net: gross - tax };
};

/** Takes back an amount that is not for unused time. */
export const creditAmount = (line: CreditableLine, amount: number): Credit => {
  if (amount > restOf(line)) throw new Error("A credit can't exceed what is left of its line.");
  return withTax(line, amount, null);
};

/** The first time from a moment on that isn't credited yet. */
const firstUnused = (credits: CreditableLine["credits"], period: Period, at: Date): Period => {
  const taken = credits
    .flatMap(({ unused }) => unused ?? [])
    .toSorted((one, other) => +one.start - +other.start);
  let start = at < period.start ? period.start : at;
  for (const one of taken) {
    if (one.start > start) return { start, end: one.start };
    if (one.end > start) start = one.end;
  }
  return { start, end: period.end };
};

/**
 * Takes back the first unused time from a moment of the paid clock on, or returns null if there is none. It ends
 * where time is credited already. To take back what lies behind it too, repeat it until it returns null. The value
 * up to a moment is rounded, not the length, so that all parts of a period add up to the whole. Amounts that were
 * taken back before lower the value of the time.
 */
export const creditUnused = (line: CreditableLine, at: Date): Credit | null => {
  const { period, credits } = line;
  if (!period) return null;
  const unused = firstUnused(credits, period, at);
  if (unused.end <= unused.start) return null;
  const amounts = credits.filter((credit) => credit.unused === null).map(grossOf);
  const value = grossOf(line) - sum(amounts);
  const length = BigInt(+period.end - +period.start);
  const valueUpTo = (moment: Date) => share(value, BigInt(+moment - +period.start), length);
  const gross = Math.min(restOf(line), valueUpTo(unused.end) - valueUpTo(unused.start));
  return withTax(line, gross, unused);
};

/** How a charge is paid: with what is credited for it, then with the balance, and the rest in cash. */
export const payWith = (
  total: number,
  { credited, balance }: { credited: number; balance: number },
) => {
  const fromCredits = Math.min(credited, total);
  const fromBalance = Math.min(balance, total - fromCredits);
  return {
    fromCredits,
    fromBalance,
    due: total - fromCredits - fromBalance,
    /** The credit that is left for later charges. */
    toBalance: credited - fromCredits,
  };
};
