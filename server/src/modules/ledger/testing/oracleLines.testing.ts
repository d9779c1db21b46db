import { least, total } from "./oraclePrices.testing.ts";
import { accrued, roundHalfUp } from "./oracleTime.testing.ts";

export type Line = {
  id: string;
  account: string;
  net: bigint;
  tax: bigint;
  begins: number;
  /** Null without an end. */
  ends: number | null;
  since: number;
  subscription: string | null;
  cuts: Cut[];
};

/** A part that was taken back: time, or an amount if it has no beginning. */
export type Cut = { line: Line; from: number | null; until: number; net: bigint; tax: bigint };

const worth = ({ net, tax }: { net: bigint; tax: bigint }) => net + tax;
export const worthOf = (all: readonly { net: bigint; tax: bigint }[]) => total(all.map(worth));
export const leftOf = (line: Line) => worth(line) - worthOf(line.cuts);

/** The tax of all cuts together is the line's tax in proportion, as near as the line allows. */
const cut = (line: Line, gross: bigint, from: number | null, until: number): Cut => {
  const all = worth(line);
  const before = worthOf(line.cuts);
  const taxBefore = total(line.cuts.map(({ tax }) => tax));
  const wanted = all === 0n ? 0n : roundHalfUp(line.tax * (before + gross), all) - taxBefore;
  const isPossible = (tax: bigint) =>
    tax >= 0n &&
    tax <= gross &&
    taxBefore + tax <= line.tax &&
    before + gross - taxBefore - tax <= line.net;
  let tax = wanted;
  for (let away = 1n; !isPossible(tax); away += 1n)
    tax = isPossible(wanted + away) ? wanted + away : wanted - away;
  const one = { line, from, until, net: gross - tax, tax };
  line.cuts.push(one);
  return one;
};

type Time = Pick<Line, "begins" | "ends"> & { cuts: readonly Pick<Cut, "from" | "until">[] };

/** The parts of the paid time from a moment on that were not taken back. */
export const unusedFrom = ({ begins, ends, cuts }: Time, clock: number) => {
  if (ends === null) return [];
  const first = Math.max(begins, clock);
  const edges = cuts.flatMap(({ from, until }) => (from === null ? [] : [from, until]));
  const moments = [...new Set([first, ends, ...edges])]
    .filter((moment) => moment >= first && moment <= ends)
    .sort((one, other) => one - other);
  const parts: { from: number; until: number }[] = [];
  for (const [place, from] of moments.entries()) {
    const until = moments[place + 1];
    const isCut = cuts.some((one) => one.from !== null && one.from <= from && from < one.until);
    if (until !== undefined && !isCut) parts.push({ from, until });
  }
  return parts;
};

/** Takes back all time from a moment on. */
export const cutUnused = (line: Line, clock: number) =>
  unusedFrom(line, clock).map(({ from, until }) => {
    const value = worth(line) - worthOf(line.cuts.filter((one) => one.from === null));
    const upTo = (moment: number) => accrued(value, line.begins, line.ends ?? 0, moment);
    return cut(line, least(leftOf(line), upTo(until) - upTo(from)), from, until);
  });

/** Takes back an amount, or as much of it as is left. */
export const cutAmount = (line: Line, wanted: bigint) => {
  const amount = least(wanted, leftOf(line));
  return amount > 0n ? [cut(line, amount, null, 0)] : [];
};
