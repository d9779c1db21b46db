import { Link } from "@tanstack/react-router";
import { Moment } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { Effects } from "./Effects.tsx";
import {
  combiningFacts,
  enforcementLabels,
  fallbackLabels,
  kindLabels,
  resetLabels,
  unitLabels,
} from "./labels.ts";
import type { Feature } from "./queries.ts";

/** A feature's details in one column, for the side of its page and the list's preview. */
export const Overview = ({ feature }: { feature: Feature }) => {
  const { id, app, code, kind, unit, reset, combining, defaultValue } = feature;
  return (
    <>
      <Effects title="What people get" shape={feature} defaultValue={defaultValue} />
      <Section title="Facts">
        <Facts
          of={[
            ["Status", <Status key="status" status={lifeLabels[feature.status]} />],
            [
              "App",
              <Link key="app" to="/apps/view/$id" params={{ id: app.id }} className="sentence-link">
                {app.name}
              </Link>,
            ],
            ["Code", <Reference key="code" value={code} what="the code" />],
            ["Id", <Reference key="id" value={id} shown={`${id.slice(0, 13)}…`} what="the id" />],
            ["Kind", kindLabels[kind].label],
            ...(unit ? [["Unit", unitLabels(unit)] satisfies [string, string]] : []),
            ...(reset ? [["Full again", resetLabels[reset]] satisfies [string, string]] : []),
            ["Several packages", combiningFacts(kind, combining)],
            ["Going beyond it", enforcementLabels[feature.enforcement].label],
            ["If nobody answers", fallbackLabels[feature.fallback].label],
            ["In packages", String(feature.packages)],
            ["Created", <Moment key="created" at={feature.createdAt} />],
            ["Changed", <Moment key="changed" at={feature.updatedAt} />],
          ]}
        />
      </Section>
      <Section title="Description">
        <p className={feature.description ? "description" : "softer"}>
          {feature.description || "Nothing is written yet."}
        </p>
      </Section>
    </>
  );
};
