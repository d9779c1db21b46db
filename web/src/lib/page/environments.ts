import { t } from "@lingui/core/macro";
import type { Runtime } from "@purser/contract/pages/runtime";

const environmentNames: Record<Runtime["environment"], string> = {
  live: t`Live`,
  test: t`Test`,
};

/** What the pages show: test mode, or the kind of the installation. */
export const shownMode = ({ mode, environment }: Pick<Runtime, "mode" | "environment">) =>
  mode === "test" ? t`Test mode` : environmentNames[environment];
