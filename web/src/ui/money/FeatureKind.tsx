import type { FeatureKind as Kind } from "@purser/contract/fields/values";
import { featureKindNames } from "#lib/labels/features.ts";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";

export const kindSigns: Record<Kind, { label: string; icon: IconName }> = {
  switch: { label: featureKindNames.switch, icon: "toggle-left" },
  limit: { label: featureKindNames.limit, icon: "gauge" },
  metered: { label: featureKindNames.metered, icon: "calendar-repeat" },
  choice: { label: featureKindNames.choice, icon: "list-check" },
};

export const FeatureKind = ({ kind }: { kind: Kind }) => (
  <span className="signed">
    <Icon name={kindSigns[kind].icon} />
    {kindSigns[kind].label}
  </span>
);
