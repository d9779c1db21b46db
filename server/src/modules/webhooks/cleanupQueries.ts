import { type Db, first } from "#platform/db/db.ts";
import { template } from "#platform/db/statement.ts";

export const cleanupBatch = 5000;

// A UUID v7 begins with its time, so the primary key finds old rows.
const oldDeliveries = `
  delete from webhook_deliveries where id in (
    select d.id from webhook_deliveries d
    where d.id < uuid_v7($1) and d.state <> 'waiting'
    union all
    select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
    where w.status = 'deleted'
    limit ${cleanupBatch}
  )`;

const oldEvents = `
  delete from webhook_events where id in (
    select e.id from webhook_events e
    where e.id < uuid_v7($1) and e.seq is not null
      and not exists (select from webhook_deliveries d where d.event_id = e.id)
    limit ${cleanupBatch}
  )`;

const idleQueues = `
  delete from webhook_lines l where l.next_at is null
    or l.endpoint_id in (select id from webhook_endpoints where status = 'deleted')`;

const deletedEndpoints = `
  delete from webhook_endpoints w where w.status = 'deleted'
    and not exists (select from webhook_deliveries d where d.endpoint_id = w.id)
    and not exists (select from webhook_lines l where l.endpoint_id = w.id)`;

const countRemoved = template(
  "webhooks.countRemoved",
  (deletion: string) =>
    `with removed as (${deletion} returning 1) select count(*)::int as rows from removed`,
  [oldDeliveries],
  [oldEvents],
  [idleQueues],
  [deletedEndpoints],
).narrow<{ rows: number }>();

const remove = async (db: Db, deletion: string, values: unknown[]) =>
  (await first(db, countRemoved.for(deletion), values))?.rows ?? 0;

/** Removes at most one batch and returns how many rows it removed. */
export const removeOldDeliveries = (db: Db, before: Date) => remove(db, oldDeliveries, [before]);

/** Removes at most one batch and returns how many rows it removed. */
export const removeOldEvents = (db: Db, before: Date) => remove(db, oldEvents, [before]);

export const removeIdleQueues = (db: Db) => remove(db, idleQueues, []);

/** Removes deleted endpoints once their deliveries and queues are gone. */
export const removeDeletedEndpoints = (db: Db) => remove(db, deletedEndpoints, []);
