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

type Sums = { uses: number; given: number; before: number; after: number };
type Displaced = { uses: number; given: Map<string, number> };

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
  usesMax: null,
  usesPerUserMax: null,
  minimum: {},
  audience: "anyone",
  code: null,
  packageIds: [],
  intervals: [],
  ...(isDiscount(promotion) && { budgets: {} }),
});

/**
 * Applies a promotion to past sales, oldest first, together with the promotions that applied then. Its limits fill
 * up, and every buyer is assumed to have its code.
 */
export const simulate = (drafted: Promotion, known: ReadonlyMap<string, Promotion>) => {
  const usesBy = new Map<string, number>();
  const given = new Map<string, number>();
  const sums = new Map<string, Sums>();
  const displaced = new Map<string, Displaced>();
  const withheld = new Map<WithheldReason, number>();
  const examples: { id: string; given: number }[] = [];
  let uses = 0;

  const draftFor = ({ userId, isListed }: PastSale): Promotion => ({
    ...drafted,
    startsAt: null,
    endsAt: null,
    uses,
    usesByBuyer: usesBy.get(userId) ?? 0,
    isBuyerListed: isListed,
    ...(isDiscount(drafted) && { given: Object.fromEntries(given) }),
  });

  const countDisplaced = ({ applied, line }: PastSale, still: ReadonlySet<string>) => {
    for (const { promotionId, amount } of applied) {
      if (still.has(promotionId)) continue;
      const one = displaced.get(promotionId) ?? { uses: 0, given: new Map<string, number>() };
      one.uses += 1;
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
    uses += 1;
    increase(usesBy, userId, 1);
    increase(given, line.currency, own.amount);
    const sum = sums.get(line.currency) ?? { uses: 0, given: 0, before: 0, after: 0 };
    sum.uses += 1;
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
      uses,
      people: usesBy.size,
      byCurrency: [...sums].toSorted().map(([currency, sum]) => ({ currency, ...sum })),
      displaced: [...displaced]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([promotionId, one]) => ({
          promotionId,
          uses: one.uses,
          byCurrency: [...one.given].map(([currency, amount]) => ({ currency, given: amount })),
        })),
      withheld: [...withheld].map(([reason, sales]) => ({ reason, sales })),
      examples,
    }),
  };
};
export type Simulated = ReturnType<ReturnType<typeof simulate>["result"]>;
