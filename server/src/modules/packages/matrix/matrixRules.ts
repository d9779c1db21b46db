import { refusalOfValue, type Shape, type Value, wordsOf } from "@purser/contract/fields/values";
import type { FieldError } from "@purser/contract/http/problem";
import type { MatrixChange } from "@purser/contract/packages/matrix";

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

const at = (pointer: string, code: string, message: string): FieldError => ({
  in: "body",
  pointer,
  code,
  message,
});

const complaintOfCell = (
  { apps, included, features, values }: DraftState,
  { featureId, value }: MatrixChange["cells"][number],
): string | null => {
  if (value === null) return null;
  const feature = features.get(featureId);
  if (!feature) return "There is no such feature.";
  if (!included.has(feature.appId))
    return `The app of ${feature.name} is not part of the draft. Add it first.`;
  if (feature.status === "archived" && values.get(featureId) !== value)
    return `${feature.name} is archived. Restore it to give it to people.`;
  const refusal = refusalOfValue(feature, value);
  return refusal && `${feature.name} in ${apps.get(feature.appId)?.name ?? "its app"} ${refusal}.`;
};

export const validationMessages = (state: DraftState, change: MatrixChange): FieldError[] => [
  ...change.addApps.flatMap((id, place) => {
    const app = state.apps.get(id);
    if (!app) return [at(`/addApps/${place}`, "unknown", "There is no such app.")];
    return app.status === "archived"
      ? [at(`/addApps/${place}`, "archived", `${app.name} is archived. Restore it to sell it.`)]
      : [];
  }),
  ...change.cells.flatMap((cell, place) => {
    const complaint = complaintOfCell(state, cell);
    return complaint ? [at(`/cells/${place}/value`, "unfit", complaint)] : [];
  }),
];

/** The cells that were changed by someone else after they were read. */
export const conflictsOf = (
  { features, values }: Pick<DraftState, "features" | "values">,
  cells: MatrixChange["cells"],
): FieldError[] =>
  cells.flatMap(({ featureId, value, was }, place) => {
    const stored = values.get(featureId) ?? null;
    if (stored === was || stored === value) return [];
    const feature = features.get(featureId);
    const words = stored === null || !feature ? "its default" : wordsOf(feature, stored);
    return [
      at(`/cells/${place}`, "changed", `${feature?.name ?? "The feature"} is ${words} by now.`),
    ];
  });
