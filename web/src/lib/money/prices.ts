import { formatMoney } from "@purser/contract/fields/money";
import type { Price } from "@purser/contract/packages/prices";
import { capitalised, number } from "../labels.ts";

export type Period = Pick<Price, "interval" | "intervalCount">;

const days = { once: 0, day: 1, week: 7, month: 365.25 / 12, year: 365.25 } as const;

const daysOf = ({ interval, intervalCount }: Period) => days[interval] * intervalCount;

/** "a month", "every 3 months", "once". */
export const oftenOf = ({ interval, intervalCount }: Period) => {
  if (interval === "once") return "once";
  return intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`;
};

const single = { day: "Daily", week: "Weekly", month: "Monthly", year: "Yearly" } as const;

/** The same as the head of a column: "Monthly", "Every 3 months". */
export const periodOf = (offer: Period) =>
  offer.interval !== "once" && offer.intervalCount === 1
    ? single[offer.interval]
    : capitalised(oftenOf(offer));

/** "12.00 EUR a month". */
export const priceLabels = (price: Price) =>
  `${formatMoney(price.amount, price.currency)} ${oftenOf(price)}`;

/** How far an offer is from a monthly one; what is paid once is the farthest. */
const fromMonthly = (offer: Period) => {
  const length = daysOf(offer);
  return length === 0 ? Number.POSITIVE_INFINITY : Math.abs(Math.log(length / days.month));
};

/** The price that stands for all of them: of the first currency, the one nearest to a monthly one. */
export const leadOf = (prices: readonly Price[]): Price | null => {
  const [first] = prices;
  const [lead] = prices
    .filter(({ currency }) => currency === first?.currency)
    .toSorted((a, b) => fromMonthly(a) - fromMonthly(b) || a.amount - b.amount);
  return lead ?? null;
};

const samePeriod = (one: Period, other: Period) =>
  one.interval === other.interval && one.intervalCount === other.intervalCount;

type Pivot = {
  /** What can be bought for how long, the shortest first. */
  periods: Period[];
  rows: {
    currency: string;
    /** One for each period; null where this currency has none. */
    amounts: (number | null)[];
    /** How much the year costs less than twelve months, of a hundred. */
    saves: number | null;
  }[];
};

const amountOf = (prices: readonly Price[], currency: string, period: Period) =>
  prices.find((one) => one.currency === currency && samePeriod(one, period))?.amount ?? null;

const monthly: Period = { interval: "month", intervalCount: 1 };
const yearly: Period = { interval: "year", intervalCount: 1 };

const savingOf = (prices: readonly Price[], currency: string) => {
  const month = amountOf(prices, currency, monthly);
  const year = amountOf(prices, currency, yearly);
  if (month === null || year === null || month === 0) return null;
  return Math.round((1 - year / (12 * month)) * 100);
};

/** Prices as a table: a row for each currency, a column for each period. */
export const pivotOf = (prices: readonly Price[]): Pivot => {
  const periods: Period[] = [];
  for (const price of prices)
    if (!periods.some((one) => samePeriod(one, price)))
      periods.push({ interval: price.interval, intervalCount: price.intervalCount });
  periods.sort((a, b) => daysOf(a) - daysOf(b));
  const currencies = [...new Set(prices.map(({ currency }) => currency))];
  return {
    periods,
    rows: currencies.map((currency) => ({
      currency,
      amounts: periods.map((period) => amountOf(prices, currency, period)),
      saves: savingOf(prices, currency),
    })),
  };
};

/** What a buyer may take instead of the price that leads: "or 120.00 EUR a year, 2 months free". */
export const revertAdvice = (prices: readonly Price[], lead: Price): string[] =>
  prices
    .filter((one) => one.currency === lead.currency && !samePeriod(one, lead))
    .toSorted((a, b) => daysOf(a) - daysOf(b))
    .map((one) => {
      const isYearOfMonths = samePeriod(lead, monthly) && samePeriod(one, yearly);
      const free = lead.amount > 0 ? 12 - one.amount / lead.amount : 0;
      const told =
        isYearOfMonths && free > 0 && Number.isInteger(free)
          ? `, ${number(free)} ${free === 1 ? "month" : "months"} free`
          : "";
      return `or ${priceLabels(one)}${told}`;
    });
