import type { listFeatureUses } from "@purser/contract/features/endpoints";
import {
  type Feature,
  type FeatureDetails,
  featureFields,
  featureListFields,
  featureStatuses,
} from "@purser/contract/features/fields";
import type { Reply } from "@purser/contract/http/endpoint";
import type { ListQuery } from "@purser/contract/http/list";
import { subscribersAt } from "#modules/apps/subscriberQueries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage } from "#platform/lists/page.ts";
import { countByChoice } from "#platform/lists/total.ts";

/** The unit of a row of features, in singular and plural. */
export const unitOf = (row: string) =>
  `case when ${row}.unit_one is not null then
     jsonb_build_object('one', ${row}.unit_one, 'many', ${row}.unit_many) end`;

// Columns of row r.
const own = `
  ${selectColumns(featureFields, ["app", "unit", "frozen", "usedOptions", "packages"])},
  ${unitOf("r")} as unit,
  used.frozen, used.options as "usedOptions", used.packages`;

const shown = `${own},
  jsonb_build_object('id', a.id, 'code', a.code, 'name', a.name, 'icon', a.icon) as app`;

const withUse = `
  join apps a on a.id = r.app_id
  cross join lateral (
    select coalesce(bool_or(v.state <> 'draft'), false) as frozen,
      coalesce(array_agg(distinct held.value #>> '{}') filter (where r.kind = 'choice'), '{}') as options,
      (count(distinct v.package_id) filter (where v.state in ('draft', 'scheduled', 'on sale')))::int as packages
    from version_values held join package_versions v on v.id = held.version_id
    where held.feature_id = r.id
  ) used`;

const features = selection("features.features", {
  table: "features",
  columns: shown,
  joins: withUse,
}).narrow<Feature>();

const searched = {
  fields: featureListFields,
  columns: { ...filterColumns(featureFields), code: "r.code" },
  sorts: { createdAt: "r.id" },
  served: [
    { sort: "r.id", fields: { app: true, status: true } },
    { sort: "lower(r.name)", fields: { app: true } },
  ],
  lookedUp: { name: ["is", "starts", "contains"], code: ["is", "starts", "contains"] },
  search: ["lower(r.name)", "r.code"],
} satisfies Omit<List<typeof featureListFields, never>, "rows">;

const featureList: List<typeof featureListFields, Feature> = { ...searched, rows: features };

const fileRows = selection("features.file", {
  table: "features",
  columns: `${own}, a.code as app`,
  joins: withUse,
});

/** An export identifies an app by its code. */
export const featureFile = { ...searched, rows: fileRows };

export const findFeatures = (db: Db, query: ListQuery, paging: Paging) =>
  findPage(db, featureList, query, paging);

export const countFeaturesByStatus = (db: Db) =>
  countByChoice(db, {
    table: "features",
    column: "r.status",
    order: "r.id",
    options: featureStatuses,
  });

const several = features.with(
  "where r.id = any ($1::uuid[]) order by array_position($1::uuid[], r.id)",
);

/** In the order of the ids. */
export const findFeaturesById = (db: Db, ids: string[]) => run(db, several, [ids]);

const one = features.with("where r.id = $1");

export const findFeature = (db: Db, id: string) => first(db, one, [id]);

/**
 * Locks in the order of the ids, so that two bulk actions on the same rows don't deadlock. Reads after
 * locking, to see what packages were given in the meantime.
 */
export const lockFeatures = async (db: Db, ids: string[]) => {
  const lock = "select from features where id = any ($1::uuid[]) order by id for update";
  await run(db, lock, [ids]);
  return findFeaturesById(db, ids);
};

export const lockFeature = async (db: Db, id: string) => (await lockFeatures(db, [id]))[0];

// The driver doesn't encode arrays and strings as JSON.
export const columnsOf = ({ unit, options, defaultValue, ...details }: FeatureDetails) => ({
  ...details,
  unitOne: unit?.one ?? null,
  unitMany: unit?.many ?? null,
  options: JSON.stringify(options),
  defaultValue: JSON.stringify(defaultValue),
});

export const insertFeature = async (db: Db, appId: string, details: FeatureDetails) => {
  const { id } = await db
    .insertInto("features")
    .values({ ...columnsOf(details), appId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const replaceDetails = async (db: Db, id: string, details: FeatureDetails) => {
  await db.updateTable("features").set(columnsOf(details)).where("id", "=", id).execute();
};

const isGrantedSql = statement(
  "features.isGranted",
  `select exists (select from grants where feature_id = $1)
   or exists (select from feature_use where feature_id = $1) as granted`,
).narrow<{ granted: boolean }>();

/** Whether a customer was granted the feature on its own, or has used it. */
export const isGranted = async (db: Db, id: string) => {
  const row = await first(db, isGrantedSql, [id]);
  return row?.granted ?? false;
};

export const removeFeature = async (db: Db, id: string) => {
  await db.deleteFrom("features").where("id", "=", id).execute();
};

type Use = Reply<typeof listFeatureUses>["items"][number];

const findUsesSql = statement(
  "features.findUses",
  `select jsonb_build_object('id', p.id, 'code', p.code, 'name', p.name) as package,
     v.number, v.state, held.value, ${subscribersAt("v.package_id", "v.id", "$2::timestamptz")} as subscribers
   from version_values held
   join package_versions v on v.id = held.version_id
   join packages p on p.id = v.package_id
   where held.feature_id = $1
   order by v.id desc`,
).narrow<Use>();

/** The versions with the feature, newest first, with their current subscribers. */
export const findUses = (db: Db, id: string, now: Date) => run(db, findUsesSql, [id, now]);
