import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const affected = statement(
  "entitlements.findAffected",
  `
  with touched as (
    select user_id as id from grants where id = any($1::uuid[])
    union select user_id from subscriptions where id = any($1::uuid[])
    union select user_id from usage_corrections where id = any($1::uuid[])
    union select id from users where id = any($1::uuid[])
  )
  select u.id, u.external_id as "externalId", coalesce((
    select array_agg(distinct coalesce(f.app_id, a.app_id))
    from grants g left join features f on f.id = g.feature_id left join version_apps a on a.version_id = g.version_id
    where g.user_id = u.id), '{}') as apps
  from touched join users u on u.id = touched.id`,
).narrow<{ apps: string[] }>();

/** The customers of these changed records, with the apps that any of their grants includes. */
export const findAffected = (db: Db, recordIds: readonly string[]) =>
  run(db, affected, [recordIds]);
