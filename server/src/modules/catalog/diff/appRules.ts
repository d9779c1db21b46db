import { type App, appWritable } from "@purser/contract/apps/fields";
import type { Catalog, CatalogApp, CatalogFeature } from "@purser/contract/catalog/catalog";
import { type Feature, featureWritable } from "@purser/contract/features/fields";
import { pick } from "@purser/contract/fields/declarations";
import type { Message } from "@purser/contract/messages/message";
import { frozenBy, refusalToCreate } from "#modules/features/rules.ts";
import { platformsInOrder } from "../file/orderRules.ts";
import type { DiffRequest, StoredCatalog } from "./outcomeRules.ts";
import {
  archiveNotes,
  type Collected,
  compareRecord,
  draftsKept,
  notCreated,
  type Path,
} from "./stepRules.ts";

const detailsOf = (one: CatalogApp | App) => ({
  ...pick(one, appWritable),
  platforms: platformsInOrder(one.platforms),
});

const diffApp = (found: Collected, stored: App | null, wanted: CatalogApp, path: Path) => {
  const { code, name } = wanted;
  const result = compareRecord(
    "app",
    stored && { status: stored.status, details: detailsOf(stored) },
    { status: wanted.status, details: detailsOf(wanted) },
  );
  if (result === null) return;
  if ("refused" in result) {
    const message = result.refused;
    found.blockingIssues.push({ what: "app", code, message, path: [...path, "status"] });
    return;
  }
  const { action, status, changes, details } = result;
  found.steps.push({
    shown: {
      action,
      what: "app",
      code,
      name,
      changes,
      note: action === "archive" ? archiveNotes.app : null,
    },
    work: { what: "app", id: stored?.id ?? null, details, status },
  });
};

const shapeOf = (one: CatalogFeature | Feature): Omit<CatalogFeature, "status"> => ({
  ...pick(one, featureWritable),
  unit: one.unit && { one: one.unit.one, many: one.unit.many },
  options: one.options.map(({ code, name }) => ({ code, name })),
});

type Owner = { code: string; stored: App | null; isRestored: boolean };
type Shape = ReturnType<typeof shapeOf>;

/** The refusals of the feature module's own rules, each with its field. */
const refusalsOf = (owner: Owner, stored: Feature | null, details: Shape | null) => {
  if (!details) return [];
  // An archived feature is restored before it is changed, so its status doesn't matter.
  if (stored) return frozenBy(stored, details);
  const refusal = owner.stored && !owner.isRestored && refusalToCreate(owner.stored);
  return refusal ? [{ field: "code", detail: refusal.detail }] : [];
};

type Pair = { stored: Feature | null; wanted: CatalogFeature; path: Path };

const diffFeature = (found: Collected, owner: Owner, { stored, wanted, path }: Pair) => {
  const code = `${owner.code}/${wanted.code}`;
  const report = (field: string, message: Message) =>
    found.blockingIssues.push({ what: "feature", code, message, path: [...path, field] });
  const result = compareRecord(
    "feature",
    stored && { status: stored.status, details: shapeOf(stored) },
    { status: wanted.status, details: shapeOf(wanted) },
  );
  if (result === null) return;
  if ("refused" in result) {
    report("status", result.refused);
    return;
  }
  const { action, status, changes, details } = result;
  for (const { field, detail } of refusalsOf(owner, stored, details)) report(field, detail);
  found.steps.push({
    shown: {
      action,
      what: "feature",
      code,
      name: wanted.name,
      changes,
      note: action === "archive" ? archiveNotes.feature : null,
    },
    work: { what: "feature", id: stored?.id ?? null, app: owner.code, details, status },
  });
};

const archive = (found: Collected, { id, code, name }: App) =>
  found.steps.push({
    shown: {
      action: "archive",
      what: "app",
      code,
      name,
      note: archiveNotes.app,
      changes: [{ field: "status", before: "active", after: "archived" }],
    },
    work: { what: "app", id, details: null, status: "archived" },
  });

const archiveFeature = (found: Collected, { id, app, code, name }: Feature) =>
  found.steps.push({
    shown: {
      action: "archive",
      what: "feature",
      code: `${app.code}/${code}`,
      name,
      note: archiveNotes.feature,
      changes: [{ field: "status", before: "active", after: "archived" }],
    },
    work: { what: "feature", id, app: app.code, details: null, status: "archived" },
  });

/** Features of an app that is missing from the file are not archived with it. */
const archiveMissing = (found: Collected, stored: StoredCatalog, wanted: Catalog) => {
  const inFile = new Map(
    wanted.apps.map((app) => [app.code, new Set(app.features.map(({ code }) => code))]),
  );
  const archivedInFile = new Set(
    wanted.apps.filter(({ status }) => status === "archived").map(({ code }) => code),
  );
  const apps = stored.apps.filter(({ code }) => !inFile.has(code));
  const features = stored.features.filter(
    ({ app, code }) => inFile.get(app.code)?.has(code) === false && !archivedInFile.has(app.code),
  );
  for (const app of apps) if (app.status === "active") archive(found, app);
  for (const one of features) if (one.status === "active") archiveFeature(found, one);
  const drafts = apps.filter(({ status }) => status === "draft").length;
  if (drafts > 0) found.notes.push(draftsKept.app(drafts));
  const draftFeatures = features.filter(({ status }) => status === "draft").length;
  if (draftFeatures > 0) found.notes.push(draftsKept.feature(draftFeatures));
};

const noteUnmade = (found: Collected, stored: StoredCatalog, wanted: Catalog) => {
  const apps = new Set(stored.apps.map(({ code }) => code));
  const features = new Set(stored.features.map((one) => `${one.app.code}/${one.code}`));
  const unmade = wanted.apps.filter((app) => app.status === "archived" && !apps.has(app.code));
  const unmadeFeatures = wanted.apps
    .filter(({ status }) => status !== "archived")
    .flatMap((app) =>
      app.features
        .filter(({ status }) => status === "archived")
        .map(({ code }) => `${app.code}/${code}`),
    )
    .filter((code) => !features.has(code));
  if (unmade.length > 0) found.notes.push(notCreated.app(unmade.map(({ code }) => code)));
  if (unmadeFeatures.length > 0) found.notes.push(notCreated.feature(unmadeFeatures));
};

/** Compares apps and their features. Features of an app that is archived in the file are skipped. */
export const diffApps = (found: Collected, stored: StoredCatalog, request: DiffRequest) => {
  const apps = new Map(stored.apps.map((app) => [app.code, app]));
  const features = new Map(stored.features.map((one) => [`${one.app.code}/${one.code}`, one]));
  for (const [place, wanted] of request.wanted.apps.entries()) {
    const { code, status } = wanted;
    const path = ["apps", place];
    const app = apps.get(code) ?? null;
    diffApp(found, app, wanted, path);
    if (status === "archived") continue;
    const owner = { code, stored: app, isRestored: status === "active" };
    for (const [index, feature] of wanted.features.entries())
      diffFeature(found, owner, {
        stored: features.get(`${code}/${feature.code}`) ?? null,
        wanted: feature,
        path: [...path, "features", index],
      });
  }
  noteUnmade(found, stored, request.wanted);
  if (request.archiveMissing) archiveMissing(found, stored, request.wanted);
};
