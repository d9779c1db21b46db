import { plural, t } from "@lingui/core/macro";
import {
  type packageKinds,
  packageListFields,
  type VersionBrief,
  type VersionState,
  type visibilities,
} from "@purser/contract/packages/fields";
import type { intervals } from "@purser/contract/packages/prices";
import type { rolloutStatuses } from "@purser/contract/packages/publishing";
import { list } from "#lib/intl.ts";
import { lifecycleStatusNames } from "#lib/labels/lifecycle.ts";
import {
  packageKindNames,
  rolloutStatusNames,
  taxCategoryNames,
  visibilityNames,
} from "#lib/labels/packages.ts";
import { versionStates } from "#lib/labels/versionStates.ts";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import { lifeOptions } from "#ui/record/lifecycle.tsx";
import type { StatusWord } from "#ui/Status.tsx";
import type { Package } from "./queries.ts";

const statusLabels = {
  draft: { word: versionStates.draft, icon: "circle-dashed", tone: "mute" },
  scheduled: { word: versionStates.scheduled, icon: "calendar-clock", tone: "info" },
  "on sale": { word: versionStates["on sale"], icon: "circle-check", tone: "ok", quiet: true },
  blocked: { word: t`Can't be sold`, icon: "ban", tone: "warn" },
  "off sale": { word: versionStates.retired, icon: "tag-off", tone: "mute", quiet: true },
  archived: { word: lifecycleStatusNames.archived, icon: "archive", tone: "mute", quiet: true },
} as const satisfies Record<string, StatusWord>;

/** Why a version can't be sold or published. */
export const archivedReason = (archived: VersionBrief["archived"]) => {
  const names = list(archived.map(({ name }) => name));
  return plural(archived.length, {
    one: `Includes ${names}, which is archived.`,
    other: `Includes ${names}, which are archived.`,
  });
};

/** A package's status in one word: whether it is on sale. */
export const statusOf = ({ status, onSale, scheduled }: Package): StatusWord => {
  if (status === "archived") return statusLabels.archived;
  if (onSale && onSale.archived.length > 0) return statusLabels.blocked;
  if (onSale) return statusLabels["on sale"];
  if (scheduled) return statusLabels.scheduled;
  return status === "draft" ? statusLabels.draft : statusLabels["off sale"];
};

export const stateLabels: Record<VersionState, StatusWord> = {
  draft: statusLabels.draft,
  scheduled: statusLabels.scheduled,
  "on sale": statusLabels["on sale"],
  superseded: { word: versionStates.superseded, icon: "history", tone: "mute", quiet: true },
  retired: { word: versionStates.retired, icon: "tag-off", tone: "mute", quiet: true },
};

type Explained = { label: string; help: string };

export const kindLabels: Record<(typeof packageKinds)[number], Explained> = {
  base: { label: packageKindNames.base, help: t`A customer can have one per group.` },
  "add-on": { label: packageKindNames["add-on"], help: t`Added to a base package, any quantity.` },
};

export const visibilityLabels: Record<(typeof visibilities)[number], Explained> = {
  public: { label: visibilityNames.public, help: t`Visible to all buyers.` },
  hidden: {
    label: visibilityNames.hidden,
    help: t`Only for customers with a grant or the link.`,
  },
};

export const fieldLabels = listLabels(packageListFields, {
  kind: { options: packageKindNames },
  taxCategory: { options: taxCategoryNames },
  visibility: { options: visibilityNames },
  status: { options: lifeOptions },
});

/** The unit of an interval, after its number. */
export const intervalLabels: Record<(typeof intervals)[number], (count: number) => string> = {
  once: () => t`once`,
  day: (count) => plural(count, { one: "day", other: "days" }),
  week: (count) => plural(count, { one: "week", other: "weeks" }),
  month: (count) => plural(count, { one: "month", other: "months" }),
  year: (count) => plural(count, { one: "year", other: "years" }),
};

export const rolloutLabels: Record<(typeof rolloutStatuses)[number], StatusWord> = {
  waiting: { word: rolloutStatusNames.waiting, icon: "hourglass", tone: "info" },
  running: { word: rolloutStatusNames.running, icon: "player-play", tone: "info" },
  paused: { word: rolloutStatusNames.paused, icon: "player-pause", tone: "warn" },
  done: { word: rolloutStatusNames.done, icon: "circle-check", tone: "ok", quiet: true },
};

/** "Version 3, on sale", to choose from. */
export const versionLabel = (number: number, state: string) => t`Version ${number} (${state})`;
