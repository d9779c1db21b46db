import fc from "fast-check";
import type { Amounts, Buyer, Discount, Line, Order, Promotion } from "../conditions.ts";
import { priceOrder } from "../pricing.ts";

export const at = new Date("2026-11-14T12:00:00Z");
const [before, after] = [new Date("2026-11-01T00:00:00Z"), new Date("2026-12-01T00:00:00Z")];

/** One package paid monthly, unless overridden. */
export const lineOf = (amount: number, more: Partial<Line> = {}): Line => ({
  packageId: "studio",
  interval: "month",
  intervalCount: 1,
  currency: "EUR",
  amount,
  trialDays: 0,
  ...more,
});

type Free = Omit<Extract<Promotion, { kind: "trial" }>, "kind" | "days">;
type Priced = Omit<Discount, "kind" | "basisPoints" | "amounts">;

const open: Omit<Free, "id" | "name"> = {
  isPublished: true,
  pausedAt: null,
  archivedAt: null,
  startsAt: null,
  endsAt: null,
  redemptionLimit: null,
  redemptions: 0,
  redemptionLimitPerCustomer: null,
  redemptionsByBuyer: 0,
  minimum: {},
  audience: "anyone",
  isBuyerListed: false,
  packageIds: [],
  intervals: [],
  stacking: "stackable",
  priority: 0,
  code: null,
};

const unlimited = {
  level: "line",
  duration: { kind: "once" },
  cap: {},
  budgets: {},
  given: {},
} as const;

/** A promotion without conditions. Its ID is also its name. */
export const percentOff = (id: string, percent: number, more: Partial<Priced> = {}): Discount => ({
  ...open,
  ...unlimited,
  kind: "percent",
  id,
  name: id,
  basisPoints: percent * 100,
  ...more,
});

export const amountOff = (id: string, amounts: Amounts, more: Partial<Priced> = {}): Discount => ({
  ...open,
  ...unlimited,
  kind: "fixed",
  id,
  name: id,
  amounts,
  ...more,
});

export const moreTrial = (id: string, days: number, more: Partial<Free> = {}): Promotion => ({
  ...open,
  kind: "trial",
  id,
  name: id,
  days,
  ...more,
});

export const moreSeats = (
  id: string,
  more: Partial<Free & { isArchived: boolean }> = {},
): Promotion => ({
  ...open,
  kind: "feature",
  id,
  name: id,
  featureId: "seats",
  isArchived: false,
  value: 5,
  days: 30,
  ...more,
});

const newcomer: Buyer = { hasHeldAnything: false, hasPaid: false };

export const orderOf = (
  lines: readonly Line[],
  promotions: readonly Promotion[],
  buyer = newcomer,
): Order => ({ lines, promotions, buyer, at });

/** By promotion, what it takes off the order or why it doesn't apply. */
export const outcomesOf = (
  lines: readonly Line[],
  promotions: readonly Promotion[],
  buyer?: Buyer,
) =>
  Object.fromEntries(
    priceOrder(orderOf(lines, promotions, buyer)).trace.map(({ promotionId, amount, reason }) => [
      promotionId,
      reason ?? amount,
    ]),
  );

/** Mostly the first value, so that most promotions apply and each condition still fails sometimes. */
const mostly = <T>(first: T, ...others: T[]) =>
  fc.oneof({ weight: 40, arbitrary: fc.constant(first) }, ...others.map((one) => fc.constant(one)));

const amountsUpTo = (max: number) => fc.record({ EUR: fc.nat({ max }) });

/** No limits, limits in EUR, or a limit in a currency that isn't paid in. */
const limitsUpTo = (max: number): fc.Arbitrary<Amounts> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant({}) },
    { weight: 12, arbitrary: amountsUpTo(max) },
    { weight: 1, arbitrary: fc.constant({ USD: 1 }) },
  );

const conditionsUpTo = (max: number) => ({
  id: fc.constant(""),
  name: fc.constant(""),
  isPublished: mostly(true, false),
  pausedAt: mostly<Date | null>(null, before),
  archivedAt: mostly<Date | null>(null, before),
  startsAt: mostly<Date | null>(null, before, at, after),
  endsAt: mostly<Date | null>(null, before, at, after),
  redemptionLimit: mostly<number | null>(null, 3),
  redemptions: fc.nat({ max: 4 }),
  redemptionLimitPerCustomer: mostly<number | null>(null, 1),
  redemptionsByBuyer: fc.nat({ max: 2 }),
  minimum: limitsUpTo(max),
  audience: mostly<Promotion["audience"]>("anyone", "new", "existing", "listed", "first purchase"),
  isBuyerListed: fc.boolean(),
  packageIds: mostly<string[]>([], ["p0"], ["p1", "p2"], ["p9"]),
  intervals: mostly<Line["interval"][]>([], ["month"], ["year", "once"]),
  stacking: fc.constantFrom("stackable" as const, "stackable" as const, "exclusive" as const),
  priority: fc.integer({ min: -1, max: 1 }),
  code: mostly<Promotion["code"]>(null, { given: true }, { given: false }),
});

const discountUpTo = (max: number) => ({
  ...conditionsUpTo(max),
  level: fc.constantFrom("line" as const, "order" as const),
  duration: fc.oneof(
    fc.constant({ kind: "once" as const }),
    fc.constant({ kind: "forever" as const }),
    fc.integer({ min: 1, max: 5 }).map((periods) => ({ kind: "periods" as const, periods })),
  ),
  cap: limitsUpTo(max),
  budgets: limitsUpTo(max * 3),
  given: amountsUpTo(max),
});

const promotionUpTo = (max: number): fc.Arbitrary<Promotion> => {
  const basisPoints = fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(1000, 5000));
  const days = fc.nat({ max: 30 });
  const [free, discount] = [conditionsUpTo(max), discountUpTo(max)];
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("percent"), basisPoints, ...discount }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("fixed"), amounts: amountsUpTo(max), ...discount }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("trial"), days, ...free }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("feature"),
        featureId: fc.constant("seats"),
        isArchived: mostly(false, true),
        value: days,
        days,
        ...free,
      }),
    },
  );
};

const linesUpTo = (max: number): fc.Arbitrary<Line[]> =>
  fc
    .array(
      fc.record({
        amount: fc.oneof(fc.nat({ max }), fc.nat({ max: 9 })),
        interval: fc.constantFrom("month", "month", "year", "once"),
        trialDays: fc.constantFrom(0, 14),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((lines) =>
      lines.map((line, place) => lineOf(line.amount, { ...line, packageId: `p${place}` })),
    );

/** An order of up to four lines of at most this amount each, with promotions. */
export const anyOrderUpTo = (max: number): fc.Arbitrary<Order> =>
  fc.record({
    lines: linesUpTo(max),
    promotions: fc
      .array(promotionUpTo(max), { maxLength: 6 })
      .map((promotions) =>
        promotions.map((one, place) => ({ ...one, id: `${place}`, name: `${place}` })),
      ),
    buyer: fc.record({ hasHeldAnything: fc.boolean(), hasPaid: fc.boolean() }),
    at: fc.constant(at),
  });

/** From a few cents to the largest amount. */
export const anyOrder = fc.constantFrom(20, 10_000, 249_999_999_999_999).chain(anyOrderUpTo);
