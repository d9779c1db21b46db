import type { Balance } from "#screens/transactions/queries.ts";

/** The entries of a balance, newest first, each with the balance of its currency after it. */
export const runningBalances = ({ items, entries }: Balance) => {
  const left = new Map(items.map(({ currency, amount }) => [currency, amount]));
  return entries.map((entry) => {
    const after = left.get(entry.currency) ?? 0;
    left.set(entry.currency, after - entry.amount);
    return { ...entry, after };
  });
};
