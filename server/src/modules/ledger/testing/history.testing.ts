import fc from "fast-check";

// What customers, the team and providers do, in the order in which it happens. Actions choose among what there is
// by number, so that a history stays valid when fast-check removes actions from it.

export type Interval = "day" | "week" | "month" | "year" | "once";

export type TaxTerms = {
  taxTreatment: "rate" | "none" | "reverse charge" | "exempt";
  taxCountry: string | null;
  taxRegion: string | null;
  taxBasisPoints: number | null;
};

export type DiscountTerms = {
  level: "line" | "order";
  basisPoints: number | null;
  /** If it is not a percentage. */
  amount: number;
  /** For how many payments. */
  payments: number;
};

type Price = { unitAmount: number; interval: Interval; intervalCount: number };
export type Item = Price & { quantity: number; tax: TaxTerms };

/** Paid at once, paid but reported late, or not paid yet. */
type Pays = "now" | "late" | "open";
type Report = { isLate: boolean };
type Charge = { discount: DiscountTerms | null; useBalance: boolean; pays: Pays };

type Deed =
  | ({
      does: "buy";
      customer: number;
      currency: number;
      items: readonly Item[];
      freeDays: number;
    } & Charge)
  | { does: "renew"; which: number; useBalance: boolean; pays: Pays }
  | ({
      does: "change";
      which: number;
      /** Null changes only the quantity. */
      price: Price | null;
      quantity: number;
      rest: "balance" | "payment method";
    } & Charge)
  | { does: "pause" | "resume" | "end" | "withdraw"; which: number }
  | ({ does: "pay"; which: number } & Report)
  | ({ does: "charge back"; which: number } & Report)
  | ({ does: "refund at the provider"; which: number; amount: number } & Report)
  | ({ does: "charge a fee"; customer: number; currency: number; amount: number } & Report)
  | {
      does: "refund";
      which: number;
      of: "full" | "unused" | "amount";
      amounts: readonly number[];
      to: "balance" | "payment method";
      endsAccess: boolean;
      /** How long before the refund its preview was. */
      earlierMs: number;
    }
  | { does: "add balance" | "remove balance"; customer: number; currency: number; amount: number }
  | { does: "write off"; customer: number; currency: number; amount: number }
  | { does: "deliver"; order: number; isRepeated: boolean };

/** Until the next end of a period, or that much before or after it. */
type Wait = { ms: number } | { untilPeriodEndPlusMs: number };

export type Action = Deed & { after: Wait };

export type World = {
  zone: string;
  startsAt: Date;
  customers: number;
  currencies: readonly { code: string; taxIncluded: boolean }[];
};

export type History = { world: World; actions: readonly Action[] };

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];

const upTo = (max: number) => fc.nat({ max });

/** Mostly the first value. */
const mostly = <const T>(first: T, ...others: T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(first) }, fc.constantFrom(...others));

/** A few minor units, for which rounding matters most, everyday prices and large ones. */
const anyAmount = fc.oneof(
  { weight: 3, arbitrary: upTo(20) },
  { weight: 6, arbitrary: upTo(50_000) },
  { weight: 1, arbitrary: upTo(99_999_999_999) },
);

const rate = (taxCountry: string, taxBasisPoints: number, taxRegion: string | null = null) =>
  ({ taxTreatment: "rate", taxCountry, taxRegion, taxBasisPoints }) as const;
const untaxed = (taxTreatment: "none" | "reverse charge" | "exempt") =>
  ({ taxTreatment, taxCountry: null, taxRegion: null, taxBasisPoints: null }) as const;

const anyTax: fc.Arbitrary<TaxTerms> = fc.constantFrom<TaxTerms[]>(
  rate("DE", 1900),
  rate("DE", 700),
  rate("FI", 2550),
  rate("JP", 1000),
  rate("US", 825, "New York"),
  rate("XX", 10_000),
  rate("MT", 0),
  untaxed("none"),
  untaxed("reverse charge"),
  untaxed("exempt"),
);

const anyQuantity = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1000 }) },
);

const intervals: Interval[] = ["month", "month", "month", "year", "week", "day"];
const anyPrice = fc.record({
  unitAmount: anyAmount,
  interval: fc.constantFrom(...intervals),
  intervalCount: mostly(1, 2, 3),
});
const anyItem: fc.Arbitrary<Item> = fc.record({
  unitAmount: anyAmount,
  interval: fc.constantFrom<Interval[]>(...intervals, ...intervals, "once"),
  intervalCount: mostly(1, 2, 3),
  quantity: anyQuantity,
  tax: anyTax,
});

const anyDiscount = fc.option(
  fc.record({
    level: fc.constantFrom("line" as const, "order" as const),
    basisPoints: fc.option(fc.integer({ min: 1, max: 10_000 }), { freq: 2 }),
    amount: anyAmount,
    payments: mostly(1, 2, 1000),
  }),
  { freq: 1 },
);

const charge = {
  discount: anyDiscount,
  useBalance: mostly(true, false),
  pays: fc.constantFrom<Pays[]>("now", "now", "now", "now", "late", "open"),
};
const which = upTo(11);
const wallet = { customer: upTo(1), currency: upTo(1) };
const isLate = mostly(false, true);
const repeated = <T>(times: number, value: T) => Array.from({ length: times }, () => value);

const buy = fc.record({
  does: fc.constant("buy" as const),
  ...wallet,
  items: fc.array(anyItem, { minLength: 1, maxLength: 3 }),
  freeDays: mostly(0, 1, 14, 30),
  ...charge,
});
const renew = fc.record({
  does: fc.constant("renew" as const),
  which,
  useBalance: charge.useBalance,
  pays: charge.pays,
});
const change = fc.record({
  does: fc.constant("change" as const),
  which,
  price: fc.option(anyPrice, { freq: 2 }),
  quantity: anyQuantity,
  rest: mostly("balance", "payment method"),
  ...charge,
});
const refund = fc.record({
  does: fc.constant("refund" as const),
  which,
  of: fc.constantFrom("full", "unused", "unused", "amount", "amount"),
  amounts: fc.array(anyAmount, { minLength: 3, maxLength: 3 }),
  to: fc.constantFrom("balance", "payment method"),
  endsAccess: mostly(false, true),
  earlierMs: mostly(0, secondMs, 5 * minuteMs, 3 * dayMs),
});
const pay = fc.record({ does: fc.constant("pay" as const), which, isLate });
const chargeBack = fc.record({ does: fc.constant("charge back" as const), which, isLate });
const refundAtProvider = fc.record({
  does: fc.constant("refund at the provider" as const),
  which,
  amount: anyAmount,
  isLate,
});
const fee = fc.record({
  does: fc.constant("charge a fee" as const),
  ...wallet,
  amount: upTo(90),
  isLate,
});
const ofTeam = (...does: ("add balance" | "remove balance" | "write off")[]) =>
  fc.record({ does: fc.constantFrom(...does), ...wallet, amount: anyAmount });
const turn = (...does: ("pause" | "resume" | "end" | "withdraw")[]) =>
  fc.record({ does: fc.constantFrom(...does), which });
const deliver = fc.record({
  does: fc.constant("deliver" as const),
  order: upTo(50),
  isRepeated: fc.boolean(),
});

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  ...repeated(3, buy),
  ...repeated(4, renew),
  ...repeated(6, change),
  ...repeated(5, refund),
  ...repeated(3, pay),
  ...repeated(2, chargeBack),
  refundAtProvider,
  fee,
  ofTeam("add balance", "remove balance", "write off"),
  turn("pause", "pause", "resume", "resume", "end", "withdraw", "withdraw"),
  deliver,
);

const anyWait: fc.Arbitrary<Wait> = fc.oneof(
  fc.record({ ms: fc.constant(0) }),
  fc.record({ ms: upTo(5000).map((count) => count * secondMs) }),
  fc.record({ ms: upTo(3 * dayMs) }),
  fc.record({ ms: upTo(40 * 86_400).map((count) => count * secondMs) }),
  fc.record({ untilPeriodEndPlusMs: fc.constantFrom(0, -1, 1, -secondMs, secondMs, -dayMs) }),
);

/** Includes the hours around clock changes, and days that not every month has. */
const anyStart = fc
  .oneof(
    upTo(4000 * 24).map((hours) => Date.UTC(2017, 0, 1) + hours * hourMs),
    fc.constantFrom(
      ...["2027-03-28T01:00:00Z", "2027-10-31T01:00:00Z", "2027-01-31T23:00:00Z"].map(Date.parse),
      ...["2017-10-15T03:00:00Z", "2018-02-18T02:00:00Z", "2024-02-29T12:00:00Z"].map(Date.parse),
      ...["2026-10-03T15:30:00Z", "2026-04-04T15:00:00Z", "2026-11-01T06:00:00Z"].map(Date.parse),
      ...["2027-03-14T10:00:00Z", "2020-09-26T14:00:00Z", "2021-04-03T14:00:00Z"].map(Date.parse),
    ),
  )
  .chain((near) =>
    fc.integer({ min: -7200, max: 7200 }).map((apart) => new Date(near + apart * secondMs)),
  );

const anyCurrency = fc.record({
  // With 0, 2, 3 and 4 decimals.
  code: fc.constantFrom("JPY", "EUR", "KWD", "CLF"),
  taxIncluded: fc.boolean(),
});

const anyWorld: fc.Arbitrary<World> = fc.record({
  zone: fc.constantFrom(
    ...["Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata"],
    ...["America/New_York", "Australia/Lord_Howe"],
    ...["UTC", "America/Los_Angeles", "Pacific/Apia"],
  ),
  startsAt: anyStart,
  customers: mostly(1, 2),
  currencies: fc.uniqueArray(anyCurrency, {
    minLength: 1,
    maxLength: 2,
    selector: ({ code }) => code,
  }),
});

const actionOf = (deed: fc.Arbitrary<Deed>): fc.Arbitrary<Action> =>
  fc.record({ after: anyWait, deed }).map(({ after, deed }) => ({ ...deed, after }));

/** Actions that are rarely generated in this order, with gaps, so that it can be shrunk. */
const chapterOf = (...deeds: fc.Arbitrary<Deed>[]) =>
  fc
    .tuple(...deeds.map((deed) => fc.option(actionOf(deed), { freq: 20 })))
    .map((actions) => actions.filter((action) => action !== null));

const openChange = change.map((deed) => ({ ...deed, pays: "open" as const }));
const refundOfUnused = refund.map((deed) => ({
  ...deed,
  of: "unused" as const,
  endsAccess: false,
  earlierMs: 3 * dayMs,
}));

const anyChapter = fc.oneof(
  ...repeated(
    12,
    actionOf(anyDeed).map((action) => [action]),
  ),
  ...repeated(2, chapterOf(turn("pause"), turn("resume"), fc.oneof(refund, change))),
  chapterOf(turn("pause"), turn("resume"), renew, change),
  ...repeated(2, chapterOf(openChange, refundOfUnused, turn("withdraw"), refundOfUnused)),
  chapterOf(change, chargeBack, ofTeam("write off")),
  chapterOf(renew, openChange, turn("withdraw"), pay),
);

const printed = ({ world, actions }: History) =>
  [world, ...actions].map((one) => `\n  ${JSON.stringify(one)}`).join("");

/** A history of one or two customers. Without bias, because short histories have few cases. */
export const anyHistory: fc.Arbitrary<History> = fc.noBias(
  fc
    .record({
      world: anyWorld,
      first: actionOf(buy),
      chapters: fc.array(anyChapter, { maxLength: 16, size: "max" }),
    })
    .map(({ world, first, chapters }) => ({ world, actions: [first, ...chapters.flat()] }))
    .map((history) => ({ ...history, [fc.toStringMethod]: () => printed(history) })),
);
