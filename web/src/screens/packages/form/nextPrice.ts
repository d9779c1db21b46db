import { missingPrices } from "@purser/contract/packages/priceReview";
import type { VersionPrice } from "@purser/contract/packages/prices";
import type { EditedAmount } from "#lib/money/amounts.ts";

/** A price in the form; invalid amounts are kept as typed. */
export type PriceValue = Pick<VersionPrice, "currency" | "interval" | "perUnit"> & {
  amount: EditedAmount;
  intervalCount: EditedAmount;
};

/** Rows with equal currency and interval are the same offer. */
export const offerOf = ({ currency, interval, intervalCount }: Omit<PriceValue, "perUnit">) =>
  `${currency} ${interval} ${intervalCount}`;

const periods = [
  { interval: "month", intervalCount: 1 },
  { interval: "year", intervalCount: 1 },
  { interval: "week", intervalCount: 1 },
  { interval: "once", intervalCount: 1 },
] as const;

/**
 * A new row: the first combination of currency and interval that another currency has, else the interval of the last
 * row in a currency of the company without it, else another interval of the last row's currency.
 */
export const nextPrice = (
  prices: readonly PriceValue[],
  currencies: readonly string[],
): PriceValue => {
  const last = prices.at(-1);
  const [firstCurrency = "EUR"] = currencies;
  if (!last) return { currency: firstCurrency, amount: "", perUnit: false, ...periods[0] };
  const known = prices.flatMap(({ intervalCount, ...rest }) =>
    typeof intervalCount === "number" ? [{ ...rest, intervalCount, amount: 0 }] : [],
  );
  const [missing] = missingPrices(known);
  const { perUnit } = last;
  if (missing) {
    const { currency, interval, intervalCount } = missing;
    return { currency, amount: "", interval, intervalCount, perUnit };
  }
  const isFree = (one: Parameters<typeof offerOf>[0]) =>
    !prices.some((price) => offerOf(price) === offerOf(one));
  const currency = currencies.find((code) => isFree({ ...last, currency: code }));
  if (currency) return { ...last, currency, amount: "" };
  const period = periods.find((one) => isFree({ ...last, ...one })) ?? periods[0];
  return { ...last, amount: "", ...period };
};

/** The first interval of the other rows that a currency doesn't have yet, for a row whose currency is chosen. */
export const periodIn = (currency: string, others: readonly PriceValue[]) => {
  const taken = new Set(others.map(offerOf));
  const missing = others.find((one) => !taken.has(offerOf({ ...one, currency })));
  return missing && { interval: missing.interval, intervalCount: missing.intervalCount };
};
