import type { CatalogAction, CatalogEntity } from "@purser/contract/catalog/catalog";
import { matchPage } from "@purser/contract/pages/routes";
import { count } from "#lib/labels.ts";
import { pageAddress } from "#lib/page/runtime.ts";
import type { FieldChange } from "#ui/record/Diff.tsx";
import type { StatusWord } from "#ui/Status.tsx";
import type { Change, Difference } from "./calls.ts";

export const actionLabels: Record<CatalogAction, StatusWord> = {
  create: { word: "Create", icon: "plus", tone: "ok" },
  change: { word: "Change", icon: "pencil", tone: "info" },
  activate: { word: "Activate", icon: "player-play", tone: "ok" },
  restore: { word: "Restore", icon: "archive-off", tone: "info" },
  archive: { word: "Archive", icon: "archive", tone: "warn" },
};

export const groupLabels: Record<CatalogEntity, string> = {
  app: "Apps",
  feature: "Features",
  package: "Packages",
};

const isText = (value: unknown) => typeof value === "string";

const written = (value: unknown) => {
  if (value === null || value === "") return "nothing";
  if (Array.isArray(value) && value.every(isText)) return value.join(", ") || "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** A new record has no previous values, so only the new ones are shown. */
export const shownFields = ({ action, changes }: Change): FieldChange[] =>
  changes.map(({ field, before, after }) => ({
    field,
    before: action === "create" ? null : written(before),
    after: written(after),
  }));

/** "3 create, 2 change, 1 archive". */
export const countsInLabels = (counts: Difference["counts"]) =>
  Object.entries(counts)
    .filter(([, amount]) => amount > 0)
    .map(([action, amount]) => `${amount} ${action}`)
    .join(", ");

export const applyLabels = (changes: number) => `Apply ${count(changes, "change")}`;

/** The page on which a package draft is published; null if there is none. */
export const packageAddress = (id: string) => {
  const path = `/package/view/${id}`;
  return matchPage(path) ? pageAddress(path) : null;
};
