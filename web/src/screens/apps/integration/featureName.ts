import { t } from "@lingui/core/macro";
import type { CheckedFeature } from "./queries.ts";

/** The name of a feature, or of what was asked for instead of one. */
export const featureName = ({
  kind,
  code,
  name,
}: Pick<CheckedFeature, "kind" | "code" | "name">) => {
  if (kind === "other") return t`Further unknown codes`;
  if (kind === "list") return t`List of all features`;
  return kind === "unknown" ? t`${code} (unknown)` : (name ?? code);
};
