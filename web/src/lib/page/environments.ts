import { t } from "@lingui/core/macro";
import type { Runtime } from "@purser/contract/pages/runtime";

export const environmentNames: Record<Runtime["environment"], string> = {
  live: t`Live`,
  test: t`Test`,
};
