import type { CatalogPackage } from "@purser/contract/catalog/catalog";
import type { Value } from "@purser/contract/fields/values";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { invalidCells } from "#modules/packages/matrix/matrixRules.ts";
import { isSame } from "../file/orderRules.ts";
import type { Outcome } from "./outcomeRules.ts";
import type { Collected, Path } from "./stepRules.ts";

export type Contents = Record<string, Record<string, Value>>;

export const changeOf = (before: Contents, after: Contents): MatrixChange => {
  const has = (contents: Contents, code: string) => Object.hasOwn(contents, code);
  const valueAt = (contents: Contents, app: string, feature: string) => {
    const values = has(contents, app) ? contents[app] : undefined;
    return values && Object.hasOwn(values, feature) ? (values[feature] ?? null) : null;
  };
  const cells = Object.keys(after).flatMap((app) => {
    const codes = new Set([
      ...Object.keys(after[app] ?? {}),
      ...(has(before, app) ? Object.keys(before[app] ?? {}) : []),
    ]);
    return [...codes].flatMap((feature) => {
      const [was, value] = [valueAt(before, app, feature), valueAt(after, app, feature)];
      return isSame(was, value) ? [] : [{ featureId: `${app}/${feature}`, value, was }];
    });
  });
  return {
    addApps: Object.keys(after).filter((code) => !has(before, code)),
    removeApps: Object.keys(before).filter((code) => !has(after, code)),
    cells,
  };
};

export const isEmpty = ({ addApps, removeApps, cells }: MatrixChange) =>
  addApps.length + removeApps.length + cells.length === 0;

const valuesOf = (contents: Contents) =>
  new Map(
    Object.entries(contents).flatMap(([app, values]) =>
      Object.entries(values).map(([feature, value]) => [`${app}/${feature}`, value] as const),
    ),
  );

export const shownContents = ({ addApps, removeApps, cells }: MatrixChange) => [
  ...addApps.map((code) => ({ field: `apps/${code}`, before: false, after: true })),
  ...removeApps.map((code) => ({ field: `apps/${code}`, before: true, after: false })),
  ...cells.map(({ featureId, was, value }) => ({
    field: `apps/${featureId}`,
    before: was,
    after: value,
  })),
];

/** Adds a blocking issue for every value that will not fit its app or feature. */
export const reportContents = (
  found: Collected,
  {
    outcome,
    before,
    wanted,
    change,
    path,
  }: {
    outcome: Outcome;
    before: Contents;
    wanted: CatalogPackage;
    change: MatrixChange;
    path: Path;
  },
) => {
  const included = new Set(Object.keys(wanted.apps));
  const invalid = invalidCells({ ...outcome, included, values: valuesOf(before) }, change);
  for (const { pointer, detail } of invalid) {
    const [, list, place] = pointer.split("/");
    const index = Number(place);
    const keys =
      list === "addApps"
        ? [change.addApps[index] ?? ""]
        : (change.cells[index]?.featureId ?? "").split("/");
    const { code } = wanted;
    found.blockingIssues.push({
      what: "package",
      code,
      message: detail,
      path: [...path, "apps", ...keys],
    });
  }
};
