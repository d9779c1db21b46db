import type { TransactionDetails } from "@purser/contract/transactions/endpoints";
import type { EventType, TransactionState as State } from "@purser/contract/transactions/fields";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

type Event = TransactionDetails["events"][number];

const findEventsSql = statement(
  "transactions.findEvents",
  `select e.id, e.type, e.at, e.source, u.name as by, e.evidence,
     e.recorded_at as "recordedAt"
   from transaction_events e
   left join users u on u.id = case e.source when 'team' then e.source_id::uuid end
   where e.transaction_id = $1 order by e.at, e.id`,
);

export const findEvents = (db: Db, id: string) => run(db, findEventsSql, [id]);

export type NewEvent = {
  type: EventType;
  at: Date;
  source: Event["source"];
  sourceId: string | null;
  evidence?: string | null;
  /** Until when evidence can be sent for a dispute. */
  dueAt?: Date | null;
};

/** The columns of new events as JSON. */
export const eventRecord = `type text, at timestamptz, source text, "sourceId" text, evidence text, "dueAt" timestamptz`;

/** Inserts events from a query of such rows with their "transactionId". */
export const insertEventsFrom = (rows: string) => `
  insert into transaction_events (transaction_id, type, at, source, source_id, evidence, due_at)
  select e."transactionId", e.type, e.at, e.source, e."sourceId", e.evidence, e."dueAt" from (${rows}) e`;

/** Adds events to many transactions. A repeated event of a provider is stored once. */
export const insertEventsOf = async (
  db: Db,
  events: readonly (NewEvent & { transactionId: string })[],
) => {
  await run(
    db,
    `${insertEventsFrom(`
      select * from jsonb_to_recordset($1::jsonb) as added ("transactionId" uuid, ${eventRecord})`)}
     on conflict do nothing`,
    [JSON.stringify(events)],
  );
};

export const insertEvents = (db: Db, transactionId: string, events: readonly NewEvent[]) =>
  insertEventsOf(
    db,
    events.map((event) => ({ transactionId, ...event })),
  );

/** Updates the state column, which lists filter by. Throws if another process changed it. */
export const setState = async (
  db: Db,
  id: string,
  { from, to, settled }: { from: State; to: State; settled?: { at: Date; by: string } },
) => {
  const moved = await run(
    db,
    `update transactions set state = $3, settled_at = coalesce(settled_at, $4), settled_by = coalesce(settled_by, $5)
     where id = $1 and state = $2 returning id`,
    [id, from, to, settled?.at, settled?.by],
  );
  if (moved.length === 0) throw new Error(`Transaction ${id} is no longer ${from}.`);
};

const findStoredEventsSql = statement(
  "transactions.findStoredEvents",
  "select id, type, at from transaction_events where transaction_id = $1",
);

export const findStoredEvents = (db: Db, id: string) => run(db, findStoredEventsSql, [id]);
