import type { grantSources } from "@purser/contract/entitlements/grants";
import {
  type packageKinds,
  packageListFields,
  type VersionState,
  type visibilities,
} from "@purser/contract/packages/fields";
import type { intervals } from "@purser/contract/packages/prices";
import type { RolloutMode, rolloutStatuses } from "@purser/contract/packages/publishing";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import { lifeOptions } from "#ui/record/lifecycle.tsx";
import type { StatusWord } from "#ui/Status.tsx";
import type { Package } from "./queries.ts";

const statusLabels = {
  draft: { word: "Draft", icon: "circle-dashed", tone: "mute" },
  scheduled: { word: "Scheduled", icon: "calendar-clock", tone: "info" },
  "on sale": { word: "On sale", icon: "circle-check", tone: "ok", quiet: true },
  "off sale": { word: "Not on sale", icon: "tag-off", tone: "mute", quiet: true },
  archived: { word: "Archived", icon: "archive", tone: "mute", quiet: true },
} as const satisfies Record<string, StatusWord>;

/** A package's status in one word: whether it is on sale. */
export const statusOf = ({ status, onSale, scheduled }: Package): StatusWord => {
  if (status === "archived") return statusLabels.archived;
  if (onSale) return statusLabels["on sale"];
  if (scheduled) return statusLabels.scheduled;
  return status === "draft" ? statusLabels.draft : statusLabels["off sale"];
};

export const stateLabels: Record<VersionState, StatusWord> = {
  draft: statusLabels.draft,
  scheduled: statusLabels.scheduled,
  "on sale": statusLabels["on sale"],
  superseded: { word: "Older", icon: "history", tone: "mute", quiet: true },
  retired: { word: "Retired", icon: "tag-off", tone: "mute", quiet: true },
};

type Explained = { label: string; help: string };

export const kindLabels: Record<(typeof packageKinds)[number], Explained> = {
  base: { label: "Base", help: "Somebody holds one of its group at a time." },
  "add-on": { label: "Add-on", help: "Bought beside a base package, as many as wanted." },
};

export const visibilityLabels: Record<(typeof visibilities)[number], Explained> = {
  public: { label: "Public", help: "Shown to everybody who may buy." },
  hidden: { label: "Hidden", help: "Only for those who get it from you or by its link." },
};

const labelsOf = <Key extends string>(words: Record<Key, Explained>) =>
  Object.fromEntries(
    Object.entries<Explained>(words).map(([key, { label }]) => [key, label]),
  ) as Record<Key, string>;

export const fieldWords = listLabels(packageListFields, {
  kind: { options: labelsOf(kindLabels) },
  visibility: { options: labelsOf(visibilityLabels) },
  status: { options: lifeOptions },
});

export const intervalLabels: Record<(typeof intervals)[number], { one: string; many: string }> = {
  once: { one: "once", many: "once" },
  day: { one: "day", many: "days" },
  week: { one: "week", many: "weeks" },
  month: { one: "month", many: "months" },
  year: { one: "year", many: "years" },
};

export const modeLabels: Record<RolloutMode, string> = {
  "new buyers": "New buyers only",
  now: "Everyone now",
  renewal: "Everyone at renewal",
  date: "Everyone from a date",
};

export const rolloutLabels: Record<(typeof rolloutStatuses)[number], StatusWord> = {
  waiting: { word: "Waiting", icon: "hourglass", tone: "info" },
  running: { word: "Running", icon: "player-play", tone: "info" },
  paused: { word: "Paused", icon: "player-pause", tone: "warn" },
  done: { word: "Done", icon: "circle-check", tone: "ok", quiet: true },
};

export const sourceLabels: Record<(typeof grantSources)[number], string> = {
  transaction: "Bought",
  trial: "Trial",
  promotion: "Promotion",
  import: "Import",
  staff: "Given by staff",
};
