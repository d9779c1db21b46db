import { Money } from "#ui/money/Money.tsx";
import { isBack } from "#ui/money/transactionLabels.ts";
import type { Transaction } from "./queries.ts";

/** The sum of the selected rows per currency; transactions have no bulk actions. */
export const Bulk = ({ rows }: { rows: Transaction[] }) => {
  const sums = new Map<string, number>();
  for (const one of rows)
    sums.set(one.currency, (sums.get(one.currency) ?? 0) + (isBack(one) ? -one.total : one.total));
  return [...sums].map(([currency, sum]) => (
    <span key={currency} className="bulk-sum">
      <Money amount={Math.abs(sum)} currency={currency} isMinus={sum < 0} />
    </span>
  ));
};
