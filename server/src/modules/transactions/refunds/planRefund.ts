import {
  type CreditableLine,
  creditAmount,
  creditUnused,
  type Pause,
  paidClockAt,
  restOf,
} from "#modules/billing/credits.ts";
import type { LineCredit } from "../lines/lineQueries.ts";

type Line = CreditableLine & { id: string; pauses: readonly Pause[] };

export type WantedRefund =
  | { of: "full" }
  | { of: "unused"; at: Date }
  | { of: "total"; amount: number }
  | { of: "amount"; lines: readonly { lineId: string; amount: number }[] };

/** The unused value of a line, or all of it if it has no end. */
const creditRest = (line: Line, at: Date) =>
  line.period ? creditUnused(line, paidClockAt(at, line.pauses)) : creditAmount(line, restOf(line));

export const unusedOf = (line: Line, at: Date) => creditRest(line, at)?.gross ?? 0;

const creditOf = (line: Line, wanted: Exclude<WantedRefund, { of: "total" }>) => {
  switch (wanted.of) {
    case "full":
      return creditAmount(line, restOf(line));
    case "unused":
      return creditRest(line, wanted.at);
    case "amount": {
      const amount = wanted.lines.find(({ lineId }) => lineId === line.id)?.amount ?? 0;
      return creditAmount(line, amount);
    }
  }
};

/** Takes an amount from the lines in their order, until it is reached. */
export const creditInOrder = (lines: readonly Line[], amount: number): LineCredit[] => {
  let left = amount;
  return lines.flatMap((line) => {
    const part = Math.min(left, restOf(line));
    left -= part;
    return part > 0 ? [{ lineId: line.id, ...creditAmount(line, part) }] : [];
  });
};

/** What a refund takes back of each line. */
export const planRefund = (lines: readonly Line[], wanted: WantedRefund): LineCredit[] =>
  wanted.of === "total"
    ? creditInOrder(lines, wanted.amount)
    : lines.flatMap((line) => {
        const credit = creditOf(line, wanted);
        return credit && credit.gross > 0 ? [{ lineId: line.id, ...credit }] : [];
      });
