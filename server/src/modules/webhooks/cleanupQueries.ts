import { type Db, first } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";

export const cleanupBatch = 5000;

const deletedDeliveries = `
  delete from webhook_deliveries where id in (
    select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
    where w.status = 'deleted'
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
  [deletedDeliveries],
  [idleQueues],
  [deletedEndpoints],
).narrow<{ rows: number }>();

const remove = async (db: Db, deletion: string, values: unknown[]) =>
  (await first(db, countRemoved.for(deletion), values))?.rows ?? 0;

/** Removes at most one batch and returns how many rows it removed. */
export const removeDeletedDeliveries = (db: Db) => remove(db, deletedDeliveries, []);

const dropDeliveriesSql = statement(
  "webhooks.dropDeliveries",
  "select drop_webhook_deliveries($1, $2::int) as rows",
).narrow<{ rows: number }>();

/**
 * Drops whole months before this moment. Where a delivery is still waiting, it removes at most one batch of the others
 * and returns how many.
 */
export const dropOldDeliveries = async (db: Db, before: Date) =>
  (await first(db, dropDeliveriesSql, [before, cleanupBatch]))?.rows ?? 0;

const dropEventsSql = statement(
  "webhooks.dropEvents",
  "select drop_webhook_events($1, $2::int) as rows",
).narrow<{ rows: number }>();

/** The same for events, and as long as a delivery needs one. */
export const dropOldEvents = async (db: Db, before: Date) =>
  (await first(db, dropEventsSql, [before, cleanupBatch]))?.rows ?? 0;

export const removeIdleQueues = (db: Db) => remove(db, idleQueues, []);

/** Removes deleted endpoints once their deliveries and queues are gone. */
export const removeDeletedEndpoints = (db: Db) => remove(db, deletedEndpoints, []);
