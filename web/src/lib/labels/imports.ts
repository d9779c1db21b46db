import { t } from "@lingui/core/macro";

/** The states of an import in the history. */
export const importStatusNames: Record<string, string> = {
  draft: t`Draft`,
  running: t`Importing`,
  paused: t`Paused`,
  finished: t`Finished`,
  stopped: t`Stopped`,
  canceled: t`Canceled`,
  undoing: t`Undoing`,
  undone: t`Undone`,
};

export const importKindNames: Record<string, string> = {
  customers: t`Customers`,
  subscriptions: t`Subscriptions`,
  transactions: t`Transactions`,
  codes: t`Promotion codes`,
};
