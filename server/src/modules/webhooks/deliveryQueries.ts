import type { ListQuery } from "@purser/contract/http/list";
import {
  type Attempt,
  type Delivery,
  deliveryFields,
  type SentType,
} from "@purser/contract/workspace/webhooks";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage } from "#platform/lists/page.ts";
import { isUuid } from "#platform/lists/sql.ts";

// Columns of a row named r. Only the first waiting delivery of a queue has a time for its next attempt.
const shown = `
  r.id, r.event_id as "eventId", r.type, r.state, r.seq::int as sequence, r.attempts,
  case when r.state = 'waiting' and not exists (
    select from webhook_deliveries d
    where d.endpoint_id = r.endpoint_id and d.line = r.line and d.seq < r.seq and d.state = 'waiting'
  ) and w.status = 'active' then l.next_at end as "nextAt",
  r.last_status as "lastStatus", r.last_error as "lastError", r.created_at as "createdAt",
  r.attempted_at as "attemptedAt", r.delivered_at as "deliveredAt",
  jsonb_build_object('id', w.id, 'url', w.url) as endpoint,
  case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) end as user`;

const joins = `
  join webhook_endpoints w on w.id = r.endpoint_id
  left join webhook_lines l on l.endpoint_id = r.endpoint_id and l.line = r.line
  left join users u on u.id = r.user_id`;

// Not a join, which the planner might start with the endpoint and then sort all of its deliveries.
const alive =
  "r.endpoint_id = any (array(select id from webhook_endpoints where status <> 'deleted'))";

const deliveries = selection("webhooks.deliveries", {
  table: "webhook_deliveries",
  columns: shown,
  joins,
}).narrow<Delivery>();

const deliveryList: List<typeof deliveryFields, Delivery> = {
  rows: deliveries,
  fields: deliveryFields,
  columns: {
    endpoint: "r.endpoint_id",
    state: "r.state",
    type: "r.type",
    user: "r.user_id",
    createdAt: "r.created_at",
  },
  sorts: { createdAt: "r.id" },
  search: (typed) =>
    isUuid(typed)
      ? ["r.id", "r.event_id", "r.user_id"].map((column) => ({
          sql: (values) => `${column} = ${values.add(typed)}::uuid`,
        }))
      : [
          {
            sql: (values) =>
              `r.user_id = (select id from users where email = lower(${values.add(typed)}))`,
          },
        ],
  served: [{ sort: "r.id", fields: { user: true, state: true, endpoint: true } }],
  where: alive,
  // Deliveries of deleted endpoints are soon deleted, too.
  isWhereServed: true,
};

export const findDeliveries = (db: Db, query: ListQuery, paging: Paging) =>
  findPage(db, deliveryList, query, paging);

const one = deliveries.with(`where ${alive} and r.id = $1`);

export const findDelivery = (db: Db, id: string) => first(db, one, [id]);

type More = {
  createdAt: Date;
  data: Record<string, unknown>;
  externalId: string | null;
  answer: string | null;
  latestAttempts: Attempt[];
};

const findSentSql = statement(
  "webhooks.findSent",
  `select e.type, e.user_id as "userId", r.seq::int as seq, e.created_at as "createdAt", e.data,
     to_jsonb(u) ->> 'external_id' as "externalId", r.answer, r.tries as "latestAttempts"
   from webhook_deliveries r join webhook_events e on e.id = r.event_id left join users u on u.id = e.user_id
   where r.id = $1`,
).narrow<More & { type: SentType; userId: string | null; seq: number }>();

/** The event and the results of sending it. */
export const findSent = (db: Db, id: string) => first(db, findSentSql, [id]);

// A claimed queue keeps its time, because the worker that claimed it continues with what is added.
const wake = `
  on conflict (endpoint_id, line) do update set next_at = case
    when webhook_lines.claim is null then least(webhook_lines.next_at, excluded.next_at)
    else coalesce(webhook_lines.next_at, excluded.next_at) end`;

const resetState = "state = 'waiting', attempts = 0, delivered_at = null";

/** Returns a delivery to its queue, ahead of the customer's later ones. */
export const sendAgain = async (db: Db, id: string, now: Date) => {
  await run(
    db,
    `with again as (
       update webhook_deliveries set ${resetState} where id = $1 returning endpoint_id, line
     )
     insert into webhook_lines (endpoint_id, line, next_at) select endpoint_id, line, $2 from again ${wake}`,
    [id, now],
  );
};

const againMax = 50_000;

const resendFailedSql = statement(
  "webhooks.resendFailedDeliveries",
  `with again as (
     update webhook_deliveries set ${resetState} where id in (
       select id from webhook_deliveries
       where endpoint_id = $1 and state = 'failed' and created_at >= $2 order by id limit ${againMax}
     ) returning endpoint_id, line
   ), woken as (
     insert into webhook_lines (endpoint_id, line, next_at)
     select distinct endpoint_id, line, $3::timestamptz from again order by 1, 2 ${wake}
   )
   select count(*)::int as sent from again`,
).narrow<{ sent: number }>();

/** Sends every delivery again that was given up since then. Returns how many. */
export const resendFailedDeliveries = async (
  db: Db,
  endpointId: string,
  { since, now }: { since: Date; now: Date },
) => {
  const row = await first(db, resendFailedSql, [endpointId, since, now]);
  return row?.sent ?? 0;
};

const sendTestSql = statement(
  "webhooks.sendTest",
  `with event as (
     insert into webhook_events (type, seq, data, created_at)
     values ('test', 0, '{"message": "This is a test."}', $2) returning id
   ), delivery as (
     insert into webhook_deliveries (endpoint_id, event_id, line, seq, type)
     select $1, id, id, 0, 'test' from event returning id, event_id
   ), line as (
     insert into webhook_lines (endpoint_id, line, next_at) select $1, event_id, $2 from delivery
   )
   select id as "deliveryId", event_id as "eventId" from delivery`,
);

/** Creates an event for one endpoint only, in its own queue. */
export const sendTest = async (db: Db, endpointId: string, now: Date) => {
  const row = await first(db, sendTestSql, [endpointId, now]);
  if (!row) throw new Error("A test event was not stored.");
  return row;
};
