import { useState } from "react";
import { count } from "#lib/labels.ts";
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
            <th scope="col">App</th>
            <th scope="col">Feature</th>
            <th scope="col">Value</th>
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
          Show {features.length - shown.length} more
        </button>
      )}
    </>
  );
};

const inForce: StatusWord = { word: "In force", icon: "circle-check", tone: "ok", quiet: true };
const over: StatusWord = { word: "Not in force", icon: "ban", tone: "mute", quiet: true };

const Grants = ({ grants }: Pick<Details, "grants">) => (
  <table className="plain-table granted-rights">
    <thead>
      <tr>
        <th scope="col">Right</th>
        <th scope="col">From</th>
        <th scope="col">Until</th>
        <th scope="col">Now</th>
      </tr>
    </thead>
    <tbody>
      {grants.map(({ id, name, startsAt, endsAt, isInForce }) => (
        <tr key={id}>
          <th scope="row">{name}</th>
          <td>
            <Day at={startsAt} />
          </td>
          <td>{endsAt ? <Day at={endsAt} /> : "no end"}</td>
          <td>
            <Status status={isInForce ? inForce : over} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** What the sale grants, from the version that was sold. */
export const Granted = ({ stored: { snapshot, grants } }: { stored: Details }) => {
  const features = snapshot?.features ?? [];
  if (features.length === 0 && grants.length === 0) return null;
  const apps = new Set(features.map(({ app }) => app)).size;
  const what = `${count(features.length, "feature")} in ${count(apps, "app")}`;
  return (
    <Section
      title={grants.length > 0 ? "What it granted" : "What it would grant"}
      note={grants.length > 0 ? what : `${what}, once it is paid`}
    >
      {features.length > 0 && <Features features={features} />}
      {grants.length > 0 && <Grants grants={grants} />}
    </Section>
  );
};
