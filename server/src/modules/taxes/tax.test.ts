import { expect, test } from "vitest";
import { decideTax, splitTax, type TaxInput, type TaxRate, taxOf } from "./tax.ts";

const rate = (changes: Partial<TaxRate> = {}): TaxRate => ({
  country: "DE",
  region: null,
  name: "USt",
  category: "standard",
  basisPoints: 1900,
  validFrom: "2021-01-01",
  validUntil: null,
  ...changes,
});
const rates = [
  rate(),
  rate({ category: "reduced", basisPoints: 700 }),
  rate({ country: "FR", name: "TVA", basisPoints: 2000 }),
  rate({ country: "US", region: "CA", name: "Sales tax", basisPoints: 725 }),
  rate({ country: "EE", name: "KM", basisPoints: 2200, validUntil: "2025-07-01" }),
  rate({ country: "EE", name: "KM", basisPoints: 2400, validFrom: "2025-07-01" }),
];
const sale = (buyer: Partial<TaxInput["buyer"]>, changes: Partial<TaxInput> = {}): TaxInput => ({
  seller: { country: "DE" },
  buyer: { country: null, region: null, vatNumber: null, ...buyer },
  category: "standard",
  rates,
  on: "2026-11-17",
  ...changes,
});

test.each([
  ["a customer without a country", sale({}), "rate", 1900],
  ["a customer in another member state", sale({ country: "FR" }), "rate", 2000],
  ["a business there", sale({ country: "FR", vatNumber: "FR12345678901" }), "reverse charge", 0],
  [
    "a business in the seller's country",
    sale({ country: "DE", vatNumber: "DE123456789" }),
    "rate",
    1900,
  ],
  [
    "a VAT number of another country",
    sale({ country: "FR", vatNumber: "DE123456789" }),
    "rate",
    2000,
  ],
  ["a Greek business", sale({ country: "GR", vatNumber: "EL123456789" }), "reverse charge", 0],
  ["a region with its own rate", sale({ country: "US", region: "CA" }), "rate", 725],
  ["a region without a rate", sale({ country: "US", region: "OR" }), "none", null],
  ["a country without a rate", sale({ country: "JP" }), "none", null],
  ["a reduced package", sale({}, { category: "reduced" }), "rate", 700],
  ["an exempt package", sale({}, { category: "exempt" }), "exempt", 0],
  ["the last day of a rate", sale({ country: "EE" }, { on: "2025-06-30" }), "rate", 2200],
  ["the first day of the next rate", sale({ country: "EE" }, { on: "2025-07-01" }), "rate", 2400],
])("taxes %s", (_, input, taxTreatment, taxBasisPoints) => {
  expect(decideTax(input)).toMatchObject({ taxTreatment, taxBasisPoints });
});

test.each([
  [1000, 1900, false, { net: 1000, tax: 190, gross: 1190 }],
  [50, 700, false, { net: 50, tax: 4, gross: 54 }],
  [0, 1900, false, { net: 0, tax: 0, gross: 0 }],
  [29_000, 2300, true, { net: 23_577, tax: 5423, gross: 29_000 }],
  [6000, 2300, true, { net: 4878, tax: 1122, gross: 6000 }],
  [1000, null, true, { net: 1000, tax: 0, gross: 1000 }],
])("the tax of %i at %s, included: %s", (price, basisPoints, isIncluded, result) => {
  expect(taxOf(price, basisPoints, isIncluded)).toEqual(result);
});

test("splits an entered tax over the lines without losing a unit", () => {
  const taxes = splitTax([100, 100, 100], 100, false).map(({ tax }) => tax);
  expect(taxes).toEqual([34, 33, 33]);
});
