import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const batchSize = 1000;

const isWantedSql = statement(
  "webhooks.isWanted",
  "select webhook_wanted('entitlements.changed') as \"isWanted\"",
).narrow<{ isWanted: boolean }>();

/** Whether an endpoint subscribes to changes of entitlements. */
export const isWanted = async (db: Db) => (await first(db, isWantedSql))?.isWanted ?? false;

const findSourcesSql = statement(
  "webhooks.findSources",
  `select v.package_id as "packageId", null::uuid as "featureId" from version_apps held
   join package_versions v on v.id = held.version_id where held.app_id = $1 group by v.package_id
   union all
   select null, id from features where app_id = $1`,
).narrow<{ packageId: string | null; featureId: string | null }>();

/** The packages and the single features that give access to an app. */
export const findSources = (db: Db, appId: string) => run(db, findSourcesSql, [appId]);

type Source = { packageId: string | null; featureId: string | null };

// $1 is the app, $2 now, $3 the last grant of the batch before. Locking the app keeps its suspension the same until
// the events are committed, so that a customer's events are in its order.
const batchOf = (condition: string, order: string) => `
  with app as (
    select jsonb_build_object('id', id, 'suspendedAt', suspended_at) as state from apps where id = $1 for share
  ), batch as (
    select g.* from grants g where ${condition} and g.id > $3 and g.starts_at <= $2 and g.ends_at > $2
    order by ${order} limit ${batchSize}
  ), told as (
    insert into webhook_events (type, user_id, data)
    select 'entitlements.changed', b.user_id, webhook_data(row(b.*)::grants) || jsonb_build_object('app', app.state)
    from app, batch b left join lateral (
      select e.data -> 'app' as state from webhook_events e
      where e.user_id = b.user_id and e.type = 'entitlements.changed' and e.data #>> '{app,id}' = $1::text
        and e.data #>> '{grant,id}' = b.id::text
      order by e.number desc limit 1
    ) last on true
    where last.state is distinct from app.state
    order by b.id
  )
  select (array_agg(id order by id desc))[1] as last, count(*)::int as grants from batch`;

type Batch = { last: string | null; grants: number };

const ofPackageSql = statement(
  "webhooks.tellOfPackage",
  batchOf(
    `g.package_id = $4 and g.version_id in (
       select held.version_id from version_apps held where held.app_id = $1)`,
    "g.package_id, g.id",
  ),
).narrow<Batch>();

const ofFeatureSql = statement(
  "webhooks.tellOfFeature",
  batchOf("g.feature_id = $4", "g.id"),
).narrow<Batch>();

/**
 * Creates an event with the app's current suspension for each of the next current grants, unless its last event
 * already has it. Returns the last grant, or null if there are no more.
 */
export const tellBatch = async (
  db: Db,
  { appId, source, after, now }: { appId: string; source: Source; after: string; now: Date },
) => {
  const batch =
    source.packageId === null
      ? await first(db, ofFeatureSql, [appId, now, after, source.featureId])
      : await first(db, ofPackageSql, [appId, now, after, source.packageId]);
  return batch && batch.grants === batchSize ? batch.last : null;
};
