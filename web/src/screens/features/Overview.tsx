import { t } from "@lingui/core/macro";
import { featureLabels } from "@purser/contract/features/fields";
import { canFollowSubscription } from "@purser/contract/fields/values";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { resetNames } from "#lib/labels/features.ts";
import { Moment } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { lifeLabels } from "#ui/record/lifecycle.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { Effects } from "./Effects.tsx";
import {
  anchorLabels,
  combiningFacts,
  enforcementLabels,
  fallbackLabels,
  kindLabels,
  unitLabels,
} from "./labels.ts";
import type { Feature } from "./queries.ts";

/** A feature's details in one column, for the side of its page and the list's preview. */
export const Overview = ({ feature }: { feature: Feature }) => {
  const { id, app, code, kind, unit, reset, anchor, combining, defaultValue } = feature;
  return (
    <>
      <Effects title={t`What customers get`} shape={feature} defaultValue={defaultValue} />
      <Section title={t`Details`}>
        <Facts
          of={[
            [t`Status`, <Status key="status" status={lifeLabels[feature.status]} />],
            [
              t`App`,
              <Link key="app" to="/apps/view/$id" params={{ id: app.id }} className="sentence-link">
                {app.name}
              </Link>,
            ],
            [t`Code`, <Reference key="code" value={code} copyLabel={t`Copy code`} />],
            [
              t`ID`,
              <Reference
                key="id"
                value={id}
                shown={`${id.slice(0, 13)}…`}
                copyLabel={t`Copy ID`}
              />,
            ],
            [featureLabels.kind, kindLabels[kind].label],
            ...(unit ? [[t`Unit`, unitLabels(unit)] satisfies [string, string]] : []),
            ...(reset ? [[t`Resets`, resetNames[reset]] satisfies [string, string]] : []),
            ...(canFollowSubscription(reset)
              ? [[featureLabels.anchor, anchorLabels[anchor].label] satisfies [string, string]]
              : []),
            [t`With several packages`, combiningFacts(kind, combining)],
            [t`Over the limit`, enforcementLabels[feature.enforcement].label],
            [t`If Purser is unreachable`, fallbackLabels[feature.fallback].label],
            [t`Packages`, number(feature.packages)],
            [t`Created`, <Moment key="created" at={feature.createdAt} />],
            [t`Updated`, <Moment key="changed" at={feature.updatedAt} />],
          ]}
        />
      </Section>
      <Section title={t`Description`}>
        <p className={feature.description ? "description" : "softer"}>
          {feature.description || t`No description.`}
        </p>
      </Section>
    </>
  );
};
