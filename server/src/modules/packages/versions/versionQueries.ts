import type { AppStatus } from "@purser/contract/apps/fields";
import type { Value } from "@purser/contract/fields/values";
import type { Package, PackageDetails } from "@purser/contract/packages/fields";
import type { VersionContents } from "@purser/contract/packages/versions";
import { unitOf } from "#modules/features/queries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { subscribersAt } from "../../apps/subscriberQueries.ts";
import { archivedPartsJson } from "./archivedPartQueries.ts";

export type ShownFeature = Omit<
  VersionContents["contents"][number]["features"][number],
  "value" | "perUnit"
>;
export type ShownApp = { id: string; code: string; name: string; icon: string; status: AppStatus };
type Version = Omit<VersionContents, "contents">;

const shown = `
  v.id, v.number, v.state, v.note, v.publish_at as "publishAt", v.published_at as "publishedAt",
  (select u.name from users u where u.id = v.published_by) as "publishedBy", v.trial_days as "trialDays",
  (select coalesce(jsonb_agg(jsonb_build_object('currency', p.currency, 'amount', p.amount,
      'interval', p.interval, 'intervalCount', p.interval_count, 'perUnit', p.per_unit)
      order by p.currency, p.interval, p.interval_count), '[]')
    from version_prices p where p.version_id = v.id) as prices,
  (select count(*)::int from version_apps a where a.version_id = v.id) as apps,
  (select count(*)::int from version_values f where f.version_id = v.id) as values,
  ${subscribersAt("v.package_id", "v.id", "$2")} as subscribers,
  ${archivedPartsJson("v.id")} as archived, v.created_at as "createdAt"`;

const versions = statement(
  "packages.versions",
  `select ${shown} from package_versions v where v.package_id = $1`,
).narrow<Version>();
const allVersions = versions.with("order by v.number desc");
const oneVersion = versions.with("and v.number = $3");

export const findVersions = (db: Db, packageId: string, now: Date) =>
  run(db, allVersions, [packageId, now]);

export const findVersion = (
  db: Db,
  { packageId, number, now }: { packageId: string; number: number; now: Date },
) => first(db, oneVersion, [packageId, now, number]);

const findVersionIdsSql = statement(
  "packages.findVersionIds",
  "select id from package_versions where package_id = $1",
);

export const findVersionIds = async (db: Db, packageId: string) => {
  const rows = await run(db, findVersionIdsSql, [packageId]);
  return rows.map(({ id }) => id);
};

const findVersionAppsSql = statement(
  "packages.findVersionApps",
  `select a.id, a.code, a.name, a.icon, a.status, held.ids as "versionIds"
   from (
     select app_id, array_agg(version_id) as ids from version_apps
     where version_id = any ($1::uuid[]) group by app_id
   ) held
   join apps a on a.id = held.app_id order by lower(a.name), a.id`,
).narrow<ShownApp & { versionIds: string[] }>();

/** The apps of these versions, each with the versions that include it. */
export const findVersionApps = (db: Db, versionIds: readonly string[]) =>
  run(db, findVersionAppsSql, [versionIds]);

const findAppFeaturesSql = statement(
  "packages.findAppFeatures",
  `select f.id, f.app_id as "appId", f.code, f.name, f.kind, f.reset, f.combining, f.options, f.status,
     f.default_value as "defaultValue",
     ${unitOf("f")} as unit
   from features f where f.app_id = any ($1::uuid[]) and (
     f.status <> 'archived' or exists (
       select from version_values held where held.feature_id = f.id and held.version_id = any ($2::uuid[])
     )
   ) order by f.app_id, f.id`,
).narrow<ShownFeature & { appId: string }>();

/** The features of these apps; archived ones only if a version still has them. */
export const findAppFeatures = (db: Db, appIds: readonly string[], versionIds: readonly string[]) =>
  run(db, findAppFeaturesSql, [appIds, versionIds]);

const findValuesSql = statement(
  "packages.findValues",
  `select version_id as "versionId", feature_id as "featureId", value from version_values
   where version_id = any ($1::uuid[])`,
).narrow<{ value: Value }>();

export const findValues = async (db: Db, versionIds: readonly string[]) => {
  const rows = await run(db, findValuesSql, [versionIds]);
  const values = new Map<string, Map<string, Value>>(versionIds.map((id) => [id, new Map()]));
  for (const { versionId, featureId, value } of rows) values.get(versionId)?.set(featureId, value);
  return values;
};

const findPerUnitSql = statement(
  "packages.findPerUnit",
  `select version_id as "versionId", feature_id as "featureId" from version_values
   where version_id = any ($1::uuid[]) and per_unit`,
);

/** The features of these versions whose value is multiplied by the quantity. */
export const findPerUnit = async (db: Db, versionIds: readonly string[]) => {
  const rows = await run(db, findPerUnitSql, [versionIds]);
  const found = new Map<string, Set<string>>(versionIds.map((id) => [id, new Set()]));
  for (const { versionId, featureId } of rows) found.get(versionId)?.add(featureId);
  return found;
};

/** The content of a version by app. */
export const findContents = async (
  db: Db,
  versionId: string,
): Promise<VersionContents["contents"]> => {
  const apps = await findVersionApps(db, [versionId]);
  const features = await findAppFeatures(
    db,
    apps.map(({ id }) => id),
    [versionId],
  );
  const values = (await findValues(db, [versionId])).get(versionId);
  const perUnit = (await findPerUnit(db, [versionId])).get(versionId);
  return apps.map(({ versionIds: _, ...app }) => ({
    ...app,
    features: features
      .filter(({ appId }) => appId === app.id)
      .map(({ appId: __, ...feature }) => ({
        ...feature,
        value: values?.get(feature.id) ?? null,
        perUnit: perUnit?.has(feature.id) ?? false,
      })),
  }));
};

const insertFirstDraftSql = statement(
  "packages.insertFirstDraft",
  "insert into package_versions (package_id, number) values ($1, 1) returning id",
);

export const insertFirstDraft = async (db: Db, packageId: string) => {
  const row = await first(db, insertFirstDraftSql, [packageId]);
  return row?.id ?? "";
};

const copyToDraftSql = statement(
  "packages.copyToDraft",
  `insert into package_versions (package_id, number, trial_days)
   select v.package_id, (select max(number) + 1 from package_versions where package_id = $1), v.trial_days
   from package_versions v where v.id = $2 and v.package_id = $1 returning id`,
);

/** Creates a draft with the content of the version. */
export const copyToDraft = async (db: Db, packageId: string, from: string) => {
  const row = await first(db, copyToDraftSql, [packageId, from]);
  const id = row?.id ?? "";
  await run(
    db,
    "insert into version_apps (version_id, app_id) select $1, app_id from version_apps where version_id = $2",
    [id, from],
  );
  await run(
    db,
    `insert into version_values (version_id, app_id, feature_id, value, per_unit)
     select $1, app_id, feature_id, value, per_unit from version_values where version_id = $2`,
    [id, from],
  );
  await run(
    db,
    `insert into version_prices (version_id, currency, amount, interval, interval_count, per_unit)
     select $1, currency, amount, interval, interval_count, per_unit from version_prices where version_id = $2`,
    [id, from],
  );
  return id;
};

export const removeDraft = async (db: Db, id: string) => {
  await run(db, "delete from package_versions where id = $1", [id]);
};

export const setVersionState = async (db: Db, id: string, state: "superseded" | "retired") => {
  await run(db, "update package_versions set state = $2 where id = $1", [id, state]);
};

type Terms = Pick<PackageDetails, "trialDays" | "prices">;

/** Writes only the differences, so that unchanged prices cause no audit entries. */
export const replaceTerms = async (db: Db, draftId: string, { trialDays, prices }: Terms) => {
  const given = JSON.stringify(prices);
  const asked = `jsonb_to_recordset($2::jsonb)
    as asked (currency text, amount bigint, "interval" text, "intervalCount" integer, "perUnit" boolean)`;
  const same = `p.currency = asked.currency and p.interval = asked."interval"
    and p.interval_count = asked."intervalCount"`;
  await run(db, "update package_versions set trial_days = $2 where id = $1 and trial_days <> $2", [
    draftId,
    trialDays,
  ]);
  await run(
    db,
    `delete from version_prices p where p.version_id = $1
     and not exists (select from ${asked} where ${same})`,
    [draftId, given],
  );
  await run(
    db,
    `update version_prices p set amount = asked.amount, per_unit = asked."perUnit" from ${asked}
     where p.version_id = $1 and ${same} and (p.amount <> asked.amount or p.per_unit <> asked."perUnit")`,
    [draftId, given],
  );
  await run(
    db,
    `insert into version_prices (version_id, currency, amount, interval, interval_count, per_unit)
     select $1, asked.currency, asked.amount, asked."interval", asked."intervalCount", asked."perUnit" from ${asked}
     where not exists (select from version_prices p where p.version_id = $1 and ${same})`,
    [draftId, given],
  );
};

const newestVersionIdSql = statement(
  "packages.newestVersionId",
  "select id from package_versions where package_id = $1 order by state = 'draft' desc, number desc limit 1",
);

/** The version with the package's terms, from which a new draft starts. */
export const newestVersionId = async (db: Db, { id }: Pick<Package, "id">) => {
  const row = await first(db, newestVersionIdSql, [id]);
  return row?.id ?? "";
};
