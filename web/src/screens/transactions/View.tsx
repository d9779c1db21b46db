import "./transactions.css";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { formatDate, formatExact, formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { linkOf as userLink } from "#screens/users/queries.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Forbidden } from "#ui/page/Empty.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { Raw, RecordTabs } from "#ui/record/Record.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { intervalOf, nameOf } from "./labels.ts";
import { type Details, detailsQuery, linkOf } from "./queries.ts";
import { TransactionActivity } from "./view/Activity.tsx";
import { Amounts } from "./view/Amounts.tsx";
import { Granted } from "./view/Granted.tsx";
import { PaymentTimeline } from "./view/PaymentTimeline.tsx";
import { Rail } from "./view/Rail.tsx";
import { Reconciliation } from "./view/Reconciliation.tsx";
import { SubscriptionPart } from "./view/Subscription.tsx";
import { ActionButtons, type Asked, Asking, MoreActions } from "./view/ViewActions.tsx";

const About = ({ stored }: { stored: Details }) => {
  const { kind, package: pack, parent } = stored;
  if (parent)
    return (
      <>
        {kindLabels[kind]} of{" "}
        <Link to={linkOf(parent)} className="sentence-link mono">
          {parent.number}
        </Link>
      </>
    );
  if (!pack) return kindLabels[kind];
  return (
    <>
      {kindLabels[kind]} of{" "}
      <Link to={packageLink(pack)} className="sentence-link">
        {[pack.name, intervalOf(stored)].filter(Boolean).join(", ")}
      </Link>
    </>
  );
};

/** Type, customer and time, in one line below the amount. */
const HeadFacts = ({ stored }: { stored: Details }) => {
  const zone = useTimeZone();
  const at = new Date(stored.occurredAt);
  return (
    <>
      <Reference value={stored.number} what="the number" />
      <span className="dot" />
      <About stored={stored} /> by{" "}
      <Link to={userLink(stored.user)} className="sentence-link">
        {nameOf(stored.user)}
      </Link>
      <span className="dot" />
      <time dateTime={stored.occurredAt} data-tip={formatExact(zone, at)}>
        {formatDate(zone, at)}, {formatTime(zone, at)}
      </time>
    </>
  );
};

const EditLink = ({ id }: { id: string }) => {
  const navigate = useNavigate();
  const to: string = `/transaction/edit/${id}`;
  useShortcuts([
    {
      keys: "e",
      does: "Edit transaction",
      group: "Records and forms",
      run: () => navigate({ to }),
    },
  ]);
  return (
    <Button component={Link} to={to} variant="default" leftSection={<Icon name="pencil" />}>
      Edit
    </Button>
  );
};

const Shown = ({ stored }: { stored: Details }) => {
  const { tab } = useSearch({ from: "/transaction/view/$id" });
  const mayWrite = useMay("transactions:write");
  const [asked, setAsked] = useState<Asked | null>(null);
  const { id, number, total, currency } = stored;
  useEffect(
    () => rememberRecord({ path: linkOf({ id }), label: number, icon: "receipt" }),
    [id, number],
  );
  return (
    <div className="record">
      <PageHead
        title={number}
        heading={<Money amount={total} currency={currency} size="hero" isMinus={isBack(stored)} />}
        parent={{ label: "Transactions", to: "/transaction" }}
        meta={<Status status={stateLabels[stored.state]} loud />}
        facts={<HeadFacts stored={stored} />}
        acts={
          mayWrite && (
            <>
              <ActionButtons stored={stored} onAsk={setAsked} />
              <EditLink id={id} />
              <MoreActions stored={stored} onAsk={setAsked} />
            </>
          )
        }
      />
      <RecordTabs one="transaction" current={tab} />
      <div className="record-columns">
        <div className="record-main">
          {tab === undefined && (
            <>
              <PaymentTimeline stored={stored} />
              <Reconciliation stored={stored} />
              <Amounts stored={stored} />
              <Granted stored={stored} />
            </>
          )}
          {tab === "activity" && <TransactionActivity stored={stored} />}
          {tab === "raw" && <Raw record={stored} />}
        </div>
        <aside className="record-rail">
          <Rail stored={stored}>
            {stored.subscriptionId && <SubscriptionPart id={stored.subscriptionId} />}
          </Rail>
        </aside>
      </div>
      <Asking stored={stored} asked={asked} onClose={() => setAsked(null)} />
    </div>
  );
};

export const ViewTransaction = () => {
  const { id } = useParams({ from: "/transaction/view/$id" });
  const mayRead = useMay("transactions:read");
  const { data: stored, error, refetch } = useQuery({ ...detailsQuery(id), enabled: mayRead });
  if (!mayRead) return <Forbidden what="transactions" permission="Transactions: read" />;
  if (error && !stored)
    return <Missing one="transaction" id={id} error={error} onRetry={() => refetch()} />;
  return stored ? <Shown stored={stored} /> : <RecordSkeleton />;
};
