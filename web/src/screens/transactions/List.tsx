import "./transactions.css";
import { plural, t } from "@lingui/core/macro";
import { exportTransactions } from "@purser/contract/transactions/endpoints";
import {
  transactionColumns,
  transactionLabels,
  transactionListFields,
} from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { series } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatExact } from "#lib/time/dates.ts";
import { formatShort } from "#lib/time/days.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { linkOf as userLink } from "#screens/users/queries.ts";
import { pendingTransactionsQuery } from "#shell/navigation/pendingQueries.ts";
import { Icon } from "#ui/Icon.tsx";
import type { Column } from "#ui/list/columns/columns.ts";
import type { ListTexts, View } from "#ui/list/declaration.ts";
import { ImportLink } from "#ui/list/ImportLink.tsx";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { CellLink } from "#ui/list/table/CellLink.tsx";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { fieldLabels, intervalOf, nameOf, paidWithLabel } from "./labels.ts";
import { linkOf, readTransaction, readTransactions, sumRows, type Transaction } from "./queries.ts";
import { TransactionMenu } from "./RowMenu.tsx";

// Loaded on demand: most visits to the list open no menu and no dialog.
const Bulk = part(async () => (await import("./Bulk.tsx")).Bulk);
const Overview = part(async () => (await import("./view/Overview.tsx")).Overview);
const UnmatchedEvents = part(async () => (await import("./UnmatchedEvents.tsx")).UnmatchedEvents);
const RefundDialog = part(async () => (await import("./actions/RefundDialog.tsx")).RefundDialog);

/** Includes seconds, because the order within a minute matters in a ledger. */
const Second = ({ at }: { at: string }) => {
  const zone = useTimeZone();
  const when = new Date(at);
  const isThisYear =
    localDateTime(zone, when).slice(0, 4) === localDateTime(zone, currentTime()).slice(0, 4);
  const { date, time } = formatShort(zone, when, !isThisYear);
  return (
    <time dateTime={at} data-tip={formatExact(zone, when)}>
      <span className="soft">{date}</span> {time}
    </time>
  );
};

const copy = (number: string) =>
  attempt(async () => {
    await navigator.clipboard.writeText(number);
    toast(t`${number} copied`);
  });

/** On a refund: the transaction that is refunded. */
const forOriginal = ({ number }: { number: string }) => t`for ${number}`;

// Together they fit a window of 1280 pixels with a scrollbar, so that the amount is never cut off.
const columns: Column<Transaction, typeof transactionListFields>[] = [
  {
    id: "number",
    width: 142,
    cell: ({ number, user }) => (
      <>
        <span className="mono transaction-number">{number}</span>
        {/* On small screens the row is a card, named after the customer. */}
        <span className="transaction-person" aria-hidden="true">
          {nameOf(user)}
        </span>
      </>
    ),
    beside: ({ number }) => (
      <button
        type="button"
        className="row-menu copy-mark"
        aria-label={t`Copy ${number}`}
        tabIndex={-1}
        onClick={() => copy(number)}
      >
        <Icon name="copy" size={13} />
      </button>
    ),
  },
  {
    id: "occurredAt",
    sort: "occurredAt",
    width: 140,
    cell: ({ occurredAt }) => <Second at={occurredAt} />,
  },
  {
    id: "user",
    width: 115,
    grows: true,
    cell: ({ user }) => (
      <CellLink to={userLink(user)}>
        <span className="transaction-user">
          {user.name && <span>{user.name}</span>} <small>{user.email}</small>
        </span>
      </CellLink>
    ),
  },
  {
    id: "package",
    width: 118,
    priority: 2,
    card: "field",
    cell: (one) =>
      one.package ? (
        <>
          {one.package.name} <span className="soft">{intervalOf(one)}</span>
        </>
      ) : (
        <span className="softer">{one.parent ? forOriginal(one.parent) : "–"}</span>
      ),
  },
  {
    id: "kind",
    width: 88,
    priority: 2,
    cell: ({ kind }) => <span className="soft">{kindLabels[kind]}</span>,
  },
  {
    id: "provider",
    width: 96,
    priority: 3,
    cell: ({ reference, ...stored }) => (
      <span className="soft">
        {paidWithLabel(stored)}{" "}
        {reference && (
          <small className="mono softer">
            <bdi>{reference}</bdi>
          </small>
        )}
      </span>
    ),
  },
  {
    id: "state",
    width: 132,
    card: "field",
    cell: ({ state }) => <Status status={stateLabels[state]} />,
  },
  {
    id: "total",
    width: 118,
    align: "end",
    card: "status",
    cell: (one) => <Money amount={one.total} currency={one.currency} isMinus={isBack(one)} />,
  },
  {
    id: "refunded",
    label: transactionLabels.refunded,
    width: 110,
    align: "end",
    spare: true,
    cell: ({ refunded, currency }) =>
      refunded === 0 ? (
        <span className="softer">–</span>
      ) : (
        <Money currency={currency} amount={refunded} />
      ),
  },
  {
    id: "tags",
    width: 160,
    spare: true,
    cell: ({ tags }) => <span className="soft">{tags.length > 0 ? series(tags) : "–"}</span>,
  },
];

const viewsOf = (
  counts: Record<"pending" | "unknown" | "failed" | "disputed", View["total"]> | undefined,
): View[] => [
  { label: t`All`, filter: null },
  { label: t`Pending`, filter: "state:any:pending", total: counts?.pending },
  { label: t`Unknown`, filter: "state:any:unknown", total: counts?.unknown },
  { label: t`Failed`, filter: "state:any:failed", total: counts?.failed },
  { label: t`Disputed`, filter: "state:any:disputed", total: counts?.disputed },
  { label: t`Refunds`, filter: "kind:any:refund,chargeback" },
];

const sums = { read: sumRows, columns: { total: "total", refunded: "refunded" } };

const texts: ListTexts = {
  search: t`Search transactions`,
  searchHint: t`Number, email, reference or invoice`,
  export: t`Export transactions`,
  count: (total) => plural(total, { one: "# transaction", other: "# transactions" }),
  empty: {
    title: t`No transactions yet`,
    help: t`Payments arrive from your providers. You can also record one manually.`,
  },
};

const Transactions = () => {
  const mayWrite = useMay("transactions:write");
  const { data: counts } = useQuery(pendingTransactionsQuery);
  const [refunding, setRefunding] = useState<Transaction | null>(null);
  return (
    <>
      <Suspense>
        <UnmatchedEvents />
      </Suspense>
      <ListScreen
        name="transactions"
        mainDate="occurredAt"
        density="compact"
        sums={sums}
        title={t`Transactions`}
        texts={texts}
        fields={transactionListFields}
        fieldLabels={fieldLabels}
        columns={columns}
        views={viewsOf(counts)}
        read={readTransactions}
        readOne={readTransaction}
        linkOf={linkOf}
        labelOf={({ number }) => number}
        menuOf={(stored, onPreview) => (
          <TransactionMenu stored={stored} onPreview={onPreview} onRefund={setRefunding} />
        )}
        previewOf={(stored) => (
          <Suspense>
            <Overview stored={stored} />
          </Suspense>
        )}
        bulkOf={(rows, clear) => <Bulk rows={rows} clear={clear} mayWrite={mayWrite} />}
        file={{
          path: exportTransactions.path,
          permission: exportTransactions.permission,
          columns: transactionColumns,
        }}
        actions={<ImportLink kind="transactions" />}
        create={mayWrite ? { to: "/transaction/create", label: t`New transaction` } : null}
      />
      <Suspense>
        {refunding && <RefundDialog stored={refunding} onClose={() => setRefunding(null)} />}
      </Suspense>
    </>
  );
};

export const TransactionList = () =>
  useMay("transactions:read") ? <Transactions /> : <Forbidden permission="transactions:read" />;
