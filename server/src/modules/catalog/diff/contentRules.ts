import type { CatalogPackage } from "@purser/contract/catalog/catalog";
import type { Value } from "@purser/contract/fields/values";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { invalidCells } from "#modules/packages/matrix/matrixRules.ts";
import { isSame } from "../file/orderRules.ts";
import type { Outcome } from "./outcomeRules.ts";
import type { Collected, Path } from "./stepRules.ts";

export type Contents = Record<string, Record<string, Value>>;

/** The apps of a package with their values, and the values that are multiplied by the quantity. */
export type Content = { apps: Contents; perUnit: Record<string, string[]> };

const idsOf = (perUnit: Content["perUnit"]) =>
  new Set(
    Object.entries(perUnit).flatMap(([app, features]) =>
      features.map((feature) => `${app}/${feature}`),
    ),
  );

/** Values that are set or removed by the change. Those of removed apps are gone. */
const perUnitChange = (before: Content, after: Content): MatrixChange["perUnit"] => {
  const [old, next] = [idsOf(before.perUnit), idsOf(after.perUnit)];
  const isKept = (id: string) => {
    const [app = "", feature = ""] = id.split("/");
    return Object.hasOwn(after.apps, app) && Object.hasOwn(after.apps[app] ?? {}, feature);
  };
  return [
    ...[...next].filter((id) => !old.has(id)).map((featureId) => ({ featureId, perUnit: true })),
    ...[...old]
      .filter((id) => !next.has(id) && isKept(id))
      .map((featureId) => ({ featureId, perUnit: false })),
  ];
};

export const changeOf = (stored: Content, wanted: Content): MatrixChange => {
  const [before, after] = [stored.apps, wanted.apps];
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
    perUnit: perUnitChange(stored, wanted),
  };
};

export const isEmpty = ({ addApps, removeApps, cells, perUnit }: MatrixChange) =>
  addApps.length + removeApps.length + cells.length + perUnit.length === 0;

const valuesOf = (contents: Contents) =>
  new Map(
    Object.entries(contents).flatMap(([app, values]) =>
      Object.entries(values).map(([feature, value]) => [`${app}/${feature}`, value] as const),
    ),
  );

export const shownContents = ({ addApps, removeApps, cells, perUnit }: MatrixChange) => [
  ...addApps.map((code) => ({ field: `apps/${code}`, before: false, after: true })),
  ...removeApps.map((code) => ({ field: `apps/${code}`, before: true, after: false })),
  ...cells.map(({ featureId, was, value }) => ({
    field: `apps/${featureId}`,
    before: was,
    after: value,
  })),
  ...perUnit.map(({ featureId, perUnit: after }) => ({
    field: `perUnit/${featureId}`,
    before: !after,
    after,
  })),
];

/** Where the file has an invalid part of a change. */
const keysOf = (
  { addApps, cells, perUnit }: MatrixChange,
  list: string | undefined,
  at: number,
) => {
  if (list === "addApps") return ["apps", addApps[at] ?? ""];
  if (list === "perUnit") return ["perUnit", (perUnit[at]?.featureId ?? "").split("/")[0] ?? ""];
  return ["apps", ...(cells[at]?.featureId ?? "").split("/")];
};

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
    const keys = keysOf(change, list, index);
    const { code } = wanted;
    found.blockingIssues.push({
      what: "package",
      code,
      message: detail,
      path: [...path, ...keys],
    });
  }
};
