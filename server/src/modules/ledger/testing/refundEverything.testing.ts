import { type Product, postedFor, walletsOf } from "./books.testing.ts";
import { record } from "./engine.testing.ts";
import type { History } from "./history.testing.ts";
import { type Run, transactionsOf } from "./reports.testing.ts";
import { play } from "./run.testing.ts";
import { returnBalances } from "./takingBack.testing.ts";

/** Withdraws what is open, refunds every line and returns the balances. */
const refundEverything = (run: Run) => {
  const { engine, now } = run;
  for (const { state, fact } of transactionsOf(run))
    if (state === "pending") record(engine, { fact: "withdrawal", transaction: fact.id });
  for (const { state, fact } of transactionsOf(run))
    if (state === "paid")
      record(engine, {
        fact: "refund",
        id: `refund of ${fact.id}`,
        transaction: fact.id,
        at: now,
        of: "full",
        amounts: [],
        to: "payment method",
      });
  returnBalances(engine.books);
};

const gifts = new Set(["add balance", "remove balance", "write off"]);

/** What is left on a customer's accounts after everything was refunded, if the team gave nothing away. */
export const leftAfterRefunds = (history: History, product?: Product) => {
  const actions = history.actions.filter(({ does }) => !gifts.has(does));
  const run = play({ ...history, actions }, { product });
  refundEverything(run);
  return walletsOf(history.world).flatMap((wallet) =>
    Object.entries(postedFor(run.engine.books, wallet))
      .filter(([account, amount]) => /^(revenue|balance|tax:.*)$/.test(account) && amount !== 0)
      .map(([account, amount]) => `${wallet} has ${amount} on ${account}.`),
  );
};
