import { exponentOf } from "@purser/contract/fields/amounts";
import { type Books, paidLines, pausesOf } from "./books.testing.ts";
import type { Step } from "./engine.testing.ts";
import type { Run } from "./reports.testing.ts";

// What histories are about, to prove that the generator reaches every case.

type Case = (step: Step) => boolean;

const kindsOf = ({ outcome }: Step) =>
  Object.keys(outcome.entries).map((key) => key.split(" ")[0] ?? "");

const accountsOf = ({ outcome }: Step) =>
  Object.values(outcome.entries).flatMap((postings) => Object.keys(postings));

const linesOf = ({ outcome }: Step) => outcome.credits.map((credit) => credit.split(" ")[0]);

const isCharge =
  (kind: string): Case =>
  ({ fact }) =>
    fact.fact === "charge" && fact.kind === kind;

const isRefund =
  (wanted: string): Case =>
  (step) =>
    step.fact.fact === "refund" &&
    [step.fact.of, step.fact.to].some((word) => word === wanted) &&
    kindsOf(step).length > 0;

const ofSteps: Record<string, Case> = {
  purchase: isCharge("purchase"),
  renewal: isCharge("renewal"),
  change: isCharge("change"),
  "several lines": ({ fact }) => fact.fact === "charge" && fact.items.length > 1,
  "free days": ({ fact }) => fact.fact === "charge" && fact.freeDays > 0,
  "paid with balance and cash": ({ outcome: { payment } }) =>
    payment !== null && payment.fromBalance > 0 && payment.due > 0,
  "paid with credits and balance": ({ outcome: { payment } }) =>
    payment !== null && payment.fromBalance > 0 && payment.fromCredits > 0,
  "more credits than the price": ({ outcome: { payment } }) => (payment?.toBalance ?? 0) > 0,
  "rest of credits to the payment method": (step) =>
    step.fact.fact === "charge" && kindsOf(step).includes("refund"),
  "credits of several lines": (step) => isCharge("change")(step) && new Set(linesOf(step)).size > 1,
  "late payment": (step) => step.fact.fact === "payment" && kindsOf(step).includes("sale"),
  "payment for something withdrawn": (step) => kindsOf(step).includes("payment"),
  "repeated payment": (step) => step.fact.fact === "payment" && kindsOf(step).length === 0,
  "repeated money back": (step) => step.fact.fact === "money back" && kindsOf(step).length === 0,
  "full refund": isRefund("full"),
  "refund of unused time": isRefund("unused"),
  "refund of an amount": isRefund("amount"),
  "refund to the balance": isRefund("balance"),
  "refund to the payment method": isRefund("payment method"),
  chargeback: (step) => kindsOf(step).includes("chargeback"),
  "money back from the balance": (step) =>
    step.fact.fact === "money back" && accountsOf(step).includes("balance"),
  "money back that is owed": (step) =>
    step.fact.fact === "money back" && accountsOf(step).includes("receivable"),
  "write-off": (step) => accountsOf(step).includes("write-offs"),
  "team credit": (step) => accountsOf(step).includes("team credits"),
  fee: (step) => accountsOf(step).includes("fees"),
};

const clocks = new Map(
  ["Europe/Berlin", "America/Los_Angeles", "Pacific/Apia"].map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }),
  ]),
);

const offsetIn = (zone: string, at: Date) =>
  clocks
    .get(zone)
    ?.formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;

/** Whether clocks change during a paid period. */
const hasClockChange = (books: Books) =>
  paidLines(books).some(
    ({ period }) =>
      period && offsetIn(books.world.zone, period.start) !== offsetIn(books.world.zone, period.end),
  );

const clockChangeIn = (zone: string): [string, (books: Books) => boolean] => [
  `clock change in ${zone}`,
  (books) => books.world.zone === zone && hasClockChange(books),
];

const withDecimals = (count: number): [string, (books: Books) => boolean] => [
  `currency with ${count} decimals`,
  ({ transactions }) =>
    transactions.values().some(({ fact }) => exponentOf(fact.currency) === count),
];

const ofBooks: Record<string, (books: Books) => boolean> = {
  ...Object.fromEntries([...clocks.keys()].map(clockChangeIn)),
  ...Object.fromEntries([0, 2, 3, 4].map(withDecimals)),
  "company in UTC": ({ world }) => world.zone === "UTC",
  "held credit": ({ credits }) => credits.some(({ state }) => state === "held"),
  "released credit": ({ credits }) => credits.some(({ state }) => state === "released"),
  "time behind credited time": ({ credits }) =>
    credits.some(({ line, unused, state }, place) =>
      credits
        .slice(0, place)
        .some(
          (earlier) =>
            earlier.line === line &&
            earlier.state === "applied" &&
            state === "applied" &&
            unused &&
            earlier.unused &&
            earlier.unused.start < unused.start,
        ),
    ),
  "credit after a pause": (books) =>
    books.credits.some(({ line, unused }) => unused && pausesOf(books, line).length > 0),
  "pause before the paid period": (books) =>
    books.credits.some(({ line }) =>
      pausesOf(books, line).some(({ pausedAt }) => line.period && pausedAt < line.period.start),
    ),
};

export const allCases = [...Object.keys(ofSteps), ...Object.keys(ofBooks)];

export const casesOf = ({ engine: { books, steps } }: Run) => [
  ...Object.keys(ofSteps).filter((name) => steps.some((step) => ofSteps[name]?.(step))),
  ...Object.keys(ofBooks).filter((name) => ofBooks[name]?.(books)),
];
