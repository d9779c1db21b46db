import type { MatrixChange } from "@purser/contract/packages/matrix";
import { insertApp, replaceDetails as replaceApp, setStatus } from "#modules/apps/queries.ts";
import { insertFeature, replaceDetails as replaceFeature } from "#modules/features/queries.ts";
import { storeChange } from "#modules/packages/matrix/matrixQueries.ts";
import {
  findPackage,
  insertPackage,
  replaceDetails as replacePackage,
} from "#modules/packages/queries.ts";
import {
  copyToDraft,
  insertFirstDraft,
  newestVersionId,
  replaceTerms,
} from "#modules/packages/versions/versionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import type { Step, WorkOn } from "./diff/stepRules.ts";
import { findIdsByCode, type Ids } from "./queries.ts";

type Work = Step["work"];

const isOn =
  <What extends Work["what"]>(what: What) =>
  (work: Work): work is WorkOn<What> =>
    work.what === what;

const applyApp = async (db: Db, { id, details, status }: WorkOn<"app">, now: Date) => {
  const stored = id ?? (details && (await insertApp(db, details)));
  if (!stored) return;
  // Archived records can't be changed, so they are restored first.
  if (status) await setStatus(db, "apps", { ids: [stored], status, now });
  if (id && details) await replaceApp(db, id, details);
};

const idOf = (ids: ReadonlyMap<string, string>, code: string) => {
  const id = ids.get(code);
  if (id === undefined) throw new Error(`Nothing has the code ${code}, though it was compared.`);
  return id;
};

const applyFeature = async (
  db: Db,
  { id, app, details, status }: WorkOn<"feature">,
  { ids, now }: { ids: Ids; now: Date },
) => {
  const stored = id ?? (details && (await insertFeature(db, idOf(ids.apps, app), details)));
  if (!stored) return;
  if (status) await setStatus(db, "features", { ids: [stored], status, now });
  if (id && details) await replaceFeature(db, id, details);
};

const withIds = ({ apps, features }: Ids, change: MatrixChange): MatrixChange => ({
  addApps: change.addApps.map((code) => idOf(apps, code)),
  removeApps: change.removeApps.map((code) => idOf(apps, code)),
  cells: change.cells.map((cell) => ({ ...cell, featureId: idOf(features, cell.featureId) })),
  perUnit: change.perUnit.map((one) => ({ ...one, featureId: idOf(features, one.featureId) })),
});

const draftOf = async (db: Db, packageId: string) =>
  (await findPackage(db, packageId))?.draft?.id ??
  copyToDraft(db, packageId, await newestVersionId(db, { id: packageId }));

const createPackage = async (db: Db, own: NonNullable<WorkOn<"package">["own"]>) => {
  const id = await insertPackage(db, own);
  await insertFirstDraft(db, id);
  return id;
};

/** Returns the package if its draft was changed. */
const applyPackage = async (
  db: Db,
  { id, own, terms, contents, status }: WorkOn<"package">,
  { ids, now }: { ids: Ids; now: Date },
) => {
  const stored = id ?? (own && (await createPackage(db, own)));
  if (!stored) return [];
  if (status) await setStatus(db, "packages", { ids: [stored], status, now });
  if (id && own) await replacePackage(db, id, own, now);
  if (id && !terms && !contents) return [];
  const draftId = await draftOf(db, stored);
  if (contents) await storeChange(db, draftId, withIds(ids, contents));
  if (terms) await replaceTerms(db, draftId, terms);
  const draft = await findPackage(db, stored);
  return draft?.draft ? [{ ...draft, number: draft.draft.number }] : [];
};

/** Applies all steps in the caller's transaction. Returns the packages with a draft to publish. */
export const applySteps = async (db: Db, steps: readonly Step[], now: Date) => {
  const writing = steps.filter(({ shown }) => shown.action !== "archive").map(({ work }) => work);
  const archiving = steps.filter(({ shown }) => shown.action === "archive").map(({ work }) => work);
  for (const work of writing.filter(isOn("app"))) await applyApp(db, work, now);
  const ids = await findIdsByCode(db);
  for (const work of writing.filter(isOn("feature"))) await applyFeature(db, work, { ids, now });
  const all = { ids: await findIdsByCode(db), now };
  const drafts = [];
  for (const work of writing.filter(isOn("package")))
    drafts.push(await applyPackage(db, work, all));
  // Archiving comes last, because archived records can't be used by the other steps.
  for (const work of archiving.filter(isOn("package"))) await applyPackage(db, work, all);
  for (const work of archiving.filter(isOn("feature"))) await applyFeature(db, work, all);
  for (const work of archiving.filter(isOn("app"))) await applyApp(db, work, now);
  return drafts.flat().map(({ id, code, name, number }) => ({ id, code, name, number }));
};
