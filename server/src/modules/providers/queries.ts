import type { ProviderEvent } from "@purser/contract/providers";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { News } from "./news.ts";

const shown = `
  e.id, e.provider, e.event_id as "eventId", e.type, e.payment, e.at, e.received_at as "receivedAt", e.outcome, e.words,
  e.tries, e.next_try_at as "nextTryAt",
  case when t.id is not null then jsonb_build_object('id', t.id, 'number', t.number) end as transaction`;

const from = "from provider_events e left join transactions t on t.id = e.transaction_id";

const findProviderEventsSql = statement(
  "providers.findProviderEvents",
  `select ${shown} ${from} where e.outcome = $1 order by e.received_at desc, e.id desc limit 100`,
).narrow<ProviderEvent>();

export const findProviderEvents = (db: Db, outcome: ProviderEvent["outcome"]) =>
  run(db, findProviderEventsSql, [outcome]);

const findProviderEventSql = statement(
  "providers.findProviderEvent",
  `select ${shown}, e.body ${from} where e.id = $1`,
).narrow<ProviderEvent & { body: string }>();

export const findProviderEvent = (db: Db, id: string) => first(db, findProviderEventSql, [id]);

/** Locked first and read then, so that whoever waited sees what was done. */
export const lockProviderEvent = async (db: Db, id: string) => {
  await run(db, "select from provider_events where id = $1 for update", [id]);
  return findProviderEvent(db, id);
};

type NewEvent = Pick<
  ProviderEvent,
  "provider" | "eventId" | "type" | "payment" | "at" | "outcome"
> & {
  body: string;
};

const insertProviderEventSql = statement(
  "providers.insertProviderEvent",
  `insert into provider_events (provider, event_id, type, payment, body, at, outcome, received_at, next_try_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, case when $7 = 'waiting' then $8::timestamptz end)
   on conflict do nothing returning id`,
);

/** The id of an event that was not told before. */
export const insertProviderEvent = async (db: Db, event: NewEvent, now: Date) =>
  (
    await first(db, insertProviderEventSql, [
      event.provider,
      event.eventId,
      event.type,
      event.payment,
      event.body,
      event.at,
      event.outcome,
      now,
    ])
  )?.id;

export const setOutcome = async (
  db: Db,
  id: string,
  {
    outcome,
    words,
    nextTryAt,
    transactionId,
  }: Pick<ProviderEvent, "outcome" | "words" | "nextTryAt"> & {
    transactionId: string | null;
  },
) => {
  await run(
    db,
    `update provider_events set outcome = $2, words = $3, next_try_at = $4, tries = tries + 1,
       transaction_id = coalesce($5, transaction_id) where id = $1`,
    [id, outcome, words?.slice(0, 500), nextTryAt, transactionId],
  );
};

const findWaitingBesideSql = statement(
  "providers.findWaitingBeside",
  `select id from provider_events where provider = $1 and payment = $2 and outcome = 'waiting' and id <> $3
   order by at, id`,
);

/** Others about the same payment that wait for something. */
export const findWaitingBeside = async (db: Db, { id, provider, payment }: ProviderEvent) =>
  (await run(db, findWaitingBesideSql, [provider, payment, id])).map((event) => event.id);

const findOverdueSql = statement(
  "providers.findOverdue",
  `select id from provider_events where outcome = 'waiting' and next_try_at <= $1
   order by next_try_at limit 200`,
);

/** Events whose next try was missed, because a worker died at it. */
export const findOverdue = async (db: Db, before: Date) =>
  (await run(db, findOverdueSql, [before])).map(({ id }) => id);

const sales = statement("providers.sales", "select id from transactions");
const byNumber = sales.with("where number = $1 and parent_id is null");
const byReference = sales.with(
  "where reference = $1 and provider = $2 and parent_id is null and state <> 'voided'",
);
const openRenewal = sales.with(
  `where subscription_id = $1 and kind = 'renewal' and state in ('pending', 'unknown', 'failed')
   order by period_start limit 1`,
);
const byEarlierEvent = statement(
  "providers.byEarlierEvent",
  `select transaction_id as id from provider_events
   where payment = $1 and provider = $2 and transaction_id is not null limit 1`,
).present<"id">();

// From what is surest to what is likeliest.
const waysToSale = (provider: string, { payment, number, subscriptionId }: News) =>
  [
    [byNumber, number?.toUpperCase()],
    [byReference, payment, provider],
    [byEarlierEvent, payment, provider],
    [openRenewal, subscriptionId],
  ] as const;

/** The sale that a payment belongs to. */
export const findSaleOf = async (db: Db, provider: string, news: News) => {
  for (const [way, ...values] of waysToSale(provider, news)) {
    const found = values[0] ? await first(db, way, values) : undefined;
    if (found) return found.id;
  }
  return null;
};

const findRefundSql = statement(
  "providers.findRefund",
  `select id, reference from transactions
   where (reference = $1 and provider = $2 and parent_id is not null)
     or (parent_id = $3 and kind = 'refund' and reference is null and total = $4)
   order by reference nulls last, id limit 1`,
);

/** A refund that is known already: by its reference, or recorded by hand without one. */
export const findRefund = (
  db: Db,
  {
    provider,
    saleId,
    reference,
    amount,
  }: Record<"provider" | "saleId" | "reference", string> & {
    amount: number;
  },
) => first(db, findRefundSql, [reference, provider, saleId, amount]);
