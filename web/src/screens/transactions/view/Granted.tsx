import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { currentTime } from "#lib/time/currentTime.ts";
import { Tile } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import type { Details } from "../queries.ts";

const shownFirst = 6;

type Feature = NonNullable<Details["snapshot"]>["features"][number];

const Features = ({ features }: { features: Feature[] }) => {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? features : features.slice(0, shownFirst);
  return (
    <>
      <table className="plain-table granted">
        <thead>
          <tr>
            <th scope="col">{t`App`}</th>
            <th scope="col">{t`Feature`}</th>
            <th scope="col">{t`Value`}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ app, feature, words, icon }, place) => {
            const isNext = shown[place - 1]?.app === app;
            return (
              <tr key={`${app} ${feature}`} {...(isNext && { "data-next": true })}>
                <td>
                  <span className="version" {...(isNext && { "data-same": true })}>
                    <Tile icon={icon} size={20} />
                    {app}
                  </span>
                </td>
                <td>{feature}</td>
                <td>{words}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {features.length > shown.length && (
        <button type="button" className="quiet-link" onClick={() => setAll(true)}>
          {t`View all features`}
        </button>
      )}
    </>
  );
};

const active: StatusWord = { word: t`Active`, icon: "circle-check", tone: "ok", quiet: true };
const scheduled: StatusWord = { word: t`Scheduled`, icon: "clock", tone: "info", quiet: true };
const ended: StatusWord = { word: t`Ended`, icon: "ban", tone: "mute", quiet: true };

const statusOf = ({ isActive, startsAt }: Details["grants"][number]) => {
  if (isActive) return active;
  return new Date(startsAt) > currentTime() ? scheduled : ended;
};

const Grants = ({ grants }: Pick<Details, "grants">) => (
  <table className="plain-table granted-rights">
    <thead>
      <tr>
        <th scope="col">{t`Grant`}</th>
        <th scope="col">{t`Start`}</th>
        <th scope="col">{t`End`}</th>
        <th scope="col">{t`Status`}</th>
      </tr>
    </thead>
    <tbody>
      {grants.map((grant) => (
        <tr key={grant.id}>
          <th scope="row">{grant.name}</th>
          <td>
            <Day at={grant.startsAt} />
          </td>
          <td>{grant.endsAt ? <Day at={grant.endsAt} /> : t`No end date`}</td>
          <td>
            <Status status={statusOf(grant)} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const summaryOf = (features: number, apps: number) =>
  t`${plural(features, { one: "# feature", other: "# features" })} in ${plural(apps, { one: "# app", other: "# apps" })}`;

/** What the sale grants, from the version that was sold. */
export const Granted = ({ stored: { snapshot, grants } }: { stored: Details }) => {
  const features = snapshot?.features ?? [];
  if (features.length === 0 && grants.length === 0) return null;
  const apps = new Set(features.map(({ app }) => app)).size;
  const summary = summaryOf(features.length, apps);
  return (
    <Section
      title={t`Entitlements`}
      note={grants.length > 0 ? summary : t`${summary} (granted when paid)`}
    >
      {features.length > 0 && <Features features={features} />}
      {grants.length > 0 && <Grants grants={grants} />}
    </Section>
  );
};
