import type { WebhookDetails, WebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

type Stored = WebhookEndpoint & { secret: Buffer };

const countedMax = 10_000;

const counted = (state: string) => `
  select count(*)::int as count, min(created_at) as oldest from (
    select created_at from webhook_deliveries where endpoint_id = r.id and state = '${state}' limit ${countedMax}
  ) few`;

const total = (count: string) => `
  jsonb_build_object('count', ${count}, 'kind', case when ${count} < ${countedMax} then 'exact' else 'at least' end)`;

// Columns of a row named r, at the time $1.
const shown = `
  r.id, r.url, r.description, r.types, r.status, r.disabled_because as "disabledBecause",
  case when r.previous_until > $1 then r.previous_until end as "previousUntil",
  r.failing_since as "failingSince", r.version, r.created_at as "createdAt", r.updated_at as "updatedAt",
  lately, f.at as "failedAt", f.error as "failure", ${total("w.count")} as waiting,
  w.oldest as "oldestWaitingAt", ${total("g.count")} as "failed"`;

const figures = `
  cross join lateral (
    select jsonb_build_object('attempted', count(*), 'delivered', count(*) filter (where state = 'delivered')) as lately
    from (
      select state from webhook_deliveries
      where endpoint_id = r.id and attempted_at > $1::timestamptz - interval '1 day'
      order by attempted_at desc limit ${countedMax}
    ) few
  ) l
  left join lateral (
    select attempted_at as at, last_error as error from webhook_deliveries
    where endpoint_id = r.id and state <> 'delivered' and last_error is not null
    order by attempted_at desc limit 1
  ) f on true
  cross join lateral (${counted("waiting")}) w
  cross join lateral (${counted("failed")}) g`;

type Row = Omit<WebhookEndpoint, "lastFailure"> & { failedAt: Date | null; failure: string | null };

const read = ({ failedAt, failure, ...row }: Row): WebhookEndpoint => ({
  ...row,
  lastFailure: failedAt && failure ? { at: failedAt, error: failure } : null,
});

const endpoints = statement(
  "webhooks.endpoints",
  `select ${shown} from webhook_endpoints r ${figures} where r.status <> 'deleted'`,
)
  // Counts up to 10,000 deliveries that wait, which are in the order of their customers.
  .bounded(3000)
  .narrow<Row>();
const inOrder = endpoints.with("order by r.id");
const one = endpoints.with("and r.id = $2");
const lockedOne = one.with("for update of r");

export const findEndpoints = async (db: Db, now: Date) => (await run(db, inOrder, [now])).map(read);

export const findEndpoint = async (db: Db, id: string, now: Date) =>
  (await run(db, one, [now, id])).map(read)[0];

/** Locked, so that nothing changes between the decision and the write. */
export const lockEndpoint = async (db: Db, id: string, now: Date) =>
  (await run(db, lockedOne, [now, id])).map(read)[0];

const countEndpointsSql = statement(
  "webhooks.countEndpoints",
  "select count(*)::int as count from webhook_endpoints where status <> 'deleted'",
).narrow<{ count: number }>();

/** Takes a lock, so that concurrent requests can't exceed the limit together. */
export const countEndpoints = async (db: Db) => {
  await run(db, "select pg_advisory_xact_lock(hashtext('webhook_endpoints'))");
  const row = await first(db, countEndpointsSql);
  return row?.count ?? 0;
};

const newIdSql = statement("webhooks.newId", "select uuid_v7() as id").narrow<{ id: string }>();

/** The ID exists before the row, because the secret is sealed for it. */
export const insertEndpoint = async (
  db: Db,
  details: WebhookDetails,
  sealedSecret: (id: string) => Buffer,
) => {
  const made = await first(db, newIdSql);
  if (!made) throw new Error("There is no new ID.");
  const { id } = made;
  const secret = sealedSecret(id);
  await db
    .insertInto("webhookEndpoints")
    .values({ ...details, id, secret })
    .execute();
  return id;
};

export const replaceEndpoint = async (db: Db, id: string, details: WebhookDetails) => {
  await db.updateTable("webhookEndpoints").set(details).where("id", "=", id).execute();
};

type Next = Pick<Stored, "secret"> & { previousUntil: Date };

/** The current secret becomes the previous one, which replaces an earlier previous one. */
export const replaceSecret = async (db: Db, id: string, { secret, previousUntil }: Next) => {
  await run(
    db,
    `update webhook_endpoints set previous_secret = secret, previous_until = $3, secret = $2
     where id = $1`,
    [id, secret, previousUntil],
  );
};

/** Enabling an endpoint clears its earlier failures. */
export const setEndpointStatus = async (
  db: Db,
  id: string,
  { status, because = null }: { status: WebhookEndpoint["status"]; because?: string | null },
) => {
  await run(
    db,
    `update webhook_endpoints set status = $2, disabled_because = $3 where id = $1 and status <> 'deleted'`,
    [id, status, because],
  );
  if (status === "active")
    await run(db, "update webhook_endpoints set failing_since = null where id = $1", [id]);
};

/** Only marks the endpoint. A job removes its deliveries later, because there may be many. */
export const removeEndpoint = async (db: Db, id: string) => {
  await run(
    db,
    `update webhook_endpoints set status = 'deleted', disabled_because = null, previous_secret = null,
       previous_until = null, secret = '' where id = $1`,
    [id],
  );
};
