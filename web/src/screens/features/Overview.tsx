import { Link } from "@tanstack/react-router";
import { lifeWords } from "#ui/lifecycle.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/Page.tsx";
import { Reference } from "#ui/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { Effects } from "./Effects.tsx";
import type { Feature } from "./queries.ts";
import {
  combiningFacts,
  enforcementWords,
  fallbackWords,
  kindWords,
  resetWords,
  unitWords,
} from "./labels.ts";

/** What is known of a feature, in one column: the rail of its page, and its preview in the list. */
export const Overview = ({ feature }: { feature: Feature }) => {
  const { id, app, code, kind, unit, reset, combining, defaultValue } = feature;
  return (
    <>
      <Effects title="What people get" shape={feature} defaultValue={defaultValue} />
      <Section title="Facts">
        <Facts
          of={[
            ["Status", <Status key="status" status={lifeWords[feature.status]} />],
            [
              "App",
              <Link key="app" to="/apps/view/$id" params={{ id: app.id }} className="sentence-link">
                {app.name}
              </Link>,
            ],
            ["Code", <Reference key="code" value={code} what="the code" />],
            ["Id", <Reference key="id" value={id} shown={`${id.slice(0, 13)}…`} what="the id" />],
            ["Kind", kindWords[kind].label],
            ...(unit ? [["Unit", unitWords(unit)] satisfies [string, string]] : []),
            ...(reset ? [["Full again", resetWords[reset]] satisfies [string, string]] : []),
            ["Several packages", combiningFacts(kind, combining)],
            ["Going beyond it", enforcementWords[feature.enforcement].label],
            ["If nobody answers", fallbackWords[feature.fallback].label],
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
