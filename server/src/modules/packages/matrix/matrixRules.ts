import { isCounted, refusalOfValue, type Shape, type Value } from "@purser/contract/fields/values";
import type { Message } from "@purser/contract/messages/message";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { message } from "#platform/messages.ts";

/** The part of a draft that a change is validated against. */
export type DraftFeature = Omit<Shape, "combining"> & {
  id: string;
  appId: string;
  name: string;
  status: "draft" | "active" | "archived";
};

export type DraftState = {
  /** Apps by id, including those that the change adds. */
  apps: ReadonlyMap<string, { name: string; status: string }>;
  included: ReadonlySet<string>;
  features: ReadonlyMap<string, DraftFeature>;
  values: ReadonlyMap<string, Value>;
};

/** An app or a cell of a change that can't be saved, by its JSON pointer. */
export type InvalidPart = { pointer: string; detail: Message };

const valueInvalid = (kind: Shape["kind"], feature: string, app: string) => {
  switch (kind) {
    case "switch":
      return message("feature_value_switch", "Choose on or off for {feature} in {app}.", {
        feature,
        app,
      });
    case "choice":
      return message("feature_value_option", "Choose one of the options for {feature} in {app}.", {
        feature,
        app,
      });
    default:
      return message(
        "feature_value_quantity",
        "Enter a whole number or “unlimited” for {feature} in {app}.",
        { feature, app },
      );
  }
};

const appArchived = (app: string) =>
  message("cell_app_archived", "{app} is archived. Restore it to include it in a package.", {
    app,
  });

const cellInvalid = (
  { apps, included, features, values }: DraftState,
  { featureId, value }: MatrixChange["cells"][number],
): Message | null => {
  if (value === null) return null;
  const feature = features.get(featureId);
  if (!feature) return message("cell_feature_unknown", "This feature doesn't exist.");
  const { name, kind } = feature;
  if (!included.has(feature.appId))
    return message(
      "cell_app_missing",
      "The draft doesn't include the app of {feature}. Add the app first.",
      { feature: name },
    );
  if (feature.status === "archived" && values.get(featureId) !== value)
    return message(
      "cell_feature_archived",
      "{feature} is archived. Restore it to include it in a package.",
      { feature: name },
    );
  const app = apps.get(feature.appId);
  if (app?.status === "archived" && values.get(featureId) !== value) return appArchived(app.name);
  return refusalOfValue(feature, value) ? valueInvalid(kind, name, app?.name ?? "") : null;
};

/** Only an amount that the draft includes can be multiplied. */
const perUnitInvalid = (
  { features, values, included }: DraftState,
  { cells, perUnit }: MatrixChange,
): InvalidPart[] => {
  const changed = new Map(cells.map(({ featureId, value }) => [featureId, value]));
  return perUnit.flatMap(({ featureId, perUnit: isPerUnit }, place) => {
    const feature = features.get(featureId);
    const pointer = `/perUnit/${place}/perUnit`;
    if (!feature)
      return [{ pointer, detail: message("cell_feature_unknown", "This feature doesn't exist.") }];
    const value = changed.has(featureId) ? changed.get(featureId) : values.get(featureId);
    const isAmount = isCounted(feature) && typeof value === "number";
    if (!isPerUnit || (isAmount && included.has(feature.appId))) return [];
    return [
      {
        pointer,
        detail: message(
          "per_unit_without_amount",
          "Enter a number for {feature} to multiply it by the quantity.",
          { feature: feature.name },
        ),
      },
    ];
  });
};

export const invalidCells = (state: DraftState, change: MatrixChange): InvalidPart[] => [
  ...change.addApps.flatMap((id, place) => {
    const app = state.apps.get(id);
    const pointer = `/addApps/${place}`;
    if (!app) return [{ pointer, detail: message("cell_app_unknown", "This app doesn't exist.") }];
    if (app.status !== "archived") return [];
    return [{ pointer, detail: appArchived(app.name) }];
  }),
  ...change.cells.flatMap((cell, place) => {
    const detail = cellInvalid(state, cell);
    return detail ? [{ pointer: `/cells/${place}/value`, detail }] : [];
  }),
  ...perUnitInvalid(state, change),
];

/** The cells that were changed by someone else after they were read. */
export const conflictsOf = (
  { features, values }: Pick<DraftState, "features" | "values">,
  cells: MatrixChange["cells"],
): InvalidPart[] =>
  cells.flatMap(({ featureId, value, was }, place) => {
    const stored = values.get(featureId) ?? null;
    if (stored === was || stored === value) return [];
    const feature = features.get(featureId);
    const detail = feature
      ? message(
          "cell_changed",
          "Someone else changed {feature}. Review the new value and save again.",
          { feature: feature.name },
        )
      : message("cell_feature_unknown", "This feature doesn't exist.");
    return [{ pointer: `/cells/${place}`, detail }];
  });
