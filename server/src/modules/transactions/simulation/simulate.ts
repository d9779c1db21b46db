import type { WithheldReason } from "@purser/contract/promotions/pricing";
import { isDiscount, type Line, type Promotion } from "#modules/promotions/pricing/conditions.ts";
import { priceOrder } from "#modules/promotions/pricing/pricing.ts";

/** A past sale, with the facts that promotions depended on then. */
export type PastSale = {
  id: string;
  userId: string;
  line: Line;
  /** The promotions that applied, with the discount of each. */
  applied: { promotionId: string; amount: number }[];
  hasPaid: boolean;
  hasHeldAnything: boolean;
  isListed: boolean;
};

type Sums = { redemptions: number; given: number; before: number; after: number };
type Displaced = { redemptions: number; given: Map<string, number> };

const examplesMax = 20;

const increase = (amounts: Map<string, number>, key: string, amount: number) =>
  void amounts.set(key, (amounts.get(key) ?? 0) + amount);

/** A promotion that applied then applies again, whatever its limits are now. */
const asApplied = (promotion: Promotion): Promotion => ({
  ...promotion,
  isPublished: true,
  pausedAt: null,
  archivedAt: null,
  startsAt: null,
  endsAt: null,
  redemptionLimit: null,
  redemptionLimitPerCustomer: null,
  minimum: {},
  audience: "anyone",
  code: null,
  packageIds: [],
  intervals: [],
  ...(isDiscount(promotion) && { budgets: {} }),
  ...(promotion.kind === "feature" && { isArchived: false }),
});

/**
 * Applies a promotion to past sales, oldest first, together with the promotions that applied then. Its limits fill
 * up, and every buyer is assumed to have its code.
 */
export const simulate = (drafted: Promotion, known: ReadonlyMap<string, Promotion>) => {
  const redemptionsBy = new Map<string, number>();
  const given = new Map<string, number>();
  const sums = new Map<string, Sums>();
  const displaced = new Map<string, Displaced>();
  const withheld = new Map<WithheldReason, number>();
  const examples: { id: string; given: number }[] = [];
  let redemptions = 0;

  const draftFor = ({ userId, isListed }: PastSale): Promotion => ({
    ...drafted,
    startsAt: null,
    endsAt: null,
    redemptions,
    redemptionsByBuyer: redemptionsBy.get(userId) ?? 0,
    isBuyerListed: isListed,
    ...(isDiscount(drafted) && { given: Object.fromEntries(given) }),
  });

  const countDisplaced = ({ applied, line }: PastSale, still: ReadonlySet<string>) => {
    for (const { promotionId, amount } of applied) {
      if (still.has(promotionId)) continue;
      const one = displaced.get(promotionId) ?? {
        redemptions: 0,
        given: new Map<string, number>(),
      };
      one.redemptions += 1;
      increase(one.given, line.currency, amount);
      displaced.set(promotionId, one);
    }
  };

  const addSale = (sale: PastSale) => {
    const { line, userId, hasPaid, hasHeldAnything } = sale;
    const before = sale.applied.flatMap(({ promotionId }) => known.get(promotionId) ?? []);
    const priced = priceOrder({
      lines: [line],
      promotions: [...before.map(asApplied), draftFor(sale)],
      buyer: { hasPaid, hasHeldAnything },
      at: new Date(0),
    });
    const own = priced.trace.find(({ promotionId }) => promotionId === drafted.id);
    if (!own?.applied) {
      const reason = own?.reason;
      if (reason) withheld.set(reason, (withheld.get(reason) ?? 0) + 1);
      return;
    }
    redemptions += 1;
    increase(redemptionsBy, userId, 1);
    increase(given, line.currency, own.amount);
    const sum = sums.get(line.currency) ?? { redemptions: 0, given: 0, before: 0, after: 0 };
    sum.redemptions += 1;
    sum.given += own.amount;
    sum.before += sale.applied.reduce((all, { amount }) => all + amount, 0);
    sum.after += priced.discount;
    sums.set(line.currency, sum);
    const still = priced.trace.filter(({ applied }) => applied).map((entry) => entry.promotionId);
    countDisplaced(sale, new Set(still));
    if (examples.length < examplesMax) examples.push({ id: sale.id, given: own.amount });
  };

  return {
    add: addSale,
    result: () => ({
      redemptions,
      customers: redemptionsBy.size,
      byCurrency: [...sums].toSorted().map(([currency, sum]) => ({ currency, ...sum })),
      displaced: [...displaced]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([promotionId, one]) => ({
          promotionId,
          redemptions: one.redemptions,
          byCurrency: [...one.given].map(([currency, amount]) => ({ currency, given: amount })),
        })),
      withheld: [...withheld].map(([reason, sales]) => ({ reason, sales })),
      examples,
    }),
  };
};
export type Simulated = ReturnType<ReturnType<typeof simulate>["result"]>;
