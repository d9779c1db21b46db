import { appWritable } from "@purser/contract/apps/fields";
import type { Catalog, CatalogDiff } from "@purser/contract/catalog/catalog";
import { catalogActions, catalogEntities } from "@purser/contract/catalog/catalog";
import { featureWritable } from "@purser/contract/features/fields";
import { pick } from "@purser/contract/fields/declarations";
import { packageWritable } from "@purser/contract/packages/fields";
import { diffApps } from "./diff/appRules.ts";
import type { StoredCatalog } from "./diff/outcomeRules.ts";
import { diffPackages } from "./diff/packageRules.ts";
import { type Collected, collect, type Step } from "./diff/stepRules.ts";
import { byCode, inOrder } from "./file/orderRules.ts";

/** The stored catalog in the form of a file. */
export const catalogOf = ({ apps, features, packages }: StoredCatalog): Catalog => {
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
      perUnit: one.perUnit,
      status: one.status === "archived" ? one.status : null,
    })),
  });
};

const counted = (steps: readonly Step[]): CatalogDiff["counts"] => {
  const counts = { create: 0, change: 0, activate: 0, restore: 0, archive: 0 };
  for (const { shown } of steps) counts[shown.action] += 1;
  return counts;
};

/** Everything that a file would change in the workspace, with the blocking issues. */
export const diffCatalog = (stored: StoredCatalog, wanted: Catalog, archiveMissing: boolean) => {
  const found: Collected = collect();
  diffApps(found, stored, { wanted, archiveMissing });
  diffPackages(found, stored, { wanted, archiveMissing });
  const steps = found.steps.toSorted(
    (a, b) =>
      catalogEntities.indexOf(a.shown.what) - catalogEntities.indexOf(b.shown.what) ||
      byCode(a.shown, b.shown),
  );
  return {
    steps,
    counts: counted(steps),
    blockingIssues: found.blockingIssues,
    notes: found.notes,
  };
};

/** "3 create, 2 change, 1 archive". */
export const countsInLabels = (counts: CatalogDiff["counts"]) =>
  catalogActions
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} ${action}`)
    .join(", ");
