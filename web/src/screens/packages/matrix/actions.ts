import { plural, t } from "@lingui/core/macro";
import { appsOf, contentOf, isIncluded, type Sheet } from "#ui/matrix/sheet/cells.ts";
import type { SheetStore } from "#ui/matrix/sheet/sheetStore.ts";
import { toast } from "#ui/popups/toast.ts";
import type { Package } from "../queries.ts";
import { type FoundApp, readApp, readMatrix } from "./queries.ts";

/** Adds an app and returns the feature to focus. An app removed before comes back unchanged. */
export const addApp = async (store: SheetStore, app: FoundApp) => {
  const isShown = ({ id }: { id: string }) => id === app.id;
  if (!appsOf(store.now().sheet).some(isShown)) store.pick([await readApp(app)]);
  store.apply({ apps: [[app.id, true]] });
  const { name } = app;
  toast(t`${name} added with default values`);
  return appsOf(store.now().sheet).find(isShown)?.features[0]?.id ?? null;
};

/** Sets every unset feature to its default, so that later changes of the default don't apply. */
export const fillMissing = (store: SheetStore) => {
  const { sheet } = store.now();
  const missing = appsOf(sheet)
    .filter((app) => isIncluded(sheet, app))
    .flatMap(({ features }) => features)
    .filter(({ id }) => contentOf(sheet, id) === null);
  store.apply({ cells: missing.map(({ id, defaultValue }) => [id, defaultValue]) });
  toast(
    plural(missing.length, {
      0: "Every feature already has a value",
      one: "# feature set to its default",
      other: "# features set to their defaults",
    }),
  );
};

/** Copies another package's current version, or else its newest one, into this draft. */
export const copyFrom = async (store: SheetStore, { id, name, onSale }: Package) => {
  const { apps } = await readMatrix(id);
  const held = apps.filter((app) => (onSale ? app.onSale : app.included));
  const kept = held.filter(({ status }) => status !== "archived");
  store.pick(kept);
  const cells = kept.flatMap(({ features }) =>
    features.map((feature) => [feature.id, onSale ? feature.onSale : feature.value] as const),
  );
  const units = kept.flatMap(({ features }) =>
    features.map(
      (feature) => [feature.id, onSale ? feature.onSalePerUnit : feature.perUnit] as const,
    ),
  );
  store.apply({ apps: kept.map((app) => [app.id, true]), cells, units });
  const left = held.length - kept.length;
  const copied = plural(cells.length, {
    one: `# value copied from ${name}`,
    other: `# values copied from ${name}`,
  });
  const skipped = plural(left, { one: "# archived app skipped", other: "# archived apps skipped" });
  toast(left > 0 ? t`${copied}, ${skipped}` : copied);
};

export const isEmpty = (sheet: Sheet) =>
  !appsOf(sheet).some((app) => isIncluded(sheet, app) || app.included || app.onSale);
