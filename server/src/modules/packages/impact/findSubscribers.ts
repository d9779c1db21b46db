import { isCounted, rankOf, type Value } from "@purser/contract/fields/values";
import type { Db } from "#platform/db/db.ts";
import type { Feature } from "../entitle.ts";
import type { World } from "./impact.ts";
import { countByVersion, findFeaturesInUse } from "./subscriberCountQueries.ts";
import { findGroups, type Population } from "./subscriberGroupQueries.ts";

/** Whether replacing one value with the other may lower an entitlement; undefined means the default value. */
const isLess = (feature: Feature, before: Value | undefined, after: Value | undefined) => {
  if (after === undefined) return before !== undefined;
  return rankOf(feature, before ?? feature.defaultValue) > rankOf(feature, after);
};

/** Features of which customers may get less, whose use is therefore checked. */
const mayLose = ({ features, versions, migrated, draft }: World) =>
  features
    .filter(isCounted)
    .filter((feature) =>
      [...migrated].some((version) =>
        isLess(feature, versions.get(version)?.get(feature.id), draft.get(feature.id)),
      ),
    )
    .map(({ id }) => id);

/** Up to this many subscribers are counted one by one, with their other grants and use. */
const countedMax = 50_000;

/** The subscribers in groups, and the features that they may lose and whose use is known. */
export const findSubscribers = async (db: Db, world: World, population: Population) => {
  const counted = await countByVersion(db, population);
  const most = counted.reduce((sum, { customers }) => sum + customers, 0);
  if (most > countedMax) return { groups: counted, inUse: new Set<string>(), isAtMost: true };
  const lowered = mayLose(world);
  const groups = await findGroups(db, population, lowered);
  return { groups, inUse: await findFeaturesInUse(db, lowered), isAtMost: false };
};
