import { allocate, sumOf } from "../promotions/pricing/calculate.ts";

export type TaxCategory = "standard" | "reduced" | "exempt";

export type TaxRate = {
  country: string;
  region: string | null;
  name: string;
  category: Exclude<TaxCategory, "exempt">;
  basisPoints: number;
  /** Days, as `2026-01-31`. */
  validFrom: string;
  validUntil: string | null;
};

/** Why a line has this tax, as it is stored with the line. */
export type TaxFacts = {
  taxTreatment: "none" | "rate" | "reverse charge" | "exempt" | "manual" | "provider" | "unknown";
  taxBasisPoints: number | null;
  taxName: string | null;
  taxCountry: string | null;
  taxRegion: string | null;
  taxCategory: TaxCategory;
  vatNumber: string | null;
  taxReason: string | null;
};

type Place = { country: string | null; region: string | null; vatNumber: string | null };

export type TaxInput = {
  seller: Pick<Place, "country">;
  buyer: Place;
  category: TaxCategory;
  rates: readonly TaxRate[];
  /** The day of the sale in the company's time zone. */
  on: string;
};

const euCountries = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

// Greek VAT numbers start with EL.
const prefixOf = (country: string) => (country === "GR" ? "EL" : country);

/** A business in another member state of the EU pays the tax itself. */
const isReverseCharge = ({ seller, buyer: { country, vatNumber } }: TaxInput) =>
  country !== null &&
  seller.country !== null &&
  vatNumber !== null &&
  country !== seller.country &&
  euCountries.has(country) &&
  euCountries.has(seller.country) &&
  vatNumber.startsWith(prefixOf(country));

const rateFor = (
  { rates, category, on }: TaxInput,
  { country, region }: Omit<Place, "vatNumber">,
) =>
  rates
    .filter(
      (rate) =>
        rate.country === country &&
        rate.category === category &&
        (rate.region === null || rate.region === region) &&
        rate.validFrom <= on &&
        (rate.validUntil === null || on < rate.validUntil),
    )
    .toSorted((one, other) => Number(one.region === null) - Number(other.region === null))[0];

/** The tax of a sale. A customer without a country is taxed like one in the seller's country. */
export const decideTax = (input: TaxInput): TaxFacts => {
  const { seller, buyer, category } = input;
  const facts: TaxFacts = {
    taxTreatment: "none",
    taxBasisPoints: null,
    taxName: null,
    taxCountry: buyer.country ?? seller.country,
    taxRegion: buyer.country === null ? null : buyer.region,
    taxCategory: category,
    vatNumber: buyer.vatNumber,
    taxReason: null,
  };
  if (category === "exempt") return { ...facts, taxTreatment: "exempt", taxBasisPoints: 0 };
  if (isReverseCharge(input))
    return { ...facts, taxTreatment: "reverse charge", taxBasisPoints: 0 };
  const rate = rateFor(input, { country: facts.taxCountry, region: facts.taxRegion });
  return rate
    ? {
        ...facts,
        taxTreatment: "rate",
        taxBasisPoints: rate.basisPoints,
        taxName: rate.name,
        taxRegion: rate.region,
      }
    : facts;
};

/** Rounds half a minor unit up. */
const roundedShare = (amount: number, part: number, whole: number) =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

type Amounts = { net: number; tax: number; gross: number };

const withTax = (price: number, tax: number, isIncluded: boolean): Amounts =>
  isIncluded ? { net: price - tax, tax, gross: price } : { net: price, tax, gross: price + tax };

/** The tax of a price after its discounts, which includes the tax or not. */
export const taxOf = (price: number, basisPoints: number | null, isIncluded: boolean): Amounts => {
  const rate = basisPoints ?? 0;
  const tax = roundedShare(price, rate, isIncluded ? 10_000 + rate : 10_000);
  return withTax(price, tax, isIncluded);
};

/** Splits a tax that was entered or reported as one amount over the prices of the lines. */
export const splitTax = (prices: readonly number[], tax: number, isIncluded: boolean) => {
  const parts = tax === 0 ? prices.map(() => 0) : allocate(tax, prices);
  return prices.map((price, place) => withTax(price, parts[place] ?? 0, isIncluded));
};

/** A tax that was entered by hand can't exceed the price that it is for. */
export const isTaxPossible = (prices: readonly number[], tax: number) => tax <= sumOf(prices);
