import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "./transactions.css";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { formatDateTime, formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { linkOf as packageLink } from "#screens/packages/queries.ts";
import { linkOf as userLink } from "#screens/users/queries.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { RecordComments } from "#ui/comments/RecordComments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { Raw, RecordTabs } from "#ui/record/Record.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { TransactionDocuments } from "./documents/TransactionDocuments.tsx";
import { nameOf, packageOf } from "./labels.ts";
import { type Details, detailsQuery, linkOf } from "./queries.ts";
import { TransactionActivity } from "./view/Activity.tsx";
import { Amounts } from "./view/Amounts.tsx";
import { Credits } from "./view/Credits.tsx";
import { Granted } from "./view/Granted.tsx";
import { Lines } from "./view/Lines.tsx";
import { PaymentTimeline } from "./view/PaymentTimeline.tsx";
import { Rail } from "./view/Rail.tsx";
import { Reconciliation } from "./view/Reconciliation.tsx";
import { SubscriptionPart } from "./view/Subscription.tsx";
import {
  ActionButtons,
  MoreActions,
  OpenDialog,
  type TransactionAction,
} from "./view/ViewActions.tsx";

const About = ({ stored }: { stored: Details }) => {
  const { kind, package: pack, parent } = stored;
  if (parent) {
    const { number } = parent;
    return (
      <>
        {kindLabels[kind]}
        <span className="dot" />
        <Trans>
          for{" "}
          <Link to={linkOf(parent)} className="sentence-link mono">
            {number}
          </Link>
        </Trans>
      </>
    );
  }
  if (!pack) return kindLabels[kind];
  return (
    <>
      {kindLabels[kind]}
      <span className="dot" />
      <Link to={packageLink(pack)} className="sentence-link">
        {packageOf(stored)}
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
      <Reference value={stored.number} copyLabel={t`Copy number`} />
      <span className="dot" />
      <About stored={stored} />
      <span className="dot" />
      <Link to={userLink(stored.user)} className="sentence-link">
        {nameOf(stored.user)}
      </Link>
      <span className="dot" />
      <time dateTime={stored.occurredAt} data-tip={formatExact(zone, at)}>
        {formatDateTime(zone, at)}
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
      does: t`Edit transaction`,
      group: "records",
      run: () => navigate({ to }),
    },
  ]);
  return (
    <Button component={Link} to={to} variant="default" leftSection={<Icon name="pencil" />}>
      {t`Edit`}
    </Button>
  );
};

const Shown = ({ stored }: { stored: Details }) => {
  const { tab } = useSearch({ from: "/transaction/view/$id" });
  const mayWrite = useMay("transactions:write");
  const [chosen, setChosen] = useState<TransactionAction | null>(null);
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
        parent={{ label: t`Transactions`, to: "/transaction" }}
        meta={<Status status={stateLabels[stored.state]} loud />}
        facts={<HeadFacts stored={stored} />}
        actions={
          mayWrite && (
            <>
              <ActionButtons stored={stored} onChoose={setChosen} />
              <EditLink id={id} />
              <MoreActions stored={stored} onChoose={setChosen} />
            </>
          )
        }
      />
      <RecordTabs current={tab} />
      <div className="record-columns">
        <div className="record-main">
          {tab === undefined && (
            <>
              <PaymentTimeline stored={stored} />
              <Reconciliation stored={stored} />
              <Lines stored={stored} />
              <Credits stored={stored} />
              <Amounts stored={stored} />
              <Granted stored={stored} />
              <TransactionDocuments stored={stored} />
            </>
          )}
          {tab === "activity" && (
            <>
              <RecordComments entity="transactions" id={stored.id} />
              <TransactionActivity stored={stored} />
            </>
          )}
          {tab === "raw" && <Raw record={stored} />}
        </div>
        <aside className="record-rail">
          <Rail stored={stored}>
            {stored.subscriptionId && <SubscriptionPart id={stored.subscriptionId} />}
          </Rail>
        </aside>
      </div>
      <OpenDialog stored={stored} chosen={chosen} onClose={() => setChosen(null)} />
    </div>
  );
};

export const ViewTransaction = () => {
  const { id } = useParams({ from: "/transaction/view/$id" });
  const mayRead = useMay("transactions:read");
  const { data: stored, error, refetch } = useQuery({ ...detailsQuery(id), enabled: mayRead });
  if (!mayRead) return <Forbidden permission="transactions:read" />;
  if (error && !stored) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return stored ? <Shown stored={stored} /> : <RecordSkeleton />;
};
