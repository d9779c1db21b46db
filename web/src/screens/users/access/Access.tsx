import { plural, t } from "@lingui/core/macro";
import "./access.css";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, Suspense, useState } from "react";
import { number } from "#lib/intl.ts";
import { anyApp } from "#screens/apps/queries.ts";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon, Tile } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { appStatus } from "#ui/record/appStatus.ts";
import { Status } from "#ui/Status.tsx";
import { linkOf, type User } from "../queries.ts";
import { AsOf, Past, useMoment } from "./AsOf.tsx";
import { fromOf, useOf, valueLabel } from "./labels.ts";
import {
  type Explained,
  type Explanation,
  explanationInAppQuery,
  explanationQuery,
} from "./queries.ts";
import { type Shown, useShown } from "./useShown.ts";
import { CauseLink, ValueExplanation } from "./ValueExplanation.tsx";
import { WhyNot } from "./WhyNot.tsx";

const TestCheckDialog = part(async () => (await import("./TestCheckDialog.tsx")).TestCheckDialog);

const Value = ({ item }: { item: Explained }) => {
  const { feature, value, limit, used, resetsAt } = item;
  const use = useOf(item);
  const { name } = item.feature;
  return (
    <div className="amount">
      <span className="value">
        {typeof value === "boolean" && <Icon name={value ? "check" : "x"} size={14} />}
        {valueLabel(feature, value)}
      </span>
      {use && (
        <span className="use">
          {limit !== null && used !== null && (
            <meter
              min={0}
              max={limit}
              low={limit * 0.75}
              high={limit * 0.999}
              optimum={0}
              value={Math.min(used, limit)}
              aria-label={t`${name}: ${use}`}
            />
          )}
          <span>
            {use}
            {resetsAt && (
              <>
                {" · "}
                <Trans>
                  Resets <Day at={resetsAt} />
                </Trans>
              </>
            )}
          </span>
        </span>
      )}
    </div>
  );
};

const Until = ({ item: { until, lines } }: { item: Explained }) => {
  const isGiven = lines.some(({ isApplied }) => isApplied);
  if (!until) return isGiven ? t`No end date` : "–";
  const { at, isRenewal } = until;
  if (isRenewal)
    return (
      <Trans>
        Renews <Day at={at} />
      </Trans>
    );
  return isGiven ? (
    <Trans>
      Ends <Day at={at} />
    </Trans>
  ) : (
    <Trans>
      Changes <Day at={at} />
    </Trans>
  );
};

type RowProps = { item: Explained; user: User; isOpen: boolean; onToggle: () => void };

const Row = ({ item, user, isOpen, onToggle }: RowProps) => {
  const { feature, lines, allowed } = item;
  const { name } = feature;
  const first = lines.find(({ isApplied }) => isApplied);
  const detail = `how-${feature.id}`;
  return (
    <>
      <tr {...(!allowed && { "data-off": true })}>
        <th scope="row">{feature.name}</th>
        <td>
          <Value item={item} />
        </td>
        <td>{fromOf(item)}</td>
        <td>{first ? <CauseLink cause={first.cause} /> : "–"}</td>
        <td>
          <Until item={item} />
        </td>
        <td className="opener">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={detail}
            aria-label={t`How ${name} is calculated`}
            data-tip={isOpen ? t`Hide calculation` : t`Show calculation`}
            onClick={onToggle}
            onKeyDown={({ key }) => {
              if (key === (isOpen ? "ArrowLeft" : "ArrowRight")) onToggle();
            }}
          >
            <Icon name="chevron-down" size={16} />
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr className="opened" id={detail}>
          <td colSpan={6}>
            <ValueExplanation item={item} />
            {!hasAccess(item) && <WhyNot feature={item.feature} user={user} />}
          </td>
        </tr>
      )}
    </>
  );
};

const rowsPerStep = 100;

/** How many rows to render. More follow when the end of the table comes near, because there can be thousands. */
const useGrowing = () => {
  const [rows, setRows] = useState(rowsPerStep);
  const end = (element: HTMLElement | null) => {
    if (!element) return;
    const seen = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setRows(rows + rowsPerStep),
      { rootMargin: "1000px" },
    );
    seen.observe(element);
    return () => seen.disconnect();
  };
  return { rows, end };
};

const columns = [t`Feature`, t`Value`, t`Package`, t`Payment`, t`Until`];

const Table = ({ items, user }: { items: Explained[]; user: User }) => {
  const { opened, toggle } = useShown();
  const { rows, end } = useGrowing();
  const apps = [...Map.groupBy(items.slice(0, rows), ({ app }) => app.id).values()];
  return (
    <div className="scroll-x">
      <table className="plain-table access">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span className="unseen">{t`Calculation`}</span>
            </th>
          </tr>
        </thead>
        {apps.map(([first, ...rest]) => {
          if (!first) return null;
          const { app } = first;
          return (
            <tbody key={app.id}>
              <tr className="app-row">
                <th scope="rowgroup" colSpan={6}>
                  <span>
                    <Tile icon={app.icon} size={20} />
                    {app.name}
                    {(app.suspendedAt !== null || app.status === "archived") && (
                      <Status status={appStatus(app)} />
                    )}
                  </span>
                </th>
              </tr>
              {[first, ...rest].map((item) => (
                <Fragment key={item.feature.id}>
                  <Row
                    item={item}
                    user={user}
                    isOpen={opened.includes(item.feature.id)}
                    onToggle={() => toggle(item.feature.id)}
                  />
                </Fragment>
              ))}
            </tbody>
          );
        })}
      </table>
      {rows < items.length && <div key={rows} ref={end} className="skeleton" />}
    </div>
  );
};

const MergedFrom = ({ one }: { one: Explanation["mergedFrom"][number] }) => {
  const { id, email } = one;
  return (
    <Trans>
      <Link to={linkOf(one)}>{email}</Link> was merged into this customer.{" "}
      <Link to="/transaction" search={{ f: [`user:any:${id}`] }}>
        View its transactions
      </Link>
    </Trans>
  );
};

/** The record that this one was merged into, or the records merged into it. */
const Merged = ({ explanation: { mergedInto, mergedFrom } }: { explanation: Explanation }) => {
  const intoName = mergedInto?.name ?? "";
  return (
    <>
      {mergedInto && (
        <Callout tone="info" icon="users">
          <Trans>
            This customer was merged into <Link to={linkOf(mergedInto)}>{intoName}</Link>. The
            record is kept for its payments.
          </Trans>
        </Callout>
      )}
      {mergedFrom.length > 0 && (
        <Callout tone="info" icon="users">
          {mergedFrom.map((one) => (
            <p key={one.id}>
              <MergedFrom one={one} />
            </p>
          ))}
        </Callout>
      )}
    </>
  );
};

const Loading = () => (
  <div role="status" aria-label={t`Loading`}>
    {["88%", "72%", "80%"].map((width) => (
      <span key={width} className="skeleton" style={{ width }} />
    ))}
  </div>
);

const nothingLabel = ({ isPast, hasOtherApps }: Explanation) => {
  if (hasOtherApps) return t`Nothing was granted to this customer.`;
  return isPast ? t`No app had features at that time.` : t`No active app has features yet.`;
};

/** Companies with very many apps see those of the customer, and any other one on request. */
const OtherApp = ({ value, onChange }: { value: string; onChange: (id: string) => void }) => (
  <Picker
    relation={anyApp}
    label={t`Another app`}
    help={t`Only apps that the customer was granted are shown.`}
    path="app"
    value={value}
    onChange={onChange}
    onCreate={null}
  />
);

/** Whether the customer can use a feature, or has an amount of it. */
const hasAccess = ({ allowed, lines }: Explained) =>
  allowed || lines.some(({ isApplied }) => isApplied);

const summaryOf = (items: readonly Explained[]) => {
  const apps = new Set(items.map(({ app }) => app.id)).size;
  const inApps = plural(apps, { one: "# app", other: "# apps" });
  return plural(items.length, {
    one: `# feature in ${inApps}, as your apps see it`,
    other: `# features in ${inApps}, as your apps see them`,
  });
};

type ShownProps = { shown: Shown; all: number; onChange: (shown: Shown) => void };

const Filter = ({ shown, all, onChange }: ShownProps) => (
  <Segments
    legend={t`Shown features`}
    name="shown-features"
    value={shown}
    options={[
      { value: "granted", label: t`Has access` },
      { value: "all", label: t`All`, note: number(all) },
    ]}
    onChange={onChange}
  />
);

/** The features of a customer: all of them, and those to show. One of another app that was chosen is always shown. */
const useItems = (userId: string, at: string | undefined) => {
  const { shown, show } = useShown();
  const [otherApp, setOtherApp] = useState("");
  const read = useQuery(explanationQuery(userId, at));
  const { data: other } = useQuery(explanationInAppQuery(userId, at, otherApp));
  const own = read.data?.items ?? [];
  const added = other?.items.filter(({ app }) => !own.some((one) => one.app.id === app.id)) ?? [];
  const all = [...own, ...added];
  const granted = all.filter(hasAccess);
  const items = shown === "all" ? all : [...own.filter(hasAccess), ...added];
  return { ...read, all, granted, items, filter: { shown, show, otherApp, setOtherApp } };
};

type ItemsProps = { explanation: Explanation; user: User; items: Explained[]; isEmpty: boolean };

const Items = ({ explanation, user, items, isEmpty }: ItemsProps) => {
  if (items.length > 0) return <Table items={items} user={user} />;
  return (
    <p className="soft">
      {isEmpty ? nothingLabel(explanation) : t`This customer has no access to any feature.`}
    </p>
  );
};

/** A customer's entitlements with their explanations. Features without access are shown on request. */
export const Access = ({ user, name }: { user: User; name: string }) => {
  const moment = useMoment();
  const { at, look } = moment;
  const { data, error, refetch, isPlaceholderData, all, granted, items, filter } = useItems(
    user.id,
    at,
  );
  const [isAsking, setAsking] = useState(false);
  if (error && !data)
    return <Failed title={t`Couldn't load entitlements`} error={error} onRetry={() => refetch()} />;
  return (
    <Section
      title={t`Entitlements`}
      note={data && !data.isPast ? summaryOf(granted) : undefined}
      actions={
        <>
          {all.length > granted.length && (
            <Filter shown={filter.shown} all={all.length} onChange={filter.show} />
          )}
          <AsOf {...moment} />
          {all.length > 0 && at === undefined && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="player-play" size={14} />}
              onClick={() => setAsking(true)}
            >
              {t`Test as an app`}
            </Button>
          )}
        </>
      }
    >
      {data?.isPast && at !== undefined && <Past at={data.at} look={look} />}
      {data && <Merged explanation={data} />}
      {data ? (
        <div aria-busy={isPlaceholderData}>
          <Items explanation={data} user={user} items={items} isEmpty={all.length === 0} />
        </div>
      ) : (
        <Loading />
      )}
      {data?.hasOtherApps && <OtherApp value={filter.otherApp} onChange={filter.setOtherApp} />}
      <Suspense>
        {isAsking && data && (
          <TestCheckDialog
            userId={user.id}
            name={name}
            items={all}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </Section>
  );
};
