import { plural, t } from "@lingui/core/macro";
import type { Price } from "@purser/contract/packages/prices";
import { money, number } from "../intl.ts";

export type Period = Pick<Price, "interval" | "intervalCount">;

type Priced = Price & { perUnit?: boolean };

/** Whether the price is for one unit, so that a quantity can be bought. */
export const isPerUnit = ({ perUnit = false }: { perUnit?: boolean }) => perUnit;

/** A package that is bought several times: "Seats × 5". */
export const quantityLabel = (name: string, quantity: number) => {
  const count = number(quantity);
  return quantity > 1 ? t`${name} × ${count}` : name;
};

const days = { once: 0, day: 1, week: 7, month: 365.25 / 12, year: 365.25 } as const;

const daysOf = ({ interval, intervalCount }: Period) => days[interval] * intervalCount;

const intervalLabels: Record<Period["interval"], (count: number) => string> = {
  once: () => t`once`,
  day: (count) => plural(count, { 1: "a day", other: "every # days" }),
  week: (count) => plural(count, { 1: "a week", other: "every # weeks" }),
  month: (count) => plural(count, { 1: "a month", other: "every # months" }),
  year: (count) => plural(count, { 1: "a year", other: "every # years" }),
};

/** "a month", "every 3 months", "once". */
export const intervalLabel = ({ interval, intervalCount }: Period) =>
  intervalLabels[interval](intervalCount);

const periodLabels: Record<Period["interval"], (count: number) => string> = {
  once: () => t`Once`,
  day: (count) => plural(count, { 1: "Daily", other: "Every # days" }),
  week: (count) => plural(count, { 1: "Weekly", other: "Every # weeks" }),
  month: (count) => plural(count, { 1: "Monthly", other: "Every # months" }),
  year: (count) => plural(count, { 1: "Yearly", other: "Every # years" }),
};

/** As a heading: "Monthly", "Every 3 months". */
export const periodLabel = ({ interval, intervalCount }: Period) =>
  periodLabels[interval](intervalCount);

const frequencyLabels: Record<Period["interval"], (count: number) => string> = {
  once: () => t`once`,
  day: (count) => plural(count, { 1: "daily", other: "every # days" }),
  week: (count) => plural(count, { 1: "weekly", other: "every # weeks" }),
  month: (count) => plural(count, { 1: "monthly", other: "every # months" }),
  year: (count) => plural(count, { 1: "yearly", other: "every # years" }),
};

/** After a package's name: "monthly", "every 3 months", "once". */
export const frequencyLabel = ({ interval, intervalCount }: Period) =>
  frequencyLabels[interval](intervalCount);

const priceLabels: Record<Period["interval"], (amount: string, count: number) => string> = {
  once: (amount) => t`${amount} once`,
  day: (amount, count) => plural(count, { 1: `${amount} a day`, other: `${amount} every # days` }),
  week: (amount, count) =>
    plural(count, { 1: `${amount} a week`, other: `${amount} every # weeks` }),
  month: (amount, count) =>
    plural(count, { 1: `${amount} a month`, other: `${amount} every # months` }),
  year: (amount, count) =>
    plural(count, { 1: `${amount} a year`, other: `${amount} every # years` }),
};

/** "12.00 EUR a month", or "12.00 EUR a month per unit". */
export const priceLabel = ({ amount, currency, interval, intervalCount, perUnit }: Priced) => {
  const price = priceLabels[interval](money(amount, currency), intervalCount);
  return perUnit ? t`${price} per unit` : price;
};

/** Distance from a monthly period. One-time prices are the farthest. */
const fromMonthly = (offer: Period) => {
  const length = daysOf(offer);
  return length === 0 ? Number.POSITIVE_INFINITY : Math.abs(Math.log(length / days.month));
};

/** The price shown for a package: in its first currency, the one closest to monthly. */
export const leadPrice = (prices: readonly Priced[]): Priced | null => {
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
export const otherPrices = (prices: readonly Priced[], lead: Priced): string[] =>
  prices
    .filter((one) => one.currency === lead.currency && !samePeriod(one, lead))
    .toSorted((a, b) => daysOf(a) - daysOf(b))
    .map((one) => {
      const isYearOfMonths = samePeriod(lead, monthly) && samePeriod(one, yearly);
      const free = lead.amount > 0 ? 12 - one.amount / lead.amount : 0;
      const price = priceLabel(one);
      return isYearOfMonths && free > 0 && Number.isInteger(free)
        ? plural(free, { one: `or ${price}, # month free`, other: `or ${price}, # months free` })
        : t`or ${price}`;
    });
