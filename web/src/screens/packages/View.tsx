import { t } from "@lingui/core/macro";
import "./packages.css";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { number as grouped } from "#lib/intl.ts";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { RecordComments } from "#ui/comments/RecordComments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { Raw, RecordTabs } from "#ui/record/Record.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { statusOf } from "./labels.ts";
import { Rollouts } from "./publishing/Rollouts.tsx";
import { Scheduled } from "./publishing/Scheduled.tsx";
import {
  isSellable,
  linkOf,
  matrixOf,
  type Package,
  packageQuery,
  shownVersion,
  type Version,
  versionsQuery,
} from "./queries.ts";
import { Subscribers } from "./subscribers/Subscribers.tsx";
import { Versions } from "./versions/Versions.tsx";
import { PackageActivity } from "./view/Activity.tsx";
import { AppsAndFeatures } from "./view/AppsAndFeatures.tsx";
import { ArchivedContents } from "./view/ArchivedContents.tsx";
import { Overview } from "./view/Overview.tsx";
import { Prices } from "./view/Prices.tsx";
import { type Asked, Asking, ViewActions } from "./view/ViewActions.tsx";

/** The current version and the draft, in one line below the name. */
const HeadFacts = ({ stored, versions }: { stored: Package; versions: Version[] }) => {
  const shown = shownVersion(versions);
  const { number = 0, publishedBy = "" } = shown ?? {};
  const draftNumber = stored.draft?.number ?? "";
  return (
    <>
      <Reference value={stored.code} copyLabel={t`Copy code`} />
      {shown?.publishedAt && (
        <>
          <span className="dot" />
          {shown.publishedBy ? (
            <Trans>
              Version {number}, published <Day at={shown.publishedAt} /> by {publishedBy}
            </Trans>
          ) : (
            <Trans>
              Version {number}, published <Day at={shown.publishedAt} />
            </Trans>
          )}
        </>
      )}
      {stored.draft && (
        <>
          <span className="dot" />
          <Link to={matrixOf(stored)} className="draft-link">
            <Icon name="circle-dashed" size={14} />
            {t`Draft of version ${draftNumber}`}
          </Link>
        </>
      )}
    </>
  );
};

/** The number of subscribers, summed over versions because those counts are exact. */
const Figures = ({ versions }: { versions: Version[] }) => {
  const all = versions.reduce((sum, { subscribers }) => sum + subscribers, 0);
  const held = versions.filter(({ subscribers }) => subscribers > 0).length;
  const sold = versions.find(({ state }) => state === "on sale");
  return (
    <div className="package-figures">
      <div>
        <span>{t`Subscribers`}</span>
        <b>{grouped(all)}</b>
      </div>
      <div>
        <span>{t`Versions in use`}</span>
        <b>{grouped(held)}</b>
      </div>
      <div>
        <span>{t`On the current version`}</span>
        <b>{sold ? grouped(sold.subscribers) : t`None`}</b>
      </div>
    </div>
  );
};

const Everything = ({ stored, onGrant }: { stored: Package; onGrant: (() => void) | null }) => {
  const { data: versions } = useQuery(versionsQuery(stored.id));
  const shown = shownVersion(versions);
  return (
    <>
      <ArchivedContents stored={stored} />
      <Scheduled stored={stored} />
      <Prices stored={stored} prices={shown?.prices ?? stored.prices} number={shown?.number} />
      <Versions stored={stored} />
      <Rollouts stored={stored} />
      <AppsAndFeatures stored={stored} />
      <Subscribers stored={stored} onGrant={onGrant} />
    </>
  );
};

const Shown = ({ stored }: { stored: Package }) => {
  const { tab } = useSearch({ from: "/package/view/$id" });
  const canGrant = useMay("users:write") && isSellable(stored);
  const { data: versions = [] } = useQuery(versionsQuery(stored.id));
  const [asked, setAsked] = useState<Asked>(null);
  const { id, name } = stored;
  useEffect(
    () => rememberRecord({ path: linkOf({ id }), label: name, icon: "package" }),
    [id, name],
  );
  return (
    <div className="record">
      <PageHead
        title={name}
        parent={{ label: t`Packages`, to: "/package" }}
        meta={<Status status={statusOf(stored)} loud />}
        facts={<HeadFacts stored={stored} versions={versions} />}
        actions={<ViewActions stored={stored} onAsk={setAsked} />}
      />
      <RecordTabs current={tab} />
      {tab === undefined && versions.length > 0 && <Figures versions={versions} />}
      <div className="record-columns">
        <div className="record-main">
          {tab === undefined && (
            <Everything stored={stored} onGrant={canGrant ? () => setAsked("give") : null} />
          )}
          {tab === "activity" && (
            <>
              <RecordComments entity="packages" id={stored.id} />
              <PackageActivity stored={stored} />
            </>
          )}
          {tab === "raw" && <Raw record={stored} />}
        </div>
        <aside className="record-rail">
          <Overview stored={stored} />
        </aside>
      </div>
      <Asking stored={stored} asked={asked} onClose={() => setAsked(null)} />
    </div>
  );
};

export const ViewPackage = () => {
  const { id } = useParams({ from: "/package/view/$id" });
  const mayRead = useMay("packages:read");
  const { data: stored, error, refetch } = useQuery({ ...packageQuery(id), enabled: mayRead });
  if (!mayRead) return <Forbidden permission="packages:read" />;
  if (error && !stored) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return stored ? <Shown stored={stored} /> : <RecordSkeleton />;
};
