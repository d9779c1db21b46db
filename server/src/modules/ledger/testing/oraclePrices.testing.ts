import type { ChargeFact } from "./facts.testing.ts";
import type { TaxTerms } from "./history.testing.ts";
import { roundHalfUp } from "./oracleTime.testing.ts";

export const total = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);

export const least = (...amounts: readonly bigint[]) =>
  amounts.reduce((low, one) => (one < low ? one : low));

/** Gives the missing units one by one to the part that is furthest below its share. */
const handOut = (amount: bigint, weights: readonly bigint[]) => {
  const whole = total(weights);
  if (whole === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (amount * weight) / whole);
  const wants = weights.map((weight) => (amount * weight) % whole);
  while (total(parts) < amount) {
    const most = wants.reduce((high, one) => (one > high ? one : high));
    const place = wants.indexOf(most);
    parts[place] = (parts[place] ?? 0n) + 1n;
    wants[place] = -1n;
  }
  return parts;
};

const discountsOn = (prices: readonly bigint[], { discount, payment }: ChargeFact) => {
  if (!discount || payment > discount.payments) return prices.map(() => 0n);
  const { basisPoints, amount } = discount;
  const takenOff = (price: bigint) =>
    basisPoints === null
      ? least(BigInt(amount), price)
      : roundHalfUp(price * BigInt(basisPoints), 10_000n);
  return discount.level === "line"
    ? prices.map(takenOff)
    : handOut(takenOff(total(prices)), prices);
};

type Share = { part: number; whole: number };

/** Net and tax of each line, for a part of the period. */
export const pricesOf = (fact: ChargeFact, taxIncluded: boolean, { part, whole }: Share) => {
  // Equal remainders go to the thing that comes first in the alphabet.
  const items = fact.items.toSorted((one, other) => (one.thing < other.thing ? -1 : 1));
  const prices = items.map(({ unitAmount, quantity }) =>
    roundHalfUp(BigInt(unitAmount) * BigInt(quantity) * BigInt(part), BigInt(whole)),
  );
  const discounts = discountsOn(prices, fact);
  return new Map(
    items.map(({ id, tax: { taxBasisPoints } }, place) => {
      const price = (prices[place] ?? 0n) - (discounts[place] ?? 0n);
      const rate = BigInt(taxBasisPoints ?? 0);
      const tax = roundHalfUp(price * rate, taxIncluded ? 10_000n + rate : 10_000n);
      return [id, { net: taxIncluded ? price - tax : price, tax }];
    }),
  );
};

export const taxAccount = ({ taxTreatment, taxCountry, taxRegion, taxBasisPoints }: TaxTerms) => {
  if (taxTreatment !== "rate") return `tax:${taxTreatment.split(" ").join("-")}`;
  const place = [taxCountry, taxRegion?.split(" ").join("")].filter(Boolean).join("-");
  return `tax:${place}:${taxBasisPoints}`;
};
