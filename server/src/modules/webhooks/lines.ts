import type { Attempt, SentType } from "@purser/contract/webhooks";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";

const batchMax = 2000;

// Whoever counts does it alone. An event is seen here once it is committed, so that the order of two which
// somebody made one after the other is theirs, and of two that were made at once either.
const count = statement(
  "webhooks.countEvents",
  `
  with taken as (
    select id, user_id, row_number() over mine as nth, count(*) over (partition by user_id) as all_of_user
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
    where e.id = t.id
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
  "select pg_try_advisory_xact_lock(hashtext('webhook_events')) as mine",
).narrow<{ mine: boolean }>();

/** Numbers what was committed, and puts it into the line of its person at each endpoint. Says if there may be more. */
export const countEvents = async (db: Db, now: Date) => {
  const [some] = await run(db, "select from webhook_events where seq is null limit 1");
  if (!some) return false;
  return db.transaction().execute(async (transaction) => {
    const lock = await first(transaction, lockEventsSql);
    if (!lock?.mine) return false;
    const row = await first(transaction, count, [now]);
    return row?.events === batchMax;
  });
};

const findSendersSql = statement(
  "webhooks.findSenders",
  `select id, url, secret, case when previous_until > $1 then previous_secret end as "previousSecret",
     failing_since as "failingSince"
   from webhook_endpoints where status = 'active'`,
);

export type Sender = RowOf<typeof findSendersSql>;

/** The endpoints that something can be sent to, with what signs it now. */
export const findSenders = (db: Db, now: Date) => run(db, findSendersSql, [now]);

export const findSender = async (db: Db, id: string, now: Date) =>
  (await findSenders(db, now)).find((sender) => sender.id === id);

type Wanted = { endpointId: string; lines: number; now: Date; until: Date };

const claimLinesSql = statement(
  "webhooks.claimLines",
  `with due as (
     select line from webhook_lines where endpoint_id = $1 and next_at <= $2
     order by next_at limit $4 for update skip locked
   )
   update webhook_lines l set next_at = $3, claim = gen_random_uuid() from due
   where l.endpoint_id = $1 and l.line = due.line returning l.claim`,
).present<"claim">();

const claimedLinesSql = statement(
  "webhooks.claimedLines",
  `select l.line, l.claim, d.id as "deliveryId", d.event_id as "eventId", d.type, d.seq::int as seq, d.attempts,
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

/** The first of a line, held by whoever sends it. */
export type Held = RowOf<typeof claimedLinesSql>;

/** Takes lines whose first is due. Whoever does not come back by `until` is taken for dead. */
export const holdLines = async (db: Db, { endpointId, lines, now, until }: Wanted) => {
  const held = await run(db, claimLinesSql, [endpointId, now, until, lines]);
  if (held.length === 0) return [];
  // Only now: before the lines were held, somebody else may still have sent what stood first.
  return run(db, claimedLinesSql, [endpointId, held.map(({ claim }) => claim)]);
};

type Outcome = {
  endpointId: string;
  held: Pick<Held, "line" | "claim" | "deliveryId">;
  attempt: Attempt;
  answer: string | null;
  state: "delivered" | "waiting" | "given up";
  /** When the line goes on. */
  nextAt: Date;
};

/** Stores what came of a try and lets the line go. Says whether it was still held. */
export const letGo = (db: Db, { endpointId, held, attempt, answer, state, nextAt }: Outcome) =>
  db.transaction().execute(async (transaction) => {
    const [mine] = await run(
      transaction,
      "select from webhook_lines where endpoint_id = $1 and line = $2 and claim = $3 for update",
      [endpointId, held.line, held.claim],
    );
    if (!mine) return false;
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
        held.deliveryId,
        state,
        attempt.at,
        attempt.status,
        attempt.error,
        answer,
        JSON.stringify(attempt),
      ],
    );
    // In a statement of its own, so that it sees what was put into the line until it was locked.
    await run(
      transaction,
      `update webhook_lines set claim = null, next_at = case when exists (
         select from webhook_deliveries where endpoint_id = $1 and line = $2 and state = 'waiting'
       ) then $3::timestamptz end
       where endpoint_id = $1 and line = $2`,
      [endpointId, held.line, nextAt],
    );
    return true;
  });

/** Remembers since when nothing arrives, or that something does; only where that is news. */
export const noteFailing = async (db: Db, endpointId: string, since: Date | null) => {
  await run(
    db,
    `update webhook_endpoints set failing_since = $2
     where id = $1 and (failing_since is null) = ($2::timestamptz is not null)`,
    [endpointId, since],
  );
};
