import { t } from "@lingui/core/macro";
import { Suspense, useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { Money } from "#ui/money/Money.tsx";
import { isBack } from "#ui/money/transactionLabels.ts";
import { part } from "#ui/page/lazyPart.tsx";
import type { Transaction } from "./queries.ts";

const TagDialog = part(async () => (await import("./TagDialog.tsx")).TagDialog);

type Props = { rows: Transaction[]; clear: () => void; mayWrite: boolean };

/** The sum of the selected rows per currency, and what can be done with all of them. */
export const Bulk = ({ rows, clear, mayWrite }: Props) => {
  const [isTagging, setTagging] = useState(false);
  const sums = new Map<string, number>();
  for (const one of rows)
    sums.set(one.currency, (sums.get(one.currency) ?? 0) + (isBack(one) ? -one.total : one.total));
  return (
    <>
      {[...sums].map(([currency, sum]) => (
        <span key={currency} className="bulk-sum">
          <Money amount={Math.abs(sum)} currency={currency} isMinus={sum < 0} />
        </span>
      ))}
      {mayWrite && (
        <button type="button" onClick={() => setTagging(true)}>
          <Icon name="flag" />
          {t`Add tag`}
        </button>
      )}
      <Suspense>
        {isTagging && <TagDialog rows={rows} onClose={() => setTagging(false)} onDone={clear} />}
      </Suspense>
    </>
  );
};
