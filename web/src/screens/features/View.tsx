import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { rememberRecord } from "#lib/session/recentRecords.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { RecordComments } from "#ui/comments/RecordComments.tsx";
import { Tile } from "#ui/Icon.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { type Asking, LifeButton, lifeLabels } from "#ui/record/lifecycle.tsx";
import { Raw, RecordActions, RecordTabs } from "#ui/record/Record.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { FeatureActivity } from "./Activity.tsx";
import { canDelete, restore } from "./actions.ts";
import { kindLabels } from "./labels.ts";
import { Overview } from "./Overview.tsx";
import { Options, PackageUses } from "./PackageUses.tsx";
import { type Feature, featureQuery, linkOf } from "./queries.ts";

const Usage = part(async () => (await import("./usage/Usage.tsx")).UsageOfFeature);
const FeatureDialog = part(async () => (await import("./dialogs.tsx")).FeatureDialog);

type Asked = Asking<Feature>["about"];

const Actions = ({ feature, onAsk }: { feature: Feature; onAsk: (asked: Asked) => void }) => {
  const { id, status } = feature;
  return (
    <RecordActions
      step={<LifeButton status={status} onAsk={onAsk} onRestore={() => restore(feature)} />}
      edit={status === "archived" ? null : { to: "/feature/edit/$id", params: { id } }}
      duplicate={{ to: "/feature/create", search: { from: id } }}
      onDelete={canDelete(feature) ? () => onAsk("delete") : null}
    />
  );
};

const FactLine = ({ feature: { app, code, kind, packages } }: { feature: Feature }) => (
  <>
    <Link to="/apps/view/$id" params={{ id: app.id }} className="sentence-link">
      {app.name}
    </Link>
    <span className="dot" />
    <Reference value={code} copyLabel={t`Copy code`} />
    <span className="dot" />
    {kindLabels[kind].label}
    <span className="dot" />
    {plural(packages, { one: "In # package", other: "In # packages" })}
  </>
);

const Shown = ({ feature }: { feature: Feature }) => {
  const { tab } = useSearch({ from: "/feature/view/$id" });
  const navigate = useNavigate();
  const mayWrite = useMay("features:write");
  const [asked, setAsked] = useState<Asked | null>(null);
  const { id, name, kind, status } = feature;
  const { icon } = kindLabels[kind];
  const maySeeUsage = useMay("users:read");
  const hasUsage = kind === "metered" && maySeeUsage;
  useEffect(() => rememberRecord({ path: linkOf({ id }), label: name, icon }), [id, name, icon]);
  return (
    <div className="record">
      <PageHead
        title={name}
        parent={{ label: t`Features`, to: "/feature" }}
        heading={
          <>
            <Tile icon={icon} size={40} />
            <span>{name}</span>
          </>
        }
        meta={<Status status={lifeLabels[status]} loud />}
        facts={<FactLine feature={feature} />}
        {...(mayWrite && { actions: <Actions feature={feature} onAsk={setAsked} /> })}
      />
      <RecordTabs current={tab} own={hasUsage ? [{ name: "usage", label: t`Usage` }] : []} />
      <div className="record-columns">
        <div className="record-main">
          {tab === undefined && kind === "choice" && <Options feature={feature} />}
          {tab === undefined && <PackageUses feature={feature} />}
          {tab === "activity" && (
            <>
              <RecordComments entity="features" id={feature.id} />
              <FeatureActivity feature={feature} />
            </>
          )}
          {tab === "usage" && hasUsage && (
            <Suspense>
              <Usage feature={feature} />
            </Suspense>
          )}
          {tab === "raw" && <Raw record={feature} />}
        </div>
        <aside className="record-rail">
          <Overview feature={feature} />
        </aside>
      </div>
      <Suspense>
        {asked && (
          <FeatureDialog
            asking={{ about: asked, records: [feature] }}
            onClose={() => setAsked(null)}
            onDeleted={() => navigate({ to: "/feature", replace: true })}
          />
        )}
      </Suspense>
    </div>
  );
};

export const ViewFeature = () => {
  const { id } = useParams({ from: "/feature/view/$id" });
  const mayRead = useMay("features:read");
  const { data: feature, error, refetch } = useQuery({ ...featureQuery(id), enabled: mayRead });
  if (!mayRead) return <Forbidden permission="features:read" />;
  if (error && !feature) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return feature ? <Shown feature={feature} /> : <RecordSkeleton />;
};
