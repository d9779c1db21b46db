import type { Package } from "@purser/contract/packages/fields";
import type { RolloutMode } from "@purser/contract/packages/publishing";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

export type Plan = { mode: RolloutMode; at: string | null };

/** Stores how and when a draft is to be published; a job publishes it then. */
export const scheduleDraft = async (
  db: Db,
  draftId: string,
  { note, plan, by, at }: { note: string; plan: Plan; by: string; at: Date },
) => {
  await run(
    db,
    `update package_versions set state = 'scheduled', note = $2, rollout = $3, published_by = $4, publish_at = $5
     where id = $1`,
    [draftId, note, JSON.stringify(plan), by, at],
  );
};

export const unscheduleVersion = async (db: Db, id: string) => {
  await run(
    db,
    `update package_versions set state = 'draft', publish_at = null, rollout = null, published_by = null
     where id = $1`,
    [id],
  );
};

const findScheduledSql = statement(
  "packages.findScheduled",
  `select package_id as "packageId", rollout, published_by as "publishedBy"
   from package_versions where id = $1 and state = 'scheduled' and publish_at <= $2`,
)
  .present<"rollout">()
  .narrow<{ rollout: Plan }>();

export const findScheduled = (db: Db, versionId: string, now: Date) =>
  first(db, findScheduledSql, [versionId, now]);

const findDueVersionsSql = statement(
  "packages.dueVersions",
  "select id from package_versions where state = 'scheduled' and publish_at <= $1",
);

export const findDueVersions = (db: Db, now: Date) => run(db, findDueVersionsSql, [now]);

const nextPublishingSql = statement(
  "packages.nextPublishing",
  `select least(
     (select min(publish_at) from package_versions where state = 'scheduled' and publish_at > $1::timestamptz),
     (select min(starts_at) from rollouts where status = 'waiting' and starts_at > $1::timestamptz)
   ) as at`,
).narrow<{ at: Date | null }>();

/** When the next version is published or the next rollout starts, after this time. */
export const findNextPublishing = async (db: Db, after: Date) =>
  (await first(db, nextPublishingSql, [after]))?.at ?? null;

type Published = { note: string | null; plan: Plan; by: string | null; now: Date };

const publishVersionSql = statement(
  "packages.publishVersion",
  `insert into rollouts (package_id, version_id, mode, starts_at, holders)
   select $1, $2, $3, $4, count(*)::int from grants
   where package_id = $1 and version_id <> $2 and ends_at > $5
   returning id, starts_at as "startsAt"`,
);

/**
 * Puts a version on sale instead of the previous one, activates its apps and features, and creates the
 * rollout, which it returns. The caller must have locked the package.
 */
export const publishVersion = async (
  db: Db,
  { id, onSale }: Pick<Package, "id"> & { onSale: { id: string } | null },
  versionId: string,
  { note, plan, by, now }: Published,
) => {
  if (onSale)
    await run(db, "update package_versions set state = 'superseded' where id = $1", [onSale.id]);
  await run(
    db,
    `update package_versions set state = 'on sale', note = coalesce($2, note), rollout = $3, published_by = $4,
       published_at = $5, publish_at = null where id = $1`,
    [versionId, note, JSON.stringify(plan), by, now],
  );
  await run(
    db,
    `update apps set status = 'active', activated_at = $2 where status = 'draft'
     and id in (select app_id from version_apps where version_id = $1)`,
    [versionId, now],
  );
  await run(
    db,
    `update features set status = 'active', activated_at = $2 where status = 'draft'
     and id in (select feature_id from version_values where version_id = $1)`,
    [versionId, now],
  );
  await run(
    db,
    "update packages set status = 'active', activated_at = coalesce(activated_at, $2) where id = $1",
    [id, now],
  );
  if (plan.mode === "new buyers") return null;
  const rollout = await first(db, publishVersionSql, [
    id,
    versionId,
    plan.mode,
    plan.at ?? now,
    now,
  ]);
  return rollout ?? null;
};
