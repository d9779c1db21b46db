import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { BalanceKind } from "@purser/contract/money/balance";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { signedAmount } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { balanceQuery, linkOf } from "#screens/transactions/queries.ts";
import { Day } from "#ui/Moment.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { User } from "../queries.ts";
import { runningBalances } from "./runningBalances.ts";

const BalanceDialog = part(async () => (await import("./BalanceDialog.tsx")).BalanceDialog);

const kindLabels: Record<BalanceKind, string> = {
  credit: t`Credit for a change`,
  payment: t`Payment`,
  "payment returned": t`Payment returned`,
  refund: t`Refund`,
  overpaid: t`Payment without a purchase`,
  chargeback: t`Chargeback`,
  added: t`Added`,
  removed: t`Removed`,
  transfer: t`Transferred`,
};

type Entry = ReturnType<typeof runningBalances>[number];

const EntryRow = ({ entry }: { entry: Entry }) => {
  const { kind, transaction, reason, by, amount, currency, after, createdAt } = entry;
  return (
    <tr>
      <td className="soft">
        <Day at={createdAt} />
      </td>
      <th scope="row">
        {reason ?? kindLabels[kind]}{" "}
        {transaction && (
          <Link to={linkOf(transaction)} className="mono">
            {transaction.number}
          </Link>
        )}
      </th>
      <td className="soft">{by ?? "–"}</td>
      <td className="end">
        {amount > 0 && "+"}
        {signedAmount(amount, currency)}
      </td>
      <td className="end">
        <Money amount={after} currency={currency} />
      </td>
    </tr>
  );
};

const Entries = ({ entries }: { entries: Entry[] }) => (
  <div className="scroll-x">
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Date`}</th>
          <th scope="col">{t`Reason`}</th>
          <th scope="col">{t`By`}</th>
          <th scope="col" className="end">
            {t`Change`}
          </th>
          <th scope="col" className="end">
            {t`Balance`}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  </div>
);

/** What a customer has to spend, and how it came about. */
export const Balance = ({ user }: { user: User }) => {
  const mayWrite = useMay("transactions:write") && user.status !== "erased";
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery(balanceQuery(user.id));
  if (error && !data)
    return <Failed title={t`Couldn't load the balance`} error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title={t`Balance`}
      note={t`used first for the next payment`}
      actions={
        mayWrite && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            {t`Adjust balance`}
          </Button>
        )
      }
    >
      {data?.entries.length === 0 && <p className="soft">{t`No balance yet.`}</p>}
      {data && data.entries.length > 0 && <Entries entries={runningBalances(data)} />}
      <Suspense>{isOpen && <BalanceDialog user={user} onClose={() => setOpen(false)} />}</Suspense>
    </Section>
  );
};
