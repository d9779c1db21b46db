import type { App, AppStatus } from "@purser/contract/apps/fields";
import type { Catalog, CatalogPackage } from "@purser/contract/catalog/catalog";
import type { Feature } from "@purser/contract/features/fields";
import type { Package, VersionState } from "@purser/contract/packages/fields";
import type { DraftState } from "#modules/packages/matrix/matrixRules.ts";

/** A package with the content of its draft, or of its newest version if it has no draft. */
export type StoredPackage = Omit<CatalogPackage, "status"> &
  Pick<Package, "id" | "status"> & {
    newest: { id: string; number: number; state: VersionState };
    scheduled: { number: number } | null;
  };

/** The stored apps, features and packages that a file is compared with. */
export type StoredCatalog = {
  apps: readonly App[];
  features: readonly Feature[];
  packages: readonly StoredPackage[];
};
export type DiffRequest = { wanted: Catalog; archiveMissing: boolean };
export type Outcome = Pick<DraftState, "apps" | "features">;

const statusAfter = (stored: AppStatus, wanted: AppStatus): AppStatus =>
  wanted === "archived" || (stored === "draft" && wanted === "draft") ? wanted : "active";

type OutcomeFeature = DraftState["features"] extends ReadonlyMap<string, infer F> ? F : never;
type MutableOutcome = {
  apps: Map<string, { name: string; status: AppStatus }>;
  features: Map<string, OutcomeFeature>;
};

/** The stored records, with those archived that are missing from the file. */
const outcomeWithoutFile = (
  stored: StoredCatalog,
  { wanted, archiveMissing }: DiffRequest,
): MutableOutcome => {
  const named = new Map(
    wanted.apps.map(({ code, features }) => [code, new Set(features.map((one) => one.code))]),
  );
  const without = (status: AppStatus, isMissing: boolean): AppStatus =>
    archiveMissing && isMissing && status === "active" ? "archived" : status;
  return {
    apps: new Map(
      stored.apps.map(({ code, name, status }) => [
        code,
        { name, status: without(status, !named.has(code)) },
      ]),
    ),
    features: new Map(
      stored.features.map((one) => {
        const id = `${one.app.code}/${one.code}`;
        const status = without(one.status, named.get(one.app.code)?.has(one.code) === false);
        return [id, { ...one, id, appId: one.app.code, status }];
      }),
    ),
  };
};

/** The apps and features by code as they will be after the file is applied. Package values must fit them. */
export const outcomeOf = (stored: StoredCatalog, request: DiffRequest): Outcome => {
  const outcome = outcomeWithoutFile(stored, request);
  for (const app of request.wanted.apps) {
    const known = outcome.apps.get(app.code);
    const status = statusAfter(known?.status ?? "draft", app.status);
    outcome.apps.set(app.code, { name: app.name, status });
    if (app.status === "archived" && known) continue;
    for (const one of app.features) {
      const id = `${app.code}/${one.code}`;
      const ownStatus = app.status === "archived" ? "archived" : one.status;
      outcome.features.set(id, { ...one, id, appId: app.code, status: ownStatus });
    }
  }
  return outcome;
};
