import type { Attempt, SentType } from "@purser/contract/workspace/webhooks";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";

const batchMax = 2000;

// One worker numbers events at a time and sees only committed ones. So events of consecutive transactions keep
// their order, and concurrent ones get either.
const queueEventsSql = statement(
  "webhooks.queueEvents",
  `
  with taken as (
    select id, number, user_id, row_number() over mine as nth, count(*) over (partition by user_id) as all_of_user
    from (
      select id, user_id, number from webhook_events where seq is null order by number limit ${batchMax}
    ) few
    window mine as (partition by user_id order by number)
  ), counted as (
    insert into webhook_counters as c (user_id, seq)
    select user_id, count(*) from taken group by user_id
    on conflict (user_id) do update set seq = c.seq + excluded.seq
    returning user_id, seq
  ), numbered as (
    update webhook_events e set seq = c.seq - t.all_of_user + t.nth
    from taken t join counted c on c.user_id = t.user_id
    -- Found by the index of events that have no seq, which is small, instead of by all partitions.
    where e.id = t.id and e.number = t.number and e.seq is null
    returning e.id, e.number, e.type, e.user_id, e.seq
  ), made as (
    insert into webhook_deliveries (endpoint_id, event_id, line, seq, type, user_id)
    select w.id, n.id, n.user_id, n.seq, n.type, n.user_id
    from numbered n join webhook_endpoints w on w.status = 'active' and n.type = any (w.types)
    order by n.number
    returning endpoint_id, line
  ), woken as (
    insert into webhook_lines as l (endpoint_id, line, next_at)
    select distinct endpoint_id, line, $1::timestamptz from made order by 1, 2
    on conflict (endpoint_id, line) do update set next_at = coalesce(l.next_at, excluded.next_at)
  )
  select count(*)::int as events from taken`,
).narrow<{ events: number }>();

const lockEventsSql = statement(
  "webhooks.lockEvents",
  "select pg_try_advisory_xact_lock(hashtext('webhook_events')) as \"isAcquired\"",
).narrow<{ isAcquired: boolean }>();

/** Numbers committed events and adds them to each endpoint's queue for their customer. True if there may be more. */
export const queueEvents = (db: Db, now: Date) =>
  db.transaction().execute(async (transaction) => {
    const lock = await first(transaction, lockEventsSql);
    if (!lock?.isAcquired) return false;
    const row = await first(transaction, queueEventsSql, [now]);
    return row?.events === batchMax;
  });

const findDueSql = statement(
  "webhooks.findDue",
  `select exists (select from webhook_events where seq is null) as "hasEvents", array(
     select id from webhook_endpoints w where status = 'active' and exists (
       select from webhook_lines where endpoint_id = w.id and next_at <= $1)) as endpoints`,
).narrow<{ hasEvents: boolean; endpoints: string[] }>();

/** Whether events wait for their queues, and the endpoints with a due delivery. One statement, as it runs every second. */
export const findDue = async (db: Db, now: Date) =>
  (await first(db, findDueSql, [now])) ?? { hasEvents: false, endpoints: [] };

const findSenderSql = statement(
  "webhooks.findSender",
  `select id, url, secret, case when previous_until > $1 then previous_secret end as "previousSecret",
     failing_since as "failingSince"
   from webhook_endpoints where id = $2 and status = 'active'`,
);

export type Sender = RowOf<typeof findSenderSql>;

/** An active endpoint, with the secrets that sign for it now. */
export const findSender = (db: Db, id: string, now: Date) => first(db, findSenderSql, [now, id]);

type Claim = { endpointId: string; queues: number; now: Date; until: Date };

const claimQueuesSql = statement(
  "webhooks.claimQueues",
  `with due as (
     select line from webhook_lines where endpoint_id = $1 and next_at <= $2
     order by next_at limit $4 for update skip locked
   )
   update webhook_lines l set next_at = $3, claim = gen_random_uuid() from due
   where l.endpoint_id = $1 and l.line = due.line returning l.claim`,
).present<"claim">();

const findClaimedSql = statement(
  "webhooks.findClaimed",
  `select l.line as queue, l.claim, d.id as "deliveryId", d.event_id as "eventId", d.type, d.seq::int as seq, d.attempts,
     d.user_id as "userId", to_jsonb(u) ->> 'external_id' as "externalId", e.created_at as "createdAt", e.data
   from webhook_lines l
   cross join lateral (
     select * from webhook_deliveries
     where endpoint_id = l.endpoint_id and line = l.line and state = 'waiting' order by seq limit 1
   ) d
   join webhook_events e on e.id = d.event_id
   left join users u on u.id = d.user_id
   where l.endpoint_id = $1 and l.claim = any ($2::uuid[])`,
)
  .present<"claim">()
  .narrow<{ type: SentType; seq: number; data: Record<string, unknown> }>();

/** The first delivery of a queue, claimed by the worker that sends it. */
export type ClaimedDelivery = RowOf<typeof findClaimedSql>;

/** Claims queues whose first delivery is due. After `until`, another worker may claim them. */
export const claimQueues = async (db: Db, { endpointId, queues, now, until }: Claim) => {
  const claimed = await run(db, claimQueuesSql, [endpointId, now, until, queues]);
  if (claimed.length === 0) return [];
  // Read after claiming, because another worker could have sent the first delivery before that.
  return run(db, findClaimedSql, [endpointId, claimed.map(({ claim }) => claim)]);
};

type Outcome = {
  endpointId: string;
  claimed: Pick<ClaimedDelivery, "queue" | "claim" | "deliveryId">;
  attempt: Attempt;
  answer: string | null;
  state: "delivered" | "waiting" | "failed";
  /** When the next delivery of the queue is due. */
  nextAt: Date;
};

/** Stores the result of an attempt and releases the queue. Returns false if the claim had expired. */
export const releaseQueue = (
  db: Db,
  { endpointId, claimed, attempt, answer, state, nextAt }: Outcome,
) =>
  db.transaction().execute(async (transaction) => {
    const [own] = await run(
      transaction,
      "select from webhook_lines where endpoint_id = $1 and line = $2 and claim = $3 for update",
      [endpointId, claimed.queue, claimed.claim],
    );
    if (!own) return false;
    await run(
      transaction,
      `update webhook_deliveries set state = $2, attempts = attempts + 1, attempted_at = $3, last_status = $4,
         last_error = $5, answer = $6, delivered_at = case $2 when 'delivered' then $3::timestamptz end,
         tries = (
           select jsonb_agg(one order by place) from jsonb_array_elements(tries || $7::jsonb)
             with ordinality as t (one, place)
           where place > jsonb_array_length(tries) - 19
         )
       where id = $1`,
      [
        claimed.deliveryId,
        state,
        attempt.at,
        attempt.status,
        attempt.error,
        answer,
        JSON.stringify(attempt),
      ],
    );
    // A separate statement sees deliveries that were added until the queue was locked.
    await run(
      transaction,
      `update webhook_lines set claim = null, next_at = case when exists (
         select from webhook_deliveries where endpoint_id = $1 and line = $2 and state = 'waiting'
       ) then $3::timestamptz end
       where endpoint_id = $1 and line = $2`,
      [endpointId, claimed.queue, nextAt],
    );
    return true;
  });

/** Stores since when an endpoint fails, or null. Writes only if that changes. */
export const setFailingSince = async (db: Db, endpointId: string, since: Date | null) => {
  await run(
    db,
    `update webhook_endpoints set failing_since = $2
     where id = $1 and (failing_since is null) = ($2::timestamptz is not null)`,
    [endpointId, since],
  );
};

const findLagSql = statement(
  "webhooks.findLag",
  `select w.id, greatest(extract(epoch from now() - l.next_at), 0)::float8 as seconds
   from webhook_endpoints w
   left join lateral (
     select next_at from webhook_lines where endpoint_id = w.id and next_at is not null order by next_at limit 1) l on true
   where w.status = 'active'`,
).narrow<{ seconds: number | null }>();

/** For how long the next event of each active endpoint has been due. */
export const findLag = (db: Db) => run(db, findLagSql);
