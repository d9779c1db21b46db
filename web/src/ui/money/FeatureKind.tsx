import type { FeatureKind as Kind } from "@purser/contract/fields/values";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";

export const kindSigns: Record<Kind, { label: string; icon: IconName }> = {
  switch: { label: "Switch", icon: "toggle-left" },
  limit: { label: "Limit", icon: "gauge" },
  metered: { label: "Metered", icon: "calendar-repeat" },
  choice: { label: "Choice", icon: "list-check" },
};

export const FeatureKind = ({ kind }: { kind: Kind }) => (
  <span className="signed">
    <Icon name={kindSigns[kind].icon} />
    {kindSigns[kind].label}
  </span>
);
