import { offerOf, type Price } from "./prices.ts";

type Period = Pick<Price, "interval" | "intervalCount">;

/** A price that other currencies have. */
export type MissingPrice = Omit<Price, "amount"> & {
  /** By the usual ratio of the other currencies, if there is one. */
  suggested: number | null;
};

/** A price whose ratio to another interval differs from that of the other currencies. */
export type UnusualPrice = Price & {
  /** The interval that it is compared with. */
  base: Period;
  ratio: number;
  usual: number;
  suggested: number;
};

const periodKey = ({ interval, intervalCount }: Period) => `${intervalCount} ${interval}`;

const months = { once: Number.POSITIVE_INFINITY, day: 1 / 30, week: 7 / 30, month: 1, year: 12 };

const distanceFromMonthly = ({ interval, intervalCount }: Period) =>
  Math.abs(Math.log(months[interval] * intervalCount));

/** A ratio as a fraction, so that comparing it is exact. */
type Fraction = { of: bigint; to: bigint };

const isLess = (one: Fraction, other: Fraction) => one.of * other.to < other.of * one.to;

const numberOf = ({ of, to }: Fraction) => Number(of) / Number(to);

const maxDeviationPercent = 15n;

const isUnusual = (ratio: Fraction, usual: Fraction) => {
  const difference = ratio.of * usual.to - usual.of * ratio.to;
  const distance = difference < 0n ? -difference : difference;
  return distance * 100n > maxDeviationPercent * usual.of * ratio.to;
};

/** The median. Of two in the middle, the one that is closer to the first currency's. */
const usualOf = (ratios: readonly Fraction[]): Fraction | null => {
  const sorted = ratios.toSorted((a, b) => (isLess(a, b) ? -1 : Number(isLess(b, a))));
  const lower = sorted[(sorted.length - 1) >> 1];
  const upper = sorted[sorted.length >> 1];
  const [first] = ratios;
  if (!lower || !upper || !first) return null;
  const [low, middle, high] = [lower, first, upper].map(numberOf);
  const isUpper = Math.abs((middle ?? 0) - (high ?? 0)) < Math.abs((middle ?? 0) - (low ?? 0));
  return isUpper ? upper : lower;
};

const tableOf = (prices: readonly Price[]) => {
  const amounts = new Map(prices.map((price) => [offerOf(price), price.amount]));
  const periods = [...new Map(prices.map((price) => [periodKey(price), price])).values()].map(
    ({ interval, intervalCount }): Period => ({ interval, intervalCount }),
  );
  const currencies = [...new Set(prices.map(({ currency }) => currency))];
  const amountOf = (currency: string, period: Period) =>
    amounts.get(offerOf({ currency, ...period }));
  const ratioOf = (currency: string, period: Period, base: Period): Fraction | null => {
    const [amount, other] = [amountOf(currency, period), amountOf(currency, base)];
    return amount && other ? { of: BigInt(amount), to: BigInt(other) } : null;
  };
  const ratiosOf = (period: Period, base: Period) =>
    currencies.flatMap((currency) => {
      const ratio = ratioOf(currency, period, base);
      return ratio ? [{ currency, ratio }] : [];
    });
  return { periods, currencies, amountOf, ratiosOf };
};

const roundedTimes = (amount: number, { of, to }: Fraction) =>
  Number((BigInt(amount) * of * 2n + to) / (2n * to));

/** Combinations of currency and interval without a price, if another currency has that interval. */
export const missingPrices = (prices: readonly Price[]): MissingPrice[] => {
  const { periods, currencies, amountOf, ratiosOf } = tableOf(prices);
  const suggestionFor = (currency: string, period: Period) => {
    for (const base of periods) {
      const amount = amountOf(currency, base);
      const usual = usualOf(ratiosOf(period, base).map(({ ratio }) => ratio));
      if (amount && usual) return roundedTimes(amount, usual);
    }
    return null;
  };
  return currencies.flatMap((currency) =>
    periods
      .filter((period) => amountOf(currency, period) === undefined)
      .map((period) => ({ currency, ...period, suggested: suggestionFor(currency, period) })),
  );
};

/**
 * Prices whose ratio to another interval is more than 15 % from the usual one of all currencies. The same prices are
 * unusual if currencies are compared: 184 to 130 a year and 14 to 13 a month.
 */
export const unusualPrices = (prices: readonly Price[]): UnusualPrice[] => {
  const { periods, currencies, amountOf, ratiosOf } = tableOf(prices);
  const usedBy = (period: Period) =>
    currencies.filter((currency) => amountOf(currency, period) !== undefined).length;
  const [base, ...others] = periods.toSorted(
    (a, b) => usedBy(b) - usedBy(a) || distanceFromMonthly(a) - distanceFromMonthly(b),
  );
  if (!base) return [];
  return others.flatMap((period) => {
    const ratios = ratiosOf(period, base);
    const usual = usualOf(ratios.map(({ ratio }) => ratio));
    if (!usual) return [];
    return ratios
      .filter(({ ratio }) => isUnusual(ratio, usual))
      .map(({ currency, ratio }) => ({
        currency,
        ...period,
        amount: Number(ratio.of),
        base,
        ratio: numberOf(ratio),
        usual: numberOf(usual),
        suggested: roundedTimes(Number(ratio.to), usual),
      }));
  });
};

type Sold = Price & { perUnit?: boolean };

/** What changes for new buyers: each price before and after, null where there is none. */
export const priceDifferences = (before: readonly Sold[], after: readonly Sold[]) => {
  const [old, next] = [before, after].map(
    (prices) => new Map(prices.map((price) => [offerOf(price), price])),
  );
  const all = new Map([...after, ...before].map((price) => [offerOf(price), price]));
  return [...all].map(([offer, { currency, interval, intervalCount }]) => {
    const [was, is] = [old?.get(offer), next?.get(offer)];
    return {
      currency,
      interval,
      intervalCount,
      before: was?.amount ?? null,
      after: is?.amount ?? null,
      /** Set if it changes from a price for all to one for each unit, or back. */
      perUnit:
        was && is && Boolean(was.perUnit) !== Boolean(is.perUnit)
          ? { before: Boolean(was.perUnit), after: Boolean(is.perUnit) }
          : null,
    };
  });
};

export type PriceDifference = ReturnType<typeof priceDifferences>[number];

export const isPriceChanged = ({ before, after, perUnit }: PriceDifference) =>
  before !== after || perUnit !== null;
