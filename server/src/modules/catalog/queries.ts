import { catalogMax } from "@purser/contract/catalog/catalog";
import type { Message } from "@purser/contract/messages/message";
import { findAppsById } from "#modules/apps/queries.ts";
import { findFeaturesById } from "#modules/features/queries.ts";
import { ownColumns } from "#modules/packages/queries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import type { StoredCatalog } from "./diff/outcomeRules.ts";

const counts = statement(
  "catalog.assertFits",
  `
  select ${Object.entries(catalogMax)
    .map(
      ([table, max]) =>
        `(select count(*) from (select from ${table} limit ${max + 1}) s)::int as ${table}`,
    )
    .join(", ")}`,
).narrow<typeof catalogMax>();

const tooMany: Record<keyof typeof catalogMax, Message> = {
  apps: message(
    "catalog_apps_max",
    "Your workspace has more than {max, number} apps, which is too many for one file.",
    { max: catalogMax.apps },
  ),
  features: message(
    "catalog_features_max",
    "Your workspace has more than {max, number} features, which is too many for one file.",
    { max: catalogMax.features },
  ),
  packages: message(
    "catalog_packages_max",
    "Your workspace has more than {max, number} packages, which is too many for one file.",
    { max: catalogMax.packages },
  ),
};

/** Limits the number of records, because a file is read and written as a whole in memory. */
const assertFits = async (db: Db) => {
  const found = await first(db, counts);
  for (const what of Object.keys(catalogMax) as (keyof typeof catalogMax)[])
    if (found && found[what] > catalogMax[what]) throw new Problem("too_large", tooMany[what]);
};

const appIds = statement("catalog.appIds", "select id from apps order by id");
const featureIds = statement("catalog.featureIds", "select id from features order by id");

const findIds = async (db: Db, ids: typeof appIds) => (await run(db, ids)).map(({ id }) => id);

const packages = statement(
  "catalog.packages",
  `select ${ownColumns},
    v.trial_days as "trialDays",
    jsonb_build_object('id', v.id, 'number', v.number, 'state', v.state) as newest,
    (select jsonb_build_object('number', s.number) from package_versions s
      where s.package_id = r.id and s.state = 'scheduled') as scheduled,
    (select coalesce(jsonb_agg(jsonb_build_object('currency', p.currency, 'amount', p.amount,
        'interval', p.interval, 'intervalCount', p.interval_count, 'perUnit', p.per_unit)), '[]')
      from version_prices p where p.version_id = v.id) as prices,
    (select coalesce(jsonb_object_agg(a.code, (
        select coalesce(jsonb_object_agg(f.code, given.value), '{}')
        from version_values given join features f on f.id = given.feature_id
        where given.version_id = v.id and given.app_id = a.id
      )), '{}')
      from version_apps held join apps a on a.id = held.app_id where held.version_id = v.id) as apps,
    (select coalesce(jsonb_object_agg(units.code, units.features), '{}') from (
        select a.code, jsonb_agg(f.code order by f.code collate "C") as features
        from version_values given join features f on f.id = given.feature_id join apps a on a.id = given.app_id
        where given.version_id = v.id and given.per_unit group by a.code
      ) units) as "perUnit"
  from packages r cross join lateral (
    select v.id, v.number, v.state, v.trial_days from package_versions v where v.package_id = r.id
    order by v.state = 'draft' desc, v.number desc limit 1
  ) v
  order by r.id`,
).narrow<StoredCatalog["packages"][number]>();

export const findStoredCatalog = async (db: Db): Promise<StoredCatalog> => {
  await assertFits(db);
  return {
    apps: await findAppsById(db, await findIds(db, appIds)),
    features: await findFeaturesById(db, await findIds(db, featureIds)),
    packages: await run(db, packages),
  };
};

/**
 * Locks all apps, features and packages until the transaction ends. Packages come first, as in publishing, to
 * avoid deadlocks with it.
 */
export const lockStoredCatalog = async (db: Db) => {
  for (const table of ["packages", "apps", "features"])
    await run(db, `select from ${table} order by id for update`);
};

/** Ids of apps by code, and of features by app code, slash and feature code. */
export type Ids = { apps: ReadonlyMap<string, string>; features: ReadonlyMap<string, string> };

const appCodes = statement("catalog.appCodes", "select code, id from apps");

const featureCodes = statement(
  "catalog.featureCodes",
  "select a.code || '/' || f.code as code, f.id from features f join apps a on a.id = f.app_id",
).narrow<{ code: string }>();

export const findIdsByCode = async (db: Db): Promise<Ids> => {
  const apps = await run(db, appCodes);
  const features = await run(db, featureCodes);
  const byCode = (rows: { code: string; id: string }[]) =>
    new Map(rows.map(({ code, id }) => [code, id]));
  return { apps: byCode(apps), features: byCode(features) };
};
