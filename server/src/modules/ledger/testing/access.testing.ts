import {
  type Books,
  creditable,
  paidLines,
  pausesOf,
  type SoldLine,
  transactionWith,
} from "./books.testing.ts";
import { unusedFrom } from "./oracleLines.testing.ts";
import type { Run } from "./reports.testing.ts";

/** The paid time of a line that isn't credited. */
export const keptParts = (books: Books, line: SoldLine) => {
  if (!line.period) return [];
  const cuts = creditable(books, line).credits.flatMap(({ unused }) =>
    unused ? [{ from: +unused.start, until: +unused.end }] : [],
  );
  const [begins, ends] = [+line.period.start, +line.period.end];
  return unusedFrom({ begins, ends, cuts }, begins);
};

/** When a moment of a line's paid time is reached, or null during a pause without an end. */
const reachedAt = (run: Run, line: SoldLine, moment: number) => {
  let at = moment;
  for (const { pausedAt, resumedAt } of pausesOf(run.engine.books, line)) {
    if (+pausedAt >= at) break;
    if (!resumedAt) return null;
    at += +resumedAt - +pausedAt;
  }
  return at;
};

/** The time that a line pays for, as it passes. */
const accessOf = (run: Run, line: SoldLine) => {
  const { subscriptions } = run.engine.books;
  const endedAt = subscriptions.get(line.subscription ?? "")?.endedAt ?? null;
  const over = endedAt ? +endedAt : Number.POSITIVE_INFINITY;
  return keptParts(run.engine.books, line).flatMap(({ from, until }) => {
    const begins = reachedAt(run, line, from);
    const ends = reachedAt(run, line, until) ?? Number.POSITIVE_INFINITY;
    return begins !== null && begins < Math.min(ends, over)
      ? [{ line: line.id, begins, ends: Math.min(ends, over) }]
      : [];
  });
};

export const timePaidTwice = (run: Run) => {
  const { books } = run.engine;
  const things = Map.groupBy(paidLines(books), (line) => {
    const { fact } = transactionWith(books, line);
    return `${fact.customer} ${line.item.thing}`;
  });
  return [...things.values()].flatMap((lines) => {
    const access = lines
      .flatMap((line) => accessOf(run, line))
      .toSorted((one, other) => one.begins - other.begins);
    return access.flatMap(({ line, begins }, place) => {
      const before = access[place - 1];
      return before && begins < before.ends
        ? [`${line} and ${before.line} both pay for ${new Date(begins).toJSON()}.`]
        : [];
    });
  });
};
