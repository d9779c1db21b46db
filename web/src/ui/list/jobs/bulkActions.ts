import { t } from "@lingui/core/macro";
import type { IconName } from "#ui/iconNames.ts";
import type { ListJob } from "./queries.ts";

export type BulkAction = Exclude<ListJob["action"], "export">;

const lifecycle: BulkAction[] = ["activate", "archive", "restore"];

/** The actions on all rows that match, by list. */
export const bulkActions: Partial<Record<string, BulkAction[]>> = {
  apps: lifecycle,
  features: lifecycle,
  packages: ["archive", "restore"],
  promotions: ["pause", "resume", "extend", "archive", "restore"],
  transactions: ["tag"],
  users: ["suspend", "restore"],
};

/** What only undoes another action, and has its name. */
const undone = { shorten: "extend", untag: "tag" } as const;
type Undo = keyof typeof undone;

const labels: Record<Exclude<ListJob["action"], Undo>, { label: string; icon: IconName }> = {
  activate: { label: t`Activate`, icon: "player-play" },
  archive: { label: t`Archive`, icon: "archive" },
  export: { label: t`Export`, icon: "download" },
  extend: { label: t`Extend`, icon: "calendar-clock" },
  pause: { label: t`Pause`, icon: "player-pause" },
  restore: { label: t`Restore`, icon: "archive-off" },
  resume: { label: t`Resume`, icon: "player-play" },
  suspend: { label: t`Suspend`, icon: "lock" },
  tag: { label: t`Add tag`, icon: "flag" },
};

/** Customers are suspended and reactivated, other records are archived and restored. */
export const actionLabel = (list: string, action: ListJob["action"]) =>
  list === "users" && action === "restore"
    ? { label: t`Reactivate`, icon: "arrow-back-up" as const }
    : labels[action === "shorten" || action === "untag" ? undone[action] : action];
