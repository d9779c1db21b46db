import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { isDiscount, type Line, type Order } from "./conditions.ts";
import { priceOfNextPeriods, priceOfPeriod, priceOrder } from "./pricing.ts";
import { anyOrder, anyOrderUpTo } from "./testing/arbitraries.ts";
import { bestOf, isUsable, sumOf } from "./testing/oracle.testing.ts";

const numRuns = sized({ gate: 500, nightly: 100_000 });

test("every part is at least 0, and the parts sum to the total", () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const { subtotal, discount, net, lines, trace } = priceOrder(order);
      for (const part of [subtotal, discount, net, ...lines.map((line) => line.net)])
        expect(Number.isSafeInteger(part) && part >= 0).toBe(true);
      expect(net).toBe(subtotal - discount);
      expect(subtotal).toBe(sumOf(order.lines.map(({ amount }) => amount)));
      expect(discount).toBe(sumOf(lines.map((line) => line.discount)));
      expect(discount).toBe(sumOf(trace.map(({ amount }) => amount)));
      for (const line of lines) expect(line.net).toBe(line.subtotal - line.discount);
    }),
    { numRuns },
  );
});

test("the order of promotions and lines doesn't change the price", () => {
  const shuffled = anyOrder.chain((order) =>
    fc.record({
      order: fc.constant(order),
      promotions: fc.shuffledSubarray([...order.promotions], {
        minLength: order.promotions.length,
      }),
      lines: fc.shuffledSubarray([...order.lines], { minLength: order.lines.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ order, promotions, lines }) => {
      const byPackage = (one: Line, other: Line) => (one.packageId < other.packageId ? -1 : 1);
      const other = priceOrder({ ...order, promotions, lines });
      expect({ ...other, lines: other.lines.toSorted(byPackage) }).toEqual(priceOrder(order));
    }),
    { numRuns },
  );
});

const smallOrder = anyOrderUpTo(20);

test("chooses the best of all allowed combinations", () => {
  fc.assert(
    fc.property(smallOrder, (order) => {
      const { discount, lines, trace } = priceOrder(order);
      const best = bestOf(order);
      expect(lines.map(({ net }) => net)).toEqual(best?.nets);
      expect(discount).toBe(best?.saved);
      const applied = trace.filter((entry) => entry.applied).map(({ promotionId }) => promotionId);
      expect(applied.sort()).toEqual(best?.applied.map(({ id }) => id).sort());
    }),
    { numRuns },
  );
});

test("a promotion that fails a condition has no effect", () => {
  fc.assert(
    fc.property(smallOrder, (order) => {
      const { trace, ...answer } = priceOrder(order);
      const usable = order.promotions.filter((promotion) => isUsable(promotion, order));
      const { trace: rest, ...withoutOthers } = priceOrder({ ...order, promotions: usable });
      expect(answer).toEqual(withoutOthers);
      const refused = trace.filter(
        ({ promotionId }) => !usable.some(({ id }) => id === promotionId),
      );
      for (const entry of refused) {
        expect(entry).toMatchObject({ applied: false, amount: 0 });
        expect(entry.reason).not.toBeNull();
      }
      expect(trace.filter((entry) => !refused.includes(entry))).toEqual(rest);
    }),
    { numRuns },
  );
});

test("a promotion applies if and only if its trace has no reason against it", () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const { trace, features } = priceOrder(order);
      expect(trace).toHaveLength(order.promotions.length);
      for (const { applied, amount, reason, step } of trace) {
        expect(applied).toBe(reason === null);
        const isFree = step === "trial" || step === "feature";
        expect(amount > 0).toBe(applied && !isFree);
      }
      const granting = trace.filter(({ step, applied }) => step === "feature" && applied);
      expect(features.map((one) => one.promotionId)).toEqual(
        granting.map((one) => one.promotionId),
      );
    }),
    { numRuns },
  );
});

test("never exceeds a cap or budget", () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const amounts = new Map(
        priceOrder(order).trace.map((entry) => [entry.promotionId, entry.amount]),
      );
      for (const { id, cap, budgets, given } of order.promotions.filter(isDiscount)) {
        const amount = amounts.get(id) ?? 0;
        expect(amount).toBeLessThanOrEqual(cap["EUR"] ?? Number.POSITIVE_INFINITY);
        if (amount > 0 && budgets["EUR"] !== undefined)
          expect((given["EUR"] ?? 0) + amount).toBeLessThanOrEqual(budgets["EUR"]);
      }
    }),
    { numRuns },
  );
});

test("a free order stays free", () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const lines = order.lines.map((line) => ({ ...line, amount: 0 }));
      const { subtotal, discount, net, trace } = priceOrder({ ...order, lines });
      expect([subtotal, discount, net]).toEqual([0, 0, 0]);
      expect(
        trace
          .filter(({ applied }) => applied)
          .every(({ step }) => step === "trial" || step === "feature"),
      ).toBe(true);
    }),
    { numRuns },
  );
});

/** The priced order and its promotions that took something off. */
const redeemedOf = (order: Order) => {
  const priced = priceOrder(order);
  const applied = new Set(
    priced.trace.filter((entry) => entry.applied).map((entry) => entry.promotionId),
  );
  return {
    priced,
    redeemed: order.promotions.filter(isDiscount).filter(({ id }) => applied.has(id)),
  };
};

test("the first period costs the same as the order, and no promotion outlasts its duration", () => {
  fc.assert(
    fc.property(anyOrder, fc.integer({ min: 2, max: 8 }), (order, period) => {
      const { priced, redeemed } = redeemedOf(order);
      const purchase = { lines: order.lines, redeemed };
      expect(priceOfPeriod(purchase, 1).net).toBe(priced.net);
      for (const entry of priceOfPeriod(purchase, period).trace) {
        const duration = redeemed.find(({ id }) => id === entry.promotionId)?.duration;
        const isOver =
          duration?.kind === "once" || (duration?.kind === "periods" && duration.periods < period);
        expect(entry.reason === "over").toBe(isOver);
        if (isOver) expect(entry.amount).toBe(0);
      }
    }),
    { numRuns },
  );
});

test("the future prices cover every period", () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      const purchase = { lines: order.lines, redeemed: redeemedOf(order).redeemed };
      const recurs = order.lines.some(({ interval }) => interval !== "once");
      const ahead = priceOfNextPeriods(purchase);
      for (let period = 1; period <= (recurs ? 8 : 1); period += 1)
        expect(ahead.findLast((price) => price.period <= period)?.net).toBe(
          priceOfPeriod(purchase, period).net,
        );
      for (const [place, { net }] of ahead.entries()) expect(net).not.toBe(ahead[place - 1]?.net);
    }),
    { numRuns },
  );
});
