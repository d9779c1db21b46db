import {
  type Books,
  creditable,
  grossOf,
  type Product,
  paidLines,
  postedFor,
  sumOf,
  walletsOf,
} from "./books.testing.ts";
import { sorted } from "./facts.testing.ts";
import type { History } from "./history.testing.ts";
import type { Run } from "./reports.testing.ts";
import { play } from "./run.testing.ts";

/** What a customer has and owes is one account: a debt depends on whether the balance was there at the time. */
const withoutDebts = ({ balance = 0, receivable = 0, ...others }: Record<string, number>) => ({
  ...others,
  balance: balance + receivable,
});

const creditedOf = (books: Books) =>
  paidLines(books).map((line) => {
    const { credits } = creditable(books, line);
    const credited = [sumOf(credits, grossOf), sumOf(credits, ({ tax }) => tax)];
    return [line.id, [...credited, line.period?.end ?? null]] as const;
  });

const stateOf = ({ engine: { books }, history }: Run, hasDebts: boolean) => ({
  posted: sorted(
    walletsOf(history.world).map((wallet) => {
      const posted = postedFor(books, wallet);
      const sums = Object.entries(hasDebts ? withoutDebts(posted) : posted);
      return [wallet, sorted(sums.filter(([, amount]) => amount !== 0))];
    }),
  ),
  credited: sorted(creditedOf(books)),
});

/** From which action on all reports are late, and the order in which they arrive then. */
export type Replay = { from: number; order: number };

/** What differs if reports arrive in another order and twice. */
export const differencesAfterReplay = (
  history: History,
  { from, order }: Replay,
  product?: Product,
) => {
  const runs = [
    play(history, { product, late: { from, order: 0, isRepeated: false } }),
    play(history, { product, late: { from, order, isRepeated: true } }),
  ];
  const hasDebts = runs.some(({ engine }) => engine.books.receivables.values().some(Boolean));
  const [once, again] = runs.map((run) => JSON.stringify(stateOf(run, hasDebts)));
  return once === again ? [] : [`In order, and once:\n  ${once}\nOtherwise:\n  ${again}`];
};
