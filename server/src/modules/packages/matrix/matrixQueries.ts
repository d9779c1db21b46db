import type { Package } from "@purser/contract/packages/fields";
import type { Matrix, MatrixChange } from "@purser/contract/packages/matrix";
import { unitOf } from "#modules/features/queries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import {
  findAppFeatures,
  findPerUnit,
  findValues,
  findVersionApps,
} from "../versions/versionQueries.ts";
import type { DraftFeature, DraftState } from "./matrixRules.ts";

// The version on sale of each package, or else its newest one.
const ofPackages = `
  select r.id, r.name, r.sort, v.number, v.id as "versionId"
  from packages r cross join lateral (
    select v.id, v.number from package_versions v where v.package_id = r.id
    order by v.state = 'on sale' desc, v.number desc limit 1
  ) v`;

const findAskedSql = statement(
  "packages.findAsked",
  `${ofPackages} where r.id = any ($1::uuid[]) order by r.sort, r.id`,
);

const findAsked = (db: Db, ids: readonly string[]) => run(db, findAskedSql, [ids]);

const findNeighborsSql = statement(
  "packages.findNeighbors",
  `select * from (
     (${ofPackages} where r.group_code = $1 and r.status <> 'archived'
        and (r.sort, r.id) < ($2, $3::uuid) order by r.sort desc, r.id desc limit 1)
     union all
     (${ofPackages} where r.group_code = $1 and r.status <> 'archived'
        and (r.sort, r.id) > ($2, $3::uuid) order by r.sort, r.id limit 1)
   ) neighbors order by sort, id`,
).narrow<RowOf<typeof findAskedSql>>();

/** The packages directly below and above in the same group. */
const findNeighbors = (db: Db, { id, group, sort }: Package) =>
  group === null ? Promise.resolve([]) : run(db, findNeighborsSql, [group, sort, id]);

/** The draft, or else the scheduled or current version, next to the current one and other packages. */
export const findMatrix = async (
  db: Db,
  stored: Package,
  asked: readonly string[] | null,
): Promise<Matrix> => {
  const others = await (asked ? findAsked(db, asked) : findNeighbors(db, stored));
  const shown = (stored.draft ?? stored.scheduled ?? stored.onSale)?.id;
  const onSale = stored.onSale?.id;
  const own = [shown, onSale].filter((id) => id !== undefined);
  const versionIds = [...own, ...others.map(({ versionId }) => versionId)];
  const apps = await findVersionApps(db, [...new Set(own)]);
  const features = await findAppFeatures(
    db,
    apps.map(({ id }) => id),
    own,
  );
  const values = await findValues(db, versionIds);
  const perUnit = await findPerUnit(db, own);
  const isPerUnit = (versionId: string | undefined, featureId: string) =>
    perUnit.get(versionId ?? "")?.has(featureId) ?? false;
  const valueIn = (versionId: string | undefined, featureId: string) =>
    (versionId === undefined ? undefined : values.get(versionId)?.get(featureId)) ?? null;
  const byApp = Map.groupBy(features, ({ appId }) => appId);
  return {
    package: stored,
    others: others.map(({ versionId: _, ...other }) => other),
    apps: apps.map(({ versionIds: held, ...app }) => ({
      ...app,
      included: shown !== undefined && held.includes(shown),
      onSale: onSale !== undefined && held.includes(onSale),
      features: (byApp.get(app.id) ?? []).map(({ appId: _, ...feature }) => ({
        ...feature,
        value: valueIn(shown, feature.id),
        perUnit: isPerUnit(shown, feature.id),
        onSale: valueIn(onSale, feature.id),
        onSalePerUnit: isPerUnit(onSale, feature.id),
        others: others.map(({ versionId }) => valueIn(versionId, feature.id)),
      })),
    })),
  };
};

const draftAppsSql = statement(
  "packages.draftApps",
  `select a.id, a.name, a.status, held.app_id is null as added from apps a
   left join version_apps held on held.app_id = a.id and held.version_id = $1
   where held.app_id is not null or a.id = any ($2::uuid[])`,
).narrow<{ added: boolean }>();

const draftFeaturesSql = statement(
  "packages.draftFeatures",
  `select f.id, f.app_id as "appId", f.name, f.status, f.kind, f.options, f.reset,
     ${unitOf("f")} as unit
   from features f where f.id = any ($1::uuid[])`,
).narrow<Pick<DraftFeature, "options" | "unit">>();

/** What a change of the draft is validated against. */
export const findDraftState = async (
  db: Db,
  draftId: string,
  { addApps, removeApps, cells, perUnit }: MatrixChange,
): Promise<DraftState> => {
  const included = await run(db, draftAppsSql, [draftId, addApps]);
  const features = await run(db, draftFeaturesSql, [
    [...cells, ...perUnit].map(({ featureId }) => featureId),
  ]);
  const values = (await findValues(db, [draftId])).get(draftId) ?? new Map();
  return {
    apps: new Map(included.map((app) => [app.id, app])),
    included: new Set(included.map(({ id }) => id).filter((id) => !removeApps.includes(id))),
    features: new Map(features.map((feature) => [feature.id, feature])),
    values,
  };
};

/** Stores a validated change. Removing an app removes its values, too. */
export const storeChange = async (
  db: Db,
  draftId: string,
  { addApps, removeApps, cells, perUnit }: MatrixChange,
) => {
  if (removeApps.length > 0)
    await run(db, "delete from version_apps where version_id = $1 and app_id = any ($2::uuid[])", [
      draftId,
      removeApps,
    ]);
  if (addApps.length > 0)
    await run(
      db,
      `insert into version_apps (version_id, app_id) select $1, unnest($2::uuid[])
       on conflict do nothing`,
      [draftId, addApps],
    );
  const emptied = cells.filter(({ value }) => value === null).map(({ featureId }) => featureId);
  if (emptied.length > 0)
    await run(
      db,
      "delete from version_values where version_id = $1 and feature_id = any ($2::uuid[])",
      [draftId, emptied],
    );
  const set = cells.filter(({ value }) => value !== null);
  if (set.length > 0)
    await run(
      db,
      `insert into version_values (version_id, app_id, feature_id, value)
       select $1, f.app_id, f.id, asked.value
       from jsonb_to_recordset($2::jsonb) as asked ("featureId" uuid, value jsonb)
       join features f on f.id = asked."featureId"
       on conflict (version_id, feature_id) do update set value = excluded.value
         where version_values.value <> excluded.value`,
      [draftId, JSON.stringify(set)],
    );
  if (perUnit.length > 0)
    await run(
      db,
      `update version_values v set per_unit = asked."perUnit"
       from jsonb_to_recordset($2::jsonb) as asked ("featureId" uuid, "perUnit" boolean)
       where v.version_id = $1 and v.feature_id = asked."featureId" and v.per_unit <> asked."perUnit"`,
      [draftId, JSON.stringify(perUnit)],
    );
};
