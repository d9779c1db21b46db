import {
  appsOf,
  contentOf,
  isIncluded,
  type MatrixApp,
  type MatrixFeature,
  type Sheet,
} from "./cells.ts";

export type Row =
  | { key: string; app: MatrixApp; feature: null; isOpen: boolean; shown: number }
  | { key: string; app: MatrixApp; feature: MatrixFeature };
export type FeatureRow = Extract<Row, { feature: MatrixFeature }>;

export const isFeatureRow = (row: Row | undefined): row is FeatureRow =>
  row !== undefined && row.feature !== null;

export type RowFilter = {
  find: string;
  onlyChanged: boolean;
  onlyDifferences: boolean;
};

export const isFiltered = ({ find, onlyChanged, onlyDifferences }: RowFilter) =>
  find.trim() !== "" || onlyChanged || onlyDifferences;

/** Whether a feature differs from the version on sale or has unsaved changes. */
const isChanged = (sheet: Sheet, feature: MatrixFeature) =>
  sheet.cells.has(feature.id) ||
  (sheet.matrix.package.onSale !== null && contentOf(sheet, feature.id) !== feature.onSale);

/** Whether another displayed package has a different value. */
const isDifferent = (sheet: Sheet, { id, others, defaultValue }: MatrixFeature) => {
  const mine = contentOf(sheet, id) ?? defaultValue;
  return others.some((value) => (value ?? defaultValue) !== mine);
};

const matches = (sheet: Sheet, narrowing: RowFilter) => {
  const wanted = narrowing.find.trim().toLowerCase();
  return (app: MatrixApp, feature: MatrixFeature) => {
    const named = `${feature.name} ${app.code}.${feature.code} ${app.name}`.toLowerCase();
    return (
      named.includes(wanted) &&
      (!narrowing.onlyChanged || isChanged(sheet, feature)) &&
      (!narrowing.onlyDifferences || isDifferent(sheet, feature))
    );
  };
};

/** Whether an app is or was included, or is in a displayed version or package. */
const isShown = (sheet: Sheet, app: MatrixApp) =>
  isIncluded(sheet, app) ||
  app.included ||
  app.onSale ||
  app.features.some(({ others }) => others.some((value) => value !== null));

/** The visible rows in order. Filters ignore collapsed apps. */
export const rowsOf = (sheet: Sheet, narrowing: RowFilter, closed: ReadonlySet<string>): Row[] => {
  const fits = matches(sheet, narrowing);
  const isAsked = isFiltered(narrowing);
  return appsOf(sheet).flatMap((app): Row[] => {
    if (!isShown(sheet, app)) return [];
    const isIn = isIncluded(sheet, app);
    const features = isIn ? app.features.filter((feature) => fits(app, feature)) : [];
    if (isAsked && features.length === 0) return [];
    const isOpen = isIn && (isAsked || !closed.has(app.id));
    const head: Row = { key: app.id, app, feature: null, isOpen, shown: features.length };
    if (!isOpen) return [head];
    return [head, ...features.map((feature) => ({ key: feature.id, app, feature }))];
  });
};
