import { type App, appWritable } from "@purser/contract/apps/fields";
import type { Catalogue, CatalogueDiff } from "@purser/contract/catalog/catalog";
import { catalogueActions, catalogued } from "@purser/contract/catalog/catalog";
import { type Feature, featureWritable } from "@purser/contract/features/fields";
import { pick } from "@purser/contract/fields/declarations";
import { packageWritable } from "@purser/contract/packages/fields";
import { diffApps } from "./appRules.ts";
import { type Collected, collect, type Step } from "./diffRules.ts";
import { byCode, inOrder } from "./orderRules.ts";
import { diffPackages, type StoredPackage } from "./packageRules.ts";

/** What the office has, as far as a file may speak of it. */
export type Office = {
  apps: readonly App[];
  features: readonly Feature[];
  packages: readonly StoredPackage[];
};

/** The office as a file would have it. */
export const catalogueOf = ({ apps, features, packages }: Office): Catalogue => {
  const ofApp = Map.groupBy(features, ({ app }) => app.code);
  return inOrder({
    version: 1,
    apps: apps.map((app) => ({
      ...pick(app, appWritable),
      status: app.status,
      features: (ofApp.get(app.code) ?? []).map((one) => ({
        ...pick(one, featureWritable),
        status: one.status,
      })),
    })),
    packages: packages.map((one) => ({
      ...pick(one, packageWritable),
      apps: one.apps,
      status: one.status === "archived" ? one.status : null,
    })),
  });
};

const counted = (steps: readonly Step[]): CatalogueDiff["counts"] => {
  const counts = { create: 0, change: 0, activate: 0, restore: 0, archive: 0 };
  for (const { shown } of steps) counts[shown.action] += 1;
  return counts;
};

/** All that a file would change in the office, and all that stands in its way. */
export const diffCatalogue = (office: Office, wanted: Catalogue, archiveMissing: boolean) => {
  const found: Collected = collect();
  diffApps(found, office, { wanted, archiveMissing });
  diffPackages(found, office, { wanted, archiveMissing });
  const steps = found.steps.toSorted(
    (a, b) =>
      catalogued.indexOf(a.shown.what) - catalogued.indexOf(b.shown.what) ||
      byCode(a.shown, b.shown),
  );
  return { steps, counts: counted(steps), obstacles: found.obstacles, notes: found.notes };
};

/** "3 create, 2 change, 1 archive". */
export const countsInLabels = (counts: CatalogueDiff["counts"]) =>
  catalogueActions
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} ${action}`)
    .join(", ");
