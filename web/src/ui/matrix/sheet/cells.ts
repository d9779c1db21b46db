import type { Value } from "@purser/contract/fields/values";
import type { Wire } from "@purser/contract/http/endpoint";
import type { getMatrix } from "@purser/contract/packages/matrix";

export type Matrix = Wire<typeof getMatrix>["reply"];
export type MatrixApp = Matrix["apps"][number];
export type MatrixFeature = MatrixApp["features"][number];
export type MatrixChange = {
  addApps: string[];
  removeApps: string[];
  cells: { featureId: string; value: Value | null; was: Value | null }[];
  perUnit: { featureId: string; perUnit: boolean }[];
};

/** Invalid text in a cell, and why it is invalid. */
export type InvalidText = { typed: string; why: string };
/** Null means the default. */
export type Content = Value | null | InvalidText;

export const isInvalid = (content: Content): content is InvalidText =>
  typeof content === "object" && content !== null;

/** A changed cell, and its value when last read. */
export type Edit = { now: Content; was: Value | null };

type Spot = { app: MatrixApp; feature: MatrixFeature };

export type Sheet = {
  matrix: Matrix;
  /** Apps loaded to be added, which the server's matrix doesn't contain yet. */
  picked: readonly MatrixApp[];
  /** The index of each feature. */
  spots: ReadonlyMap<string, Spot>;
  cells: ReadonlyMap<string, Edit>;
  /** Changes of whether values are multiplied by the quantity. */
  units: ReadonlyMap<string, boolean>;
  /** Apps to add or remove. */
  apps: ReadonlyMap<string, boolean>;
};

const spotsOf = (apps: readonly MatrixApp[]) =>
  new Map(
    apps.flatMap((app) =>
      app.features.map((feature) => [feature.id, { app, feature }] as [string, Spot]),
    ),
  );

export const sheetOf = (matrix: Matrix): Sheet => ({
  matrix,
  picked: [],
  spots: spotsOf(matrix.apps),
  cells: new Map(),
  units: new Map(),
  apps: new Map(),
});

export const appsOf = ({ matrix, picked }: Pick<Sheet, "matrix" | "picked">) => [
  ...matrix.apps,
  ...picked.filter(({ id }) => !matrix.apps.some((app) => app.id === id)),
];

const appOf = (sheet: Sheet, id: string) => appsOf(sheet).find((app) => app.id === id);

export const storedOf = ({ spots }: Sheet, feature: string): Value | null =>
  spots.get(feature)?.feature.value ?? null;

export const contentOf = (sheet: Sheet, feature: string): Content => {
  const edit = sheet.cells.get(feature);
  return edit ? edit.now : storedOf(sheet, feature);
};

/** Whether the value is multiplied by the quantity that was bought. */
export const isPerUnit = ({ units, spots }: Sheet, feature: string) =>
  units.get(feature) ?? spots.get(feature)?.feature.perUnit ?? false;

export const isIncluded = (sheet: Sheet, app: MatrixApp) => sheet.apps.get(app.id) ?? app.included;

/** An app of another package, or of none, as part of this one. */
export const addedApp = (app: MatrixApp, others: number): MatrixApp => ({
  ...app,
  included: false,
  onSale: false,
  features: app.features.map((feature) => ({
    ...feature,
    value: null,
    perUnit: false,
    onSale: null,
    onSalePerUnit: false,
    others: Array.from({ length: others }, () => null),
  })),
});

/** Registers apps so that they can be added. */
export const withAddedApps = (sheet: Sheet, apps: readonly MatrixApp[]): Sheet => {
  const fresh = apps.filter(({ id }) => !appOf(sheet, id));
  if (fresh.length === 0) return sheet;
  const others = sheet.matrix.others.length;
  const picked = [...sheet.picked, ...fresh.map((app) => addedApp(app, others))];
  return { ...sheet, picked, spots: spotsOf(appsOf({ matrix: sheet.matrix, picked })) };
};

/** The wanted values of cells and apps. */
export type Wanted = {
  cells?: Iterable<readonly [feature: string, content: Content]>;
  units?: Iterable<readonly [feature: string, perUnit: boolean]>;
  apps?: Iterable<readonly [app: string, isIn: boolean]>;
};

/** One user action, undone as a whole. */
export type Step = {
  cells: readonly { id: string; before: Content; after: Content }[];
  units: readonly { id: string; before: boolean; after: boolean }[];
  apps: readonly { id: string; before: boolean; after: boolean }[];
};

const same = (one: Content, other: Content) =>
  isInvalid(one) && isInvalid(other) ? one.typed === other.typed : one === other;

/** The step that gives the wanted state, or null if nothing changes. */
export const stepTo = (
  sheet: Sheet,
  { cells = [], units = [], apps = [] }: Wanted,
): Step | null => {
  const step = {
    cells: [...cells]
      .filter(([id]) => sheet.spots.has(id))
      .map(([id, after]) => ({ id, before: contentOf(sheet, id), after }))
      .filter(({ before, after }) => !same(before, after)),
    units: [...units]
      .filter(([id]) => sheet.spots.has(id))
      .map(([id, after]) => ({ id, before: isPerUnit(sheet, id), after }))
      .filter(({ before, after }) => before !== after),
    apps: [...apps].flatMap(([id, after]) => {
      const app = appOf(sheet, id);
      const before = app && isIncluded(sheet, app);
      return before === undefined || before === after ? [] : [{ id, before, after }];
    }),
  };
  return step.cells.length + step.units.length + step.apps.length > 0 ? step : null;
};

/** Applies a step, or reverts it. */
export const applyStep = (sheet: Sheet, step: Step, side: "before" | "after"): Sheet => {
  const cells = new Map(sheet.cells);
  for (const { id, [side]: now } of step.cells) {
    const stored = storedOf(sheet, id);
    const edit = cells.get(id);
    const was = edit ? edit.was : stored;
    // A value equal to the one read is no change, even if it was changed remotely since.
    if (same(now, stored) || same(now, was)) cells.delete(id);
    else cells.set(id, { now, was });
  }
  const units = new Map(sheet.units);
  for (const { id, [side]: perUnit } of step.units)
    if (perUnit === sheet.spots.get(id)?.feature.perUnit) units.delete(id);
    else units.set(id, perUnit);
  const apps = new Map(sheet.apps);
  for (const { id, [side]: isIn } of step.apps)
    if (isIn === appOf(sheet, id)?.included) apps.delete(id);
    else apps.set(id, isIn);
  return { ...sheet, cells, units, apps };
};

/** The changed cells of included apps. */
const editsOf = (sheet: Sheet) =>
  [...sheet.cells].flatMap(([id, edit]) => {
    const spot = sheet.spots.get(id);
    return spot && isIncluded(sheet, spot.app) ? [{ id, ...spot, ...edit }] : [];
  });

/** The changed units of amounts in included apps. Other values can't be multiplied. */
const unitEditsOf = (sheet: Sheet) =>
  [...sheet.units].flatMap(([id, perUnit]) => {
    const spot = sheet.spots.get(id);
    return spot && isIncluded(sheet, spot.app) && typeof contentOf(sheet, id) === "number"
      ? [{ id, ...spot, perUnit }]
      : [];
  });

/** The changed features of included apps. */
const changedFeatures = (sheet: Sheet) =>
  new Map([...editsOf(sheet), ...unitEditsOf(sheet)].map(({ id, app }) => [id, app]));

/** All unsaved changes: features, and added or removed apps. */
export const changesOf = (sheet: Sheet) => changedFeatures(sheet).size + sheet.apps.size;

/** The number of changed cells per app. */
export const changedByApp = (sheet: Sheet) => {
  const counts = new Map<string, number>();
  for (const { id } of changedFeatures(sheet).values()) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};

export const invalidCells = (sheet: Sheet) =>
  editsOf(sheet)
    .filter(({ now }) => isInvalid(now))
    .map(({ id }) => id);

/** The request: changed cells only, each with its value when read. */
export const changeOf = (sheet: Sheet): MatrixChange => ({
  addApps: [...sheet.apps].flatMap(([id, isIn]) => (isIn ? [id] : [])),
  removeApps: [...sheet.apps].flatMap(([id, isIn]) => (isIn ? [] : [id])),
  cells: editsOf(sheet).flatMap(({ id, now, was }) =>
    isInvalid(now) ? [] : [{ featureId: id, value: now, was }],
  ),
  perUnit: unitEditsOf(sheet).map(({ id, perUnit }) => ({ featureId: id, perUnit })),
});
