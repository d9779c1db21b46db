import { subscribersAt } from "#modules/apps/subscriberQueries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { FoundGroup, Population } from "./subscriberGroupQueries.ts";

const subscribersByVersion = statement(
  "packages.subscribersByVersion",
  `select v.id as "versionId", ${subscribersAt("v.package_id", "v.id", "$2")} as customers
   from package_versions v where v.package_id = $1 and v.published_at is not null`,
).narrow<{ customers: number }>();

/** The subscribers of each version by their counters, without reading a grant. */
export const countByVersion = async (
  db: Db,
  { packageId, now }: Population,
): Promise<FoundGroup[]> => {
  const counted = await run(db, subscribersByVersion, [packageId, now]);
  return counted
    .filter((version) => version.customers > 0)
    .map(({ versionId, customers: count }) => ({
      versions: [versionId],
      extras: [],
      customers: count,
      samples: [],
      uses: [],
    }));
};

const featuresInUseSql = statement(
  "packages.featuresInUse",
  `select id from unnest($1::uuid[]) id
   where exists (select from feature_use u where u.feature_id = id)`,
);

/** Of these features, those whose use is reported. */
export const findFeaturesInUse = async (db: Db, featureIds: readonly string[]) =>
  new Set((await run(db, featuresInUseSql, [featureIds])).map(({ id }) => id));
