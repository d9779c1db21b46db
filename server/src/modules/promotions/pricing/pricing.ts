import { amountMax } from "@purser/contract/fields/amounts";
import type { Value } from "@purser/contract/fields/values";
import {
  type Basket,
  byPriority,
  byStep,
  calculate,
  type Outcome,
  type Step,
  stepOf,
  sumOf,
} from "./calculate.ts";
import {
  appliesTo,
  type Discount,
  isDiscount,
  type Line,
  type Order,
  type Promotion,
  type Reason,
  refusalToUse,
} from "./conditions.ts";

const basketOf = (lines: readonly Line[]): Basket => {
  const [currency, ...others] = new Set(lines.map((line) => line.currency));
  if (currency === undefined || others.length > 0)
    throw new Error("An order has at least one line, and all its lines have one currency.");
  if (sumOf(lines.map(({ amount }) => amount)) > amountMax)
    throw new Error("An order's lines come to more than can be counted.");
  return { lines, currency };
};

/** Everything stackable together or one exclusive promotion, whichever saves the buyer more. */
const choose = (usable: readonly Promotion[], basket: Basket) => {
  const stackable = usable.filter(({ stacking }) => stacking === "stackable");
  const free = stackable.filter((promotion) => !isDiscount(promotion));
  const together = { used: stackable, ...calculate(basket, stackable) };
  const alone = usable
    .filter(({ stacking }) => stacking === "exclusive")
    .toSorted(byPriority)
    .map((promotion) => ({
      promotion,
      // An exclusive discount excludes other discounts, but not trials and features.
      used: isDiscount(promotion) ? [promotion, ...free] : [promotion],
      ...calculate(basket, [promotion]),
    }));
  const [best] = alone
    .filter(({ promotion, saved }) => saved > 0 || !isDiscount(promotion))
    .toSorted((one, other) => other.saved - one.saved);
  const chosen = best && best.saved >= together.saved ? best : together;
  const outcomes = new Map([together, ...alone].flatMap((tried) => [...tried.outcomes]));
  return {
    nets: chosen.nets,
    outcomeOf: (promotion: Promotion): Outcome => {
      const own = outcomes.get(promotion.id) ?? { amount: 0, reason: null };
      const isBeaten = own.reason === null && !chosen.used.includes(promotion);
      return isBeaten ? { amount: 0, reason: "beaten" } : own;
    },
  };
};

export type TraceEntry = {
  promotionId: string;
  name: string;
  step: Step;
  applied: boolean;
  amount: number;
  reason: Reason | null;
};

const entryOf = (promotion: Promotion, { amount, reason }: Outcome): TraceEntry => ({
  promotionId: promotion.id,
  name: promotion.name,
  step: stepOf(promotion),
  applied: reason === null,
  amount,
  reason,
});

export type PricedLine = Line & { subtotal: number; discount: number; net: number };

export type Priced = {
  currency: string;
  subtotal: number;
  discount: number;
  net: number;
  lines: PricedLine[];
  /** Every promotion considered, in the order of calculation. */
  trace: TraceEntry[];
};

const totalled = ({ lines, currency }: Basket, nets: readonly number[]) => {
  const priced = lines.map((line, place) => {
    const net = nets[place] ?? 0;
    return { ...line, subtotal: line.amount, discount: line.amount - net, net };
  });
  return {
    currency,
    subtotal: sumOf(priced.map(({ subtotal }) => subtotal)),
    discount: sumOf(priced.map(({ discount }) => discount)),
    net: sumOf(priced.map(({ net }) => net)),
    lines: priced,
  };
};

type GrantedFeature = { promotionId: string; featureId: string; value: Value; days: number | null };

export type PricedOrder = Priced & {
  /** How long no line of the order has to be paid. Each line has its own trial. */
  trialDays: number;
  features: GrantedFeature[];
};

const withTrials = (line: Line, applied: readonly Promotion[]): Line => {
  const days = applied.map((promotion) =>
    promotion.kind === "trial" && appliesTo(promotion, line) ? promotion.days : 0,
  );
  return { ...line, trialDays: line.trialDays + sumOf(days) };
};

const featuresOf = (applied: readonly Promotion[]): GrantedFeature[] =>
  applied
    .filter((promotion) => promotion.kind === "feature")
    .map(({ id, featureId, value, days }) => ({ promotionId: id, featureId, value, days }));

/** The price of an order and its trace. It doesn't depend on the order of lines and promotions. */
export const priceOrder = ({ promotions, ...order }: Order): PricedOrder => {
  const basket = basketOf(order.lines);
  const refusals = new Map(promotions.map((one) => [one.id, refusalToUse(one, order)]));
  const usable = promotions.filter(({ id }) => refusals.get(id) === null);
  const { nets, outcomeOf } = choose(usable, basket);
  const trace = promotions.toSorted(byStep).map((promotion) => {
    const refusal = refusals.get(promotion.id) ?? null;
    return entryOf(promotion, refusal ? { amount: 0, reason: refusal } : outcomeOf(promotion));
  });
  const applied = usable.filter((promotion) => outcomeOf(promotion).reason === null);
  const lines = order.lines.map((line) => withTrials(line, applied));
  return {
    ...totalled({ ...basket, lines }, nets),
    trialDays: Math.min(...lines.map(({ trialDays }) => trialDays)),
    features: featuresOf(applied.toSorted(byStep)),
    trace,
  };
};

/** A redeemed discount, and how many payments there were before it. */
type Redeemed = Discount & { since?: number };

/** What was bought, and the promotions redeemed for it. */
type Purchase = { lines: readonly Line[]; redeemed: readonly Redeemed[] };

/** Whether a redeemed discount still applies to a payment, counted from 1. */
export const isLasting = (
  { duration, since = 0 }: Pick<Redeemed, "duration" | "since">,
  period: number,
) =>
  duration.kind === "forever" ||
  period - since <= (duration.kind === "periods" ? duration.periods : 1);

const isRecurring = ({ interval }: Line) => interval !== "once";

/** The price of a billing period, counted from 1. Redeemed discounts apply even if their budget is used up. */
export const priceOfPeriod = ({ lines, redeemed }: Purchase, period: number): Priced => {
  const { currency } = basketOf(lines);
  const billed = { currency, lines: period === 1 ? lines : lines.filter(isRecurring) };
  const lasting = redeemed.filter((promotion) => isLasting(promotion, period));
  const { nets, outcomes } = calculate(
    billed,
    lasting.map((promotion) => ({ ...promotion, budgets: {} })),
  );
  const over: Outcome = { amount: 0, reason: "over" };
  const trace = redeemed.toSorted(byStep).map((one) => entryOf(one, outcomes.get(one.id) ?? over));
  return { ...totalled(billed, nets), trace };
};

/** The price of the first billing period, and of each period in which the price changes. */
export const priceOfNextPeriods = (purchase: Purchase): (Priced & { period: number })[] => {
  const ends = purchase.redeemed.flatMap(({ duration }) =>
    duration.kind === "periods" ? [duration.periods + 1] : [],
  );
  const later = purchase.lines.some(isRecurring) ? [2, ...ends] : [];
  return [...new Set([1, ...later])]
    .sort((one, other) => one - other)
    .map((period) => ({ period, ...priceOfPeriod(purchase, period) }))
    .filter(({ net }, place, all) => net !== all[place - 1]?.net);
};
