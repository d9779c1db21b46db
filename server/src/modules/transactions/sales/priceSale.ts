import type { Quote } from "@purser/contract/promotions/pricing";
import { type Discount, isDiscount } from "#modules/promotions/pricing/conditions.ts";
import { traceMessage } from "#modules/promotions/pricing/labels.ts";
import {
  type PricedLine,
  priceOfNextPeriods,
  priceOrder,
} from "#modules/promotions/pricing/pricing.ts";
import { type Considered, consideredOfJson } from "#modules/promotions/pricing/queries.ts";
import { taxationOf } from "#modules/taxes/queries.ts";
import { isTaxPossible, splitTax, type TaxFacts, taxOf } from "#modules/taxes/tax.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { periodAt } from "#platform/periods.ts";
import type { NewLine } from "../lines/lineQueries.ts";
import type { Item } from "./offerQueries.ts";
import { rhythmOf } from "./plan.ts";
import type { PricingFacts } from "./saleFactsQueries.ts";
import { findFeatureNames } from "./saleQueries.ts";

/** A tax that was entered by hand or reported by a provider, instead of one calculated from rates. */
export type GivenTax = { amount: number; treatment: "manual" | "provider"; reason: string | null };

export type Sale = {
  items: readonly Item[];
  userId: string | null;
  codes: readonly string[];
  givenTax?: GivenTax | null;
  at: Date;
  zone: string;
  /** A change of the running period is charged for the rest of it. */
  share?: Share | undefined;
  /** A change has no trial, because the customer has paid before. */
  isChange?: boolean;
  facts: PricingFacts;
};

export type Share = { part: number; whole: number };

export type Priced = {
  quote: Quote;
  lines: NewLine[];
  isTaxIncluded: boolean;
  /** The promotions that apply, with the discount of each. */
  redemptions: (Considered & { amount: number })[];
  /** Entered codes that don't apply. */
  rejected: { code: string; message: Quote["trace"][number]["message"] }[];
};

/** An amount per unit is multiplied by the quantity. */
export const amountOf = ({ offer, quantity }: Item) =>
  offer.perUnit ? offer.amount * quantity : offer.amount;

/** Rounds half a minor unit up. */
const shareOf = (amount: number, { part, whole }: Share) =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

type Taxation = { isIncluded: boolean; facts: readonly TaxFacts[] };

/** The lines of a sale after discounts, with their tax. */
export const taxLines = (
  items: readonly Item[],
  priced: readonly PricedLine[],
  { isIncluded, facts }: Taxation,
  givenTax: GivenTax | null,
): NewLine[] => {
  const prices = priced.map(({ net }) => net);
  const given = givenTax && splitTax(prices, givenTax.amount, isIncluded);
  return items.map(({ offer, quantity }, place) => {
    const { subtotal = 0, discount = 0 } = priced[place] ?? {};
    const known = facts[place] as TaxFacts;
    const price = prices[place] ?? 0;
    return {
      packageId: offer.packageId,
      versionId: offer.versionId,
      priceId: offer.priceId,
      name: offer.packageName,
      quantity,
      unitAmount: offer.amount,
      subtotal,
      discount,
      ...known,
      ...(given?.[place] ?? taxOf(price, known.taxBasisPoints, isIncluded)),
      ...(givenTax && {
        taxTreatment: givenTax.treatment,
        taxBasisPoints: null,
        taxName: null,
        taxReason: givenTax.reason,
      }),
    };
  });
};

const sumOf = (lines: readonly NewLine[], part: "subtotal" | "discount" | "tax" | "gross") =>
  lines.reduce((sum, line) => sum + line[part], 0);

export const totalsOf = (lines: readonly NewLine[]) => ({
  subtotal: sumOf(lines, "subtotal"),
  discount: sumOf(lines, "discount"),
  tax: sumOf(lines, "tax"),
  total: sumOf(lines, "gross"),
});

const linesForPricing = ({ items, share, isChange, facts }: Sale) =>
  items.map((item) => {
    const { offer } = item;
    const hasTrial = !isChange && !facts.hadPackageIds.includes(offer.packageId);
    const amount = share ? shareOf(amountOf(item), share) : amountOf(item);
    return { ...offer, amount, trialDays: hasTrial ? offer.trialDays : 0 };
  });

const taxationsOf = ({ items, at, zone, facts }: Sale): Taxation => {
  const taxations = items.map(({ offer: { packageId } }) =>
    taxationOf(facts, { packageId, at, zone }),
  );
  return { isIncluded: facts.isTaxIncluded, facts: taxations.map((one) => one.facts) };
};

/** Prices a sale and explains every promotion. `adjust` changes which promotions are considered. */
export const priceSale = async (
  db: Db,
  sale: Sale,
  adjust: (considered: Considered[]) => Considered[] = (considered) => considered,
): Promise<Priced> => {
  const { items, codes, givenTax = null, at, zone, facts } = sale;
  const considered = adjust(facts.considered.map(consideredOfJson));
  const wanted = linesForPricing(sale);
  const priced = priceOrder({
    lines: wanted,
    promotions: considered.map(({ promotion }) => promotion),
    buyer: facts,
    at,
  });
  const taxation = taxationsOf(sale);
  if (givenTax && !isTaxPossible([priced.net], givenTax.amount))
    throw invalidAt(
      "/manualTax",
      message("tax_too_high", "The tax can't be higher than the price after discounts."),
    );
  const lines = taxLines(items, priced.lines, taxation, givenTax);
  const byId = new Map(considered.map((one) => [one.promotion.id, one]));
  const applied = priced.trace.filter((entry) => entry.applied);
  const redemptions = applied.flatMap(({ promotionId, amount }) => {
    const one = byId.get(promotionId);
    return one ? [{ ...one, amount }] : [];
  });
  const redeemed = redemptions
    .map(({ promotion }) => promotion)
    .filter((promotion): promotion is Discount => isDiscount(promotion));
  const currency = priced.currency;
  const first = items[0]?.offer;
  const rhythm = first ? rhythmOf(first, at, zone) : null;
  const later = rhythm
    ? priceOfNextPeriods({ lines: wanted, redeemed })
        .filter(({ period }) => period > 1)
        .map(({ period, lines: next }) => ({
          from: periodAt(rhythm, period - 1).start,
          total: totalsOf(taxLines(items, next, taxation, null)).total,
        }))
    : [];
  const names = await findFeatureNames(
    db,
    priced.features.map(({ featureId }) => featureId),
  );
  const trace = priced.trace.map((entry) => {
    const one = byId.get(entry.promotionId) as Considered;
    return {
      promotionId: entry.promotionId,
      name: entry.name,
      code: one.code,
      kind: one.promotion.kind,
      isApplied: entry.applied,
      amount: entry.amount,
      reason: entry.reason,
      message: traceMessage(entry, one.promotion, currency),
    };
  });
  return {
    redemptions,
    lines,
    isTaxIncluded: taxation.isIncluded,
    rejected: trace.flatMap(({ promotionId, code, isApplied, reason, message: why }) =>
      // A code that a better promotion replaces is no reason to stop.
      byId.get(promotionId)?.promotion.code && !isApplied && reason !== "beaten"
        ? [{ code: code ?? codes.join(", "), message: why }]
        : [],
    ),
    quote: {
      currency,
      ...totalsOf(lines),
      trialDays: priced.trialDays,
      features: priced.features.map(({ featureId, value, days }) => ({
        featureId,
        name: names.get(featureId) ?? "",
        value,
        days,
      })),
      trace,
      later,
    },
  };
};
