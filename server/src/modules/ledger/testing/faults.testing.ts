import type { CreditableLine } from "#modules/billing/credits.ts";
import type { JournalEntry } from "../journal.ts";
import { type Product, product } from "./books.testing.ts";

// Faults that the laws must find, each in one function of the product.

/** The law that finds a fault, and the function that has it. */
type Fault = { law: string; of: Partial<Product> };

const without = ({ kind, postings }: JournalEntry, account: string): JournalEntry => ({
  kind,
  postings: postings.filter((posting) => posting.account !== account),
});

const withCredits = (
  line: CreditableLine,
  isKept: (credit: CreditableLine["credits"][number]) => boolean,
) => ({ ...line, credits: line.credits.filter(isKept) });

/** Each credit rounds its own tax. */
const taxOfOne = ({ net, tax }: CreditableLine, gross: number) =>
  net + tax === 0 ? 0 : Math.min(gross, Math.round((tax * gross) / (net + tax)));

const dayMs = 86_400_000;
const wholeDays = (at: Date) => new Date(Math.round(+at / dayMs) * dayMs);

export const faults: Record<string, Fault> = {
  "time is credited twice": {
    law: "no time is credited twice",
    of: {
      creditUnused: (line, at) =>
        product.creditUnused(
          withCredits(line, ({ unused }) => unused === null),
          at,
        ),
    },
  },
  "a refund above the rest": {
    law: "credits and the kept value are the whole line",
    of: {
      restOf: ({ net, tax }) => net + tax,
      creditAmount: (line, amount) =>
        product.creditAmount(
          withCredits(line, () => false),
          amount,
        ),
    },
  },
  "a missing posting": {
    law: "every entry balances",
    of: { creditEntry: (credits) => without(product.creditEntry(credits), "balance") },
  },
  "a missing entry": {
    law: "the journal has all money",
    of: { creditEntry: () => ({ kind: "credit", postings: [] }) },
  },
  "tax dropped from credits": {
    law: "everything can be refunded",
    of: {
      creditAmount: (line, amount) => {
        const credit = product.creditAmount(line, amount);
        return { ...credit, net: credit.gross, tax: 0 };
      },
    },
  },
  "tax posted to another account": {
    law: "everything can be refunded",
    of: {
      refundEntry: (credits, to) =>
        product.refundEntry(
          credits.map((credit) => ({ ...credit, taxAccount: "tax:unknown" })),
          to,
        ),
    },
  },
  "a period renewed twice": {
    law: "no time is paid twice",
    of: { periodAt: (rhythm, index) => product.periodAt(rhythm, Math.max(0, index - 1)) },
  },
  "a balance below 0": {
    law: "no balance is below 0",
    of: {
      payWith: (total, { credited, balance }) =>
        product.payWith(total, { credited, balance: balance > 0 ? total : 0 }),
    },
  },
  "the length rounded instead of the value": {
    law: "the oracle agrees",
    of: { creditUnused: (line, at) => product.creditUnused(line, wholeDays(at)) },
  },
  "parts that don't add up to the whole": {
    law: "credits and the kept value are the whole line",
    of: {
      creditUnused: (line, at) => {
        const credit = product.creditUnused(line, at);
        if (!credit?.unused || !line.period) return credit;
        const part = +credit.unused.end - +credit.unused.start;
        const whole = +line.period.end - +line.period.start;
        const gross = Math.floor(((line.net + line.tax) * part) / whole);
        const tax = taxOfOne(line, gross);
        return { ...credit, gross, tax, net: gross - tax };
      },
    },
  },
  "tax that isn't cumulative": {
    law: "everything can be refunded",
    of: {
      creditAmount: (line, amount) => {
        const tax = taxOfOne(line, amount);
        return { unused: null, gross: amount, tax, net: amount - tax };
      },
    },
  },
  "amounts that don't lower the value of time": {
    law: "the oracle agrees",
    of: {
      creditUnused: (line, at) => {
        const credit = product.creditUnused(
          withCredits(line, ({ unused }) => unused !== null),
          at,
        );
        const gross = Math.min(credit?.gross ?? 0, product.restOf(line));
        return credit && { ...product.creditAmount(line, gross), unused: credit.unused };
      },
    },
  },
  "pauses that don't stop the clock": {
    law: "the oracle agrees",
    of: { paidClockAt: (at) => at },
  },
  "a resumed period that isn't longer": {
    law: "no time is paid twice",
    of: {
      resumedAt: ({ periodEnd }) => ({ periodEnd, anchor: periodEnd, periodNumber: -1 }),
    },
  },
  "included tax that is added": {
    law: "the oracle agrees",
    of: { taxOf: (price, basisPoints) => product.taxOf(price, basisPoints, false) },
  },
  "a report that counts twice": {
    law: "reports count once, in any order",
    of: { isPosted: () => false },
  },
};
