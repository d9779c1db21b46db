import { formatMoney } from "@purser/contract/fields/money";
import type { Price } from "@purser/contract/packages/prices";
import { capitalize, number } from "../labels.ts";

export type Period = Pick<Price, "interval" | "intervalCount">;

const days = { once: 0, day: 1, week: 7, month: 365.25 / 12, year: 365.25 } as const;

const daysOf = ({ interval, intervalCount }: Period) => days[interval] * intervalCount;

/** "a month", "every 3 months", "once". */
export const intervalLabel = ({ interval, intervalCount }: Period) => {
  if (interval === "once") return "once";
  return intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`;
};

const single = { day: "Daily", week: "Weekly", month: "Monthly", year: "Yearly" } as const;

/** As a column heading: "Monthly", "Every 3 months". */
export const periodLabel = (offer: Period) =>
  offer.interval !== "once" && offer.intervalCount === 1
    ? single[offer.interval]
    : capitalize(intervalLabel(offer));

/** "12.00 EUR a month". */
export const priceLabel = (price: Price) =>
  `${formatMoney(price.amount, price.currency)} ${intervalLabel(price)}`;

/** Distance from a monthly period. One-time prices are the farthest. */
const fromMonthly = (offer: Period) => {
  const length = daysOf(offer);
  return length === 0 ? Number.POSITIVE_INFINITY : Math.abs(Math.log(length / days.month));
};

/** The price shown for a package: in its first currency, the one closest to monthly. */
export const leadPrice = (prices: readonly Price[]): Price | null => {
  const [first] = prices;
  const [lead] = prices
    .filter(({ currency }) => currency === first?.currency)
    .toSorted((a, b) => fromMonthly(a) - fromMonthly(b) || a.amount - b.amount);
  return lead ?? null;
};

const samePeriod = (one: Period, other: Period) =>
  one.interval === other.interval && one.intervalCount === other.intervalCount;

type PriceTable = {
  /** Shortest first. */
  periods: Period[];
  rows: {
    currency: string;
    /** One per period, null where this currency has no price. */
    amounts: (number | null)[];
    /** What a year saves compared with twelve months, in percent. */
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

/** Prices as a table with a row per currency and a column per period. */
export const priceTable = (prices: readonly Price[]): PriceTable => {
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

/** The alternatives to the lead price: "or 120.00 EUR a year, 2 months free". */
export const otherPrices = (prices: readonly Price[], lead: Price): string[] =>
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
      return `or ${priceLabel(one)}${told}`;
    });
