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
};

/** What somebody typed that is no value of its feature, and why. */
export type Wrong = { typed: string; why: string };
/** Null leaves a feature at its default. */
export type Content = Value | null | Wrong;

export const isWrong = (content: Content): content is Wrong =>
  typeof content === "object" && content !== null;

/** A cell that was changed here, and what it was when it was last read. */
export type Edit = { now: Content; was: Value | null };

type Spot = { app: MatrixApp; feature: MatrixFeature };

export type Sheet = {
  matrix: Matrix;
  /** Apps that were read in order to be put in; the server's copy does not have them yet. */
  picked: readonly MatrixApp[];
  /** Where each feature stands. */
  spots: ReadonlyMap<string, Spot>;
  cells: ReadonlyMap<string, Edit>;
  /** Apps that go in or out. */
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

export const isIncluded = (sheet: Sheet, app: MatrixApp) => sheet.apps.get(app.id) ?? app.included;

/** An app of another package, or one that no package has yet, as a part of this one. */
export const pickedApp = (app: MatrixApp, others: number): MatrixApp => ({
  ...app,
  included: false,
  onSale: false,
  features: app.features.map((feature) => ({
    ...feature,
    value: null,
    onSale: null,
    others: Array.from({ length: others }, () => null),
  })),
});

/** Makes apps known, so that they can be put in. */
export const withPicked = (sheet: Sheet, apps: readonly MatrixApp[]): Sheet => {
  const fresh = apps.filter(({ id }) => !appOf(sheet, id));
  if (fresh.length === 0) return sheet;
  const others = sheet.matrix.others.length;
  const picked = [...sheet.picked, ...fresh.map((app) => pickedApp(app, others))];
  return { ...sheet, picked, spots: spotsOf(appsOf({ matrix: sheet.matrix, picked })) };
};

/** What some cells and apps are to be. */
export type Wanted = {
  cells?: Iterable<readonly [feature: string, content: Content]>;
  apps?: Iterable<readonly [app: string, isIn: boolean]>;
};

/** One act of a person: what it changed, so that it can be taken back as a whole. */
export type Step = {
  cells: readonly { id: string; before: Content; after: Content }[];
  apps: readonly { id: string; before: boolean; after: boolean }[];
};

const same = (one: Content, other: Content) =>
  isWrong(one) && isWrong(other) ? one.typed === other.typed : one === other;

/** The step to what is wanted; null where it is so already. */
export const stepTo = (sheet: Sheet, { cells = [], apps = [] }: Wanted): Step | null => {
  const step = {
    cells: [...cells]
      .filter(([id]) => sheet.spots.has(id))
      .map(([id, after]) => ({ id, before: contentOf(sheet, id), after }))
      .filter(({ before, after }) => !same(before, after)),
    apps: [...apps].flatMap(([id, after]) => {
      const app = appOf(sheet, id);
      const before = app && isIncluded(sheet, app);
      return before === undefined || before === after ? [] : [{ id, before, after }];
    }),
  };
  return step.cells.length + step.apps.length > 0 ? step : null;
};

/** The sheet after a step, or before it again. */
export const takeStep = (sheet: Sheet, step: Step, side: "before" | "after"): Sheet => {
  const cells = new Map(sheet.cells);
  for (const { id, [side]: now } of step.cells) {
    const stored = storedOf(sheet, id);
    const edit = cells.get(id);
    const was = edit ? edit.was : stored;
    // Back to what was read is no change either, also where somebody else changed it since.
    if (same(now, stored) || same(now, was)) cells.delete(id);
    else cells.set(id, { now, was });
  }
  const apps = new Map(sheet.apps);
  for (const { id, [side]: isIn } of step.apps)
    if (isIn === appOf(sheet, id)?.included) apps.delete(id);
    else apps.set(id, isIn);
  return { ...sheet, cells, apps };
};

/** The changed cells that count: those of apps that are in. */
const editsOf = (sheet: Sheet) =>
  [...sheet.cells].flatMap(([id, edit]) => {
    const spot = sheet.spots.get(id);
    return spot && isIncluded(sheet, spot.app) ? [{ id, ...spot, ...edit }] : [];
  });

/** Everything that is not saved yet: cells, and apps that go in or out. */
export const changesOf = (sheet: Sheet) => editsOf(sheet).length + sheet.apps.size;

/** How many cells of each app were changed. */
export const changedByApp = (sheet: Sheet) => {
  const counts = new Map<string, number>();
  for (const { app } of editsOf(sheet)) counts.set(app.id, (counts.get(app.id) ?? 0) + 1);
  return counts;
};

export const wrongIn = (sheet: Sheet) =>
  editsOf(sheet)
    .filter(({ now }) => isWrong(now))
    .map(({ id }) => id);

/** What is sent: only what was changed, and what each cell was when it was read. */
export const changeOf = (sheet: Sheet): MatrixChange => ({
  addApps: [...sheet.apps].flatMap(([id, isIn]) => (isIn ? [id] : [])),
  removeApps: [...sheet.apps].flatMap(([id, isIn]) => (isIn ? [] : [id])),
  cells: editsOf(sheet).flatMap(({ id, now, was }) =>
    isWrong(now) ? [] : [{ featureId: id, value: now, was }],
  ),
});
