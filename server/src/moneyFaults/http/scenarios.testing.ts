import fc from "fast-check";

// What the team does for one customer through the API. Steps choose among what there is by number, so that a scenario
// stays valid when fast-check removes steps from it.

export type Place = {
  zone: string;
  startsAt: Date;
  currency: string;
  taxIncluded: boolean;
  country: string;
};

/** Paid at once, or pending until a later step. */
type Pays = "now" | "later";
type Rest = "balance" | "payment method";

type Action =
  | {
      does: "buy";
      pack: number;
      term: number;
      quantity: number;
      /** Units of an add-on in the same sale. */
      addOns: number;
      useBalance: boolean;
      pays: Pays;
    }
  | { does: "buy once"; quantity: number; useBalance: boolean }
  | {
      does: "change";
      which: number;
      pack: number;
      term: number;
      quantity: number;
      rest: Rest;
      pays: Pays;
    }
  | { does: "change quantity"; which: number; quantity: number; rest: Rest; pays: Pays }
  | {
      does: "refund";
      which: number;
      of: "full" | "unused" | "amount";
      /** By line, in relation to what is left of it. */
      parts: readonly number[];
      to: Rest;
      access: "keep" | "end now" | "end with period";
    }
  | { does: "adjust balance"; amount: number }
  | { does: "pause" | "resume" | "withdraw" | "pay"; which: number }
  | { does: "dispute"; which: number; isLost: boolean };

type Wait = { ms: number } | { untilPeriodEndPlusMs: number };
export type Step = Action & { after: Wait };
export type Scenario = { place: Place; steps: readonly Step[] };

const packCount = 3;
const termCount = 4;

const [secondMs, minuteMs, dayMs] = [1000, 60_000, 86_400_000];

const upTo = (max: number) => fc.nat({ max });
const pays = fc.constantFrom<Pays[]>("now", "now", "later");
const rest = fc.constantFrom<Rest[]>("balance", "balance", "payment method");
const quantity = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1000 }));
const which = upTo(11);
const pack = upTo(packCount - 1);
const term = upTo(termCount - 1);
const useBalance = fc.constantFrom(true, true, false);

const buy = fc.record({
  does: fc.constant("buy" as const),
  pack,
  term,
  quantity,
  addOns: fc.constantFrom(0, 0, 1, 7),
  useBalance,
  pays,
});
const change = fc.record({
  does: fc.constant("change" as const),
  which,
  pack,
  term,
  quantity,
  rest,
  pays,
});
const changeQuantity = fc.record({
  does: fc.constant("change quantity" as const),
  which,
  quantity,
  rest,
  pays,
});
const refund = fc.record({
  does: fc.constant("refund" as const),
  which,
  of: fc.constantFrom("full", "unused", "unused", "amount", "amount"),
  parts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 }),
  to: fc.constantFrom<Rest[]>("balance", "payment method"),
  access: fc.constantFrom("keep", "keep", "keep", "end now", "end with period"),
});
const adjust = fc.record({
  does: fc.constant("adjust balance" as const),
  amount: fc.integer({ min: -20_000, max: 50_000 }),
});
const buyOnce = fc.record({ does: fc.constant("buy once" as const), quantity, useBalance });
const turn = (does: "pause" | "resume" | "withdraw" | "pay") =>
  fc.record({ does: fc.constant(does), which });
const dispute = fc.record({
  does: fc.constant("dispute" as const),
  which,
  isLost: fc.constantFrom(true, true, false),
});

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  ...[buy, buy, buyOnce],
  ...[change, change, change, changeQuantity, changeQuantity],
  ...[refund, refund, refund, refund],
  ...[adjust, adjust, turn("pause"), turn("pause"), turn("resume"), turn("resume")],
  ...[turn("pay"), turn("pay"), turn("pay"), turn("withdraw"), dispute],
);

const anyWait: fc.Arbitrary<Wait> = fc.oneof(
  fc.record({ ms: fc.constantFrom(0, secondMs, 10 * minuteMs) }),
  fc.record({ ms: upTo(3 * dayMs) }),
  fc.record({ ms: upTo(20 * 86_400).map((seconds) => seconds * secondMs) }),
  fc.record({ untilPeriodEndPlusMs: fc.constantFrom(0, 1, -1, -secondMs, -dayMs) }),
);

/** Includes the hours around clock changes, and days that not every month has. */
const anyStart = fc
  .oneof(
    fc.constantFrom(
      ...["2027-03-28T01:00:00Z", "2027-10-31T01:00:00Z", "2028-01-31T23:00:00Z"].map(Date.parse),
      ...["2027-03-14T10:00:00Z", "2027-11-07T09:00:00Z", "2028-02-29T12:00:00Z"].map(Date.parse),
    ),
    upTo(1000).map((days) => Date.UTC(2027, 0, 1) + days * dayMs),
  )
  .chain((near) =>
    fc.integer({ min: -7200, max: 7200 }).map((apart) => new Date(near + apart * secondMs)),
  );

const anyPlace: fc.Arbitrary<Place> = fc.record({
  zone: fc.constantFrom("UTC", "Europe/Berlin", "America/Los_Angeles"),
  startsAt: anyStart,
  currency: fc.constantFrom("JPY", "EUR", "KWD", "CLF"),
  taxIncluded: fc.boolean(),
  country: fc.constantFrom("DE", "FI", "JP", "CH"),
});

const stepOf = (action: fc.Arbitrary<Action>): fc.Arbitrary<Step> =>
  fc.record({ after: anyWait, action }).map(({ after, action }) => ({ ...action, after }));

/** Actions that are rarely generated in this order. */
const chapterOf = (...actions: fc.Arbitrary<Action>[]) =>
  fc.tuple(...actions.map((action) => stepOf(action)));

const later = { pays: "later" as const };
const anyChapter = fc.oneof(
  ...Array.from({ length: 8 }, () => stepOf(anyAction).map((step) => [step])),
  chapterOf(turn("pause"), turn("resume"), fc.oneof(refund, change, changeQuantity)),
  chapterOf(
    change.map((one) => ({ ...one, ...later })),
    turn("pay"),
  ),
  chapterOf(
    changeQuantity.map((one) => ({ ...one, ...later })),
    turn("pay"),
  ),
);

const printed = ({ place, steps }: Scenario) =>
  [place, ...steps].map((one) => `\n  ${JSON.stringify(one)}`).join("");

export const anyScenario: fc.Arbitrary<Scenario> = fc.noBias(
  fc
    .record({
      place: anyPlace,
      first: stepOf(buy),
      chapters: fc.array(anyChapter, { minLength: 3, maxLength: 9, size: "max" }),
    })
    .map(({ place, first, chapters }) => ({ place, steps: [first, ...chapters.flat()] }))
    .map((scenario) => ({ ...scenario, [fc.toStringMethod]: () => printed(scenario) })),
);
