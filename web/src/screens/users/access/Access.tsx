import { plural, t } from "@lingui/core/macro";
import "./access.css";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { number } from "#lib/intl.ts";
import { anyApp } from "#screens/apps/queries.ts";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { linkOf, type User } from "../queries.ts";
import { AsOf, Past, useMoment } from "./AsOf.tsx";
import { EntitlementTable } from "./EntitlementTable.tsx";
import { hasAccess } from "./entitlementRows.ts";
import {
  type Explained,
  type Explanation,
  explanationInAppQuery,
  explanationQuery,
} from "./queries.ts";
import { type Denied, useDenied } from "./useDenied.ts";
import { type Shown, useShown } from "./useShown.ts";

const TestCheckDialog = part(async () => (await import("./TestCheckDialog.tsx")).TestCheckDialog);

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

/** As high as the window, so that what is below it on a phone doesn't move. */
const Loading = () => (
  <div role="status" aria-label={t`Loading`} className="access-loading">
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
const useItems = (user: User, at: string | undefined) => {
  const { id: userId } = user;
  const { shown, show } = useShown();
  const denied = useDenied(user, shown === "granted" && at === undefined);
  const [otherApp, setOtherApp] = useState("");
  const read = useQuery(explanationQuery(userId, at));
  const { data: other } = useQuery(explanationInAppQuery(userId, at, otherApp));
  const own = read.data?.items ?? [];
  const added = other?.items.filter(({ app }) => !own.some((one) => one.app.id === app.id)) ?? [];
  const all = [...own, ...added];
  const granted = all.filter(hasAccess);
  const isShown = (one: Explained) => hasAccess(one) || denied?.has(one.feature.id) === true;
  const items = shown === "all" ? all : [...own.filter(isShown), ...added];
  return { ...read, all, granted, denied, items, filter: { shown, show, otherApp, setOtherApp } };
};

type ItemsProps = {
  explanation: Explanation;
  user: User;
  items: Explained[];
  denied: Denied;
  isEmpty: boolean;
};

const Items = ({ explanation, user, items, denied, isEmpty }: ItemsProps) => {
  if (items.length > 0) return <EntitlementTable items={items} user={user} denied={denied} />;
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
  const { data, error, refetch, isPlaceholderData, all, granted, denied, items, filter } = useItems(
    user,
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
      {/* With the denied features at once, so that no row is added later. */}
      {data && denied ? (
        <div aria-busy={isPlaceholderData}>
          <Items
            explanation={data}
            user={user}
            items={items}
            denied={denied}
            isEmpty={all.length === 0}
          />
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
