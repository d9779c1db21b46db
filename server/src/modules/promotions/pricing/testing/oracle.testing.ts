import { type Discount, isDiscount, type Line, type Order, type Promotion } from "../conditions.ts";

// A second, simpler implementation for small amounts in EUR, which the pricing is compared with.

export const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + amount, 0);

const isTarget = ({ packageIds, intervals }: Promotion, line: Line) =>
  (packageIds.includes(line.packageId) || packageIds.length === 0) &&
  (intervals.includes(line.interval) || intervals.length === 0);

/** Whether a promotion meets all conditions that don't depend on other promotions. */
export const isUsable = (promotion: Promotion, { lines, buyer, at }: Order) => {
  const targets = lines.filter((line) => isTarget(promotion, line));
  const limits = [
    promotion.minimum,
    ...(isDiscount(promotion) ? [promotion.cap, promotion.budgets] : []),
  ];
  return [
    promotion.isPublished && !promotion.pausedAt && !promotion.archivedAt,
    !("isArchived" in promotion && promotion.isArchived),
    (promotion.startsAt ?? at) <= at && (promotion.endsAt ?? new Date(9e12)) > at,
    promotion.redemptions < (promotion.redemptionLimit ?? 1e9),
    promotion.redemptionsByBuyer < (promotion.redemptionLimitPerCustomer ?? 1e9),
    promotion.code?.given !== false,
    promotion.audience !== "new" || !buyer.hasHeldAnything,
    promotion.audience !== "existing" || buyer.hasHeldAnything,
    promotion.audience !== "listed" || promotion.isBuyerListed,
    promotion.audience !== "first purchase" || !buyer.hasPaid,
    targets.length > 0,
    limits.every((amounts) => !("USD" in amounts)),
    sumOf(targets.map(({ amount }) => amount)) >= (promotion.minimum["EUR"] ?? 0),
  ].every(Boolean);
};

/** Hands out one unit after the other to the part that is furthest below its share. */
const handOut = (amount: number, weights: readonly number[]) => {
  const whole = sumOf(weights);
  const parts = weights.map((weight) => Math.floor((amount * weight) / whole) || 0);
  const isServed = weights.map(() => false);
  while (sumOf(parts) < amount) {
    const wants = weights.map((weight, place) =>
      isServed[place] ? -1 : (amount * weight) % whole,
    );
    const place = wants.indexOf(Math.max(...wants));
    parts[place] = (parts[place] ?? 0) + 1;
    isServed[place] = true;
  }
  return parts;
};

const takenBy = (promotion: Discount, left: readonly number[]) => {
  const from = (amount: number) =>
    promotion.kind === "fixed"
      ? Math.min(promotion.amounts["EUR"] ?? 0, amount)
      : Math.floor((2 * amount * promotion.basisPoints + 10_000) / 20_000);
  const parts = promotion.level === "line" ? left.map(from) : handOut(from(sumOf(left)), left);
  return handOut(Math.min(sumOf(parts), promotion.cap["EUR"] ?? 1e9), parts);
};

const stepsInOrder = ["line fixed", "line percent", "order fixed", "order percent"];

/** What each promotion takes off if all of them apply, and what is left of each line. */
const takenOff = (used: readonly Promotion[], lines: readonly Line[]) => {
  const taken = new Map<string, number>();
  let rows = lines.map((line) => ({ line, left: line.amount }));
  const discounts = used
    .filter(isDiscount)
    .toSorted((one, other) => Number(one.id) - Number(other.id))
    .toSorted((one, other) => other.priority - one.priority);
  for (const step of stepsInOrder)
    for (const promotion of discounts.filter(({ level, kind }) => `${level} ${kind}` === step)) {
      const targets = rows.map(({ line, left }) => (isTarget(promotion, line) ? left : 0));
      const parts = takenBy(promotion, targets);
      const given = sumOf(parts) + (promotion.given["EUR"] ?? 0);
      if (given > (promotion.budgets["EUR"] ?? 1e9)) continue;
      taken.set(promotion.id, sumOf(parts));
      rows = rows.map(({ line, left }, place) => ({ line, left: left - (parts[place] ?? 0) }));
    }
  return { taken, nets: rows.map(({ left }) => left) };
};

const subsetsOf = ([first, ...rest]: readonly Promotion[]): Promotion[][] =>
  first ? subsetsOf(rest).flatMap((set) => [set, [first, ...set]]) : [[]];

/** Whether this combination of the usable promotions is allowed. */
const isAllowed = (used: readonly Promotion[], usable: readonly Promotion[]) => {
  const stackable = usable.filter(({ stacking }) => stacking === "stackable");
  const [alone, ...others] = used.filter(({ stacking }) => stacking === "exclusive");
  if (!alone) return used.length === stackable.length;
  const beside = isDiscount(alone) ? stackable.filter((one) => !isDiscount(one)) : [];
  return (
    others.length === 0 &&
    used.length === 1 + beside.length &&
    beside.every((one) => used.includes(one))
  );
};

/** The best allowed combination. Of equal ones, an exclusive promotion wins, then priority and ID. */
export const bestOf = (order: Order) => {
  const usable = order.promotions.filter((promotion) => isUsable(promotion, order));
  const [best] = subsetsOf(usable)
    .filter((used) => isAllowed(used, usable))
    .map((used) => {
      const { taken, nets } = takenOff(used, order.lines);
      const applied = used.filter((one) => !isDiscount(one) || taken.get(one.id));
      const alone = used.find(({ stacking }) => stacking === "exclusive");
      return { saved: sumOf([...taken.values()]), nets, applied, alone };
    })
    .filter(({ applied, alone }) => !alone || applied.includes(alone))
    .toSorted((one, other) => Number(one.alone?.id ?? 99) - Number(other.alone?.id ?? 99))
    .toSorted((one, other) => (other.alone?.priority ?? -99) - (one.alone?.priority ?? -99))
    .toSorted((one, other) => other.saved - one.saved);
  return best;
};
