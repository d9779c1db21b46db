import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { expect } from "vitest";
import type { TaxTerms } from "#modules/ledger/testing/history.testing.ts";
import { moneyIn } from "#moneyFaults/testing.ts";
import type { TestProduct } from "#testing.ts";
import type { Place } from "./scenarios.testing.ts";

export type Term = { interval: "week" | "day" | "month" | "year"; intervalCount: number };

export const terms: readonly Term[] = [
  { interval: "month", intervalCount: 1 },
  { interval: "year", intervalCount: 1 },
  { interval: "week", intervalCount: 2 },
  { interval: "day", intervalCount: 30 },
];

const currencies = ["JPY", "EUR", "KWD", "CLF"];
const rates = { DE: 1900, FI: 2550, JP: 1000 };

/** The price of a unit differs for each package, currency and term, so that a mistaken one is noticed. */
const priceOf = (base: number, currency: string, { interval, intervalCount }: Term) =>
  base * { day: 1, week: 5, month: 7, year: 71 }[interval] +
  13 * currencies.indexOf(currency) +
  intervalCount;

const oncePriceOf = (base: number, currency: string) => 100 * base + currencies.indexOf(currency);

export type Sold = { id: string; base: number; trialDays: number };

export const unitAmountOf = ({ base }: Sold, currency: string, term: Term | null) =>
  term ? priceOf(base, currency, term) : oncePriceOf(base, currency);

export const taxIn = (country: string): TaxTerms => {
  const taxBasisPoints = rates[country as "DE"] ?? null;
  const place = { taxCountry: country, taxRegion: null, taxBasisPoints };
  return { taxTreatment: taxBasisPoints === null ? "none" : "rate", ...place };
};

/** Packages with prices in all currencies, tax rates, and customers of a country. */
export const openShop = async (product: TestProduct) => {
  const { call } = product;
  const money = await moneyIn(product);
  const { admin } = money;
  for (const [country, basisPoints] of Object.entries(rates))
    await money.addTaxRate(country, basisPoints);

  const sellAt = async (base: number, details: object): Promise<Sold> => {
    const prices = currencies.flatMap((currency) => [
      ...terms.map((term) => ({
        currency,
        amount: priceOf(base, currency, term),
        ...term,
        perUnit: true,
      })),
      {
        currency,
        amount: oncePriceOf(base, currency),
        interval: "once" as const,
        intervalCount: 1,
        perUnit: true,
      },
    ]);
    const { id } = await money.putOnSale(prices as never, details);
    return { id, base, trialDays: 0, ...details };
  };

  const group = money.newGroup();
  const packs = [
    await sellAt(3, { group }),
    await sellAt(143, { group }),
    await sellAt(997, { group, trialDays: 14 }),
  ];
  const addOn = await sellAt(29, { kind: "add-on" });
  const forever = await sellAt(17, {});

  const moveTo = async ({ zone, taxIncluded }: Place) => {
    const { version, updatedAt: _, ...body } = (await call(admin, getSettings)).body;
    const included = taxIncluded ? currencies : [];
    const changed = await call(admin, changeSettings, {
      version,
      body: { ...body, timeZone: zone, taxIncluded: included },
    });
    expect(changed.status, changed.text).toBe(200);
  };

  return { admin, newCustomer: money.newCustomer, moveTo, packs, addOn, forever };
};
export type Shop = Awaited<ReturnType<typeof openShop>>;
