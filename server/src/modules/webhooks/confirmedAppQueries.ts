import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const confirmSql = statement(
  "webhooks.confirmApps",
  `insert into app_webhooks (app_id, confirmed_at)
   select app_id, $3 from (
     select app_id from version_apps where version_id = $1
     union select app_id from features where id = $2
   ) about order by 1
   on conflict (app_id) do nothing`,
);

type Subject = { versionId: string | null; featureId: string | null };

/** Stores when a receiver first confirmed an event about each app of a package version, or of a feature. */
export const confirmApps = async (db: Db, { versionId, featureId }: Subject, now: Date) => {
  await run(db, confirmSql, [versionId, featureId, now]);
};
