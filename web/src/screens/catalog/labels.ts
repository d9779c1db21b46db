import { plural, t } from "@lingui/core/macro";
import {
  type CatalogAction,
  type CatalogEntity,
  catalogActions,
} from "@purser/contract/catalog/catalog";
import { matchPage } from "@purser/contract/pages/routes";
import { number, series } from "#lib/intl.ts";
import { emptyValue } from "#lib/labels/emptyValue.ts";
import { pageAddress } from "#lib/page/runtime.ts";
import type { FieldChange } from "#ui/record/Diff.tsx";
import type { StatusWord } from "#ui/Status.tsx";
import type { Change, Difference } from "./calls.ts";

export const actionLabels: Record<CatalogAction, StatusWord> = {
  create: { word: t`Create`, icon: "plus", tone: "ok" },
  change: { word: t({ context: "verb", message: "Change" }), icon: "pencil", tone: "info" },
  activate: { word: t`Activate`, icon: "player-play", tone: "ok" },
  restore: { word: t`Restore`, icon: "archive-off", tone: "info" },
  archive: { word: t`Archive`, icon: "archive", tone: "warn" },
};

export const groupLabels: Record<CatalogEntity, string> = {
  app: t`Apps`,
  feature: t`Features`,
  package: t`Packages`,
};

const isText = (value: unknown) => typeof value === "string";

const written = (value: unknown) => {
  if (value === null || value === "") return emptyValue;
  if (Array.isArray(value) && value.every(isText))
    return value.length > 0 ? series(value) : emptyValue;
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** A new record has no previous values, so only the new ones are shown. */
export const shownFields = ({ action, changes }: Change): FieldChange[] =>
  changes.map(({ field, before, after }) => ({
    field,
    before: action === "create" ? null : written(before),
    after: written(after),
  }));

const actionCounts: Record<CatalogAction, (count: string) => string> = {
  create: (count) => t`${count} to create`,
  change: (count) => t`${count} to change`,
  activate: (count) => t`${count} to activate`,
  restore: (count) => t`${count} to restore`,
  archive: (count) => t`${count} to archive`,
};

/** "3 to create, 2 to change, 1 to archive". */
export const countLabels = (counts: Difference["counts"]) =>
  series(
    catalogActions
      .filter((action) => counts[action] > 0)
      .map((action) => actionCounts[action](number(counts[action]))),
  );

export const applyLabels = (changes: number) =>
  plural(changes, { one: "Apply # change", other: "Apply # changes" });

/** The page on which a package draft is published; null if there is none. */
export const packageAddress = (id: string) => {
  const path = `/package/view/${id}`;
  return matchPage(path) ? pageAddress(path) : null;
};
