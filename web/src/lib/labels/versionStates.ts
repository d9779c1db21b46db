import { t } from "@lingui/core/macro";
import type { VersionState } from "@purser/contract/packages/fields";

/** The states of a package version. */
export const versionStates: Record<VersionState, string> = {
  draft: t`Draft`,
  scheduled: t`Scheduled`,
  "on sale": t`On sale`,
  superseded: t`Previous`,
  retired: t`Off sale`,
};
