import type { ProviderEvent } from "@purser/contract/transactions/providerEvents";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { PaymentNotification } from "./provider.ts";

const shown = `
  e.id, e.provider, e.event_id as "eventId", e.type, e.payment, e.at, e.received_at as "receivedAt", e.outcome, e.words,
  e.tries as attempts, e.next_try_at as "nextAttemptAt",
  case when t.id is not null then jsonb_build_object('id', t.id, 'number', t.number) end as transaction`;

const from = "from provider_events e left join transactions t on t.id = e.transaction_id";

// The events are limited before the join, so that transactions are looked up by their ids in every plan.
const findProviderEventsSql = statement(
  "providers.findProviderEvents",
  `select ${shown} from (
     select * from provider_events where outcome = $1 order by received_at desc, id desc limit 100
   ) e left join transactions t on t.id = e.transaction_id
   order by e.received_at desc, e.id desc`,
).narrow<ProviderEvent>();

export const findProviderEvents = (db: Db, outcome: ProviderEvent["outcome"]) =>
  run(db, findProviderEventsSql, [outcome]);

const findProviderEventSql = statement(
  "providers.findProviderEvent",
  `select ${shown}, e.body ${from} where e.id = $1`,
).narrow<ProviderEvent & { body: string }>();

export const findProviderEvent = (db: Db, id: string) => first(db, findProviderEventSql, [id]);

/** Locks the row before reading it, so that a second reader sees the changes of the first. */
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

/** Returns the ID of the event, or undefined if it was received before. */
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
    nextAttemptAt,
    transactionId,
  }: Pick<ProviderEvent, "outcome" | "words" | "nextAttemptAt"> & {
    transactionId: string | null;
  },
) => {
  await run(
    db,
    `update provider_events set outcome = $2, words = $3, next_try_at = $4, tries = tries + 1,
       transaction_id = coalesce($5, transaction_id) where id = $1`,
    [id, outcome, words?.slice(0, 500), nextAttemptAt, transactionId],
  );
};

const findWaitingOfPaymentSql = statement(
  "providers.findWaitingOfPayment",
  `select id from provider_events where provider = $1 and outcome = 'waiting' and id <> $3
     and payment = any (array(select reference from transaction_references
       where transaction_id = $4 and provider = $1) || $2::text)
   order by at, id`,
);

/** Other waiting events about the same payment, by any of its names. */
export const findWaitingOfPayment = async (
  db: Db,
  { id, provider, payment }: ProviderEvent,
  saleId: string | null,
) =>
  (await run(db, findWaitingOfPaymentSql, [provider, payment, id, saleId])).map(
    (event) => event.id,
  );

const findOverdueSql = statement(
  "providers.findOverdue",
  `select id from provider_events where outcome = 'waiting' and next_try_at <= $1
   order by next_try_at limit 200`,
);

/** Events whose next attempt is overdue because a worker crashed. */
export const findOverdue = async (db: Db, before: Date) =>
  (await run(db, findOverdueSql, [before])).map(({ id }) => id);

const sales = statement("providers.sales", "select id from transactions");
const byNumber = sales.with("where number = $1 and parent_id is null");
const byReference = sales.with(
  `where parent_id is null and state <> 'voided' and (reference = any ($1::text[]) and provider = $2
     or id in (select transaction_id from transaction_references
       where provider = $2 and reference = any ($1::text[])))
   order by id limit 1`,
);
const openRenewal = sales.with(
  `where subscription_id = $1 and kind = 'renewal' and state in ('pending', 'unknown', 'failed')
   order by period_start limit 1`,
);
const byEarlierEvent = statement(
  "providers.byEarlierEvent",
  `select transaction_id as id from provider_events
   where payment = any ($1::text[]) and provider = $2 and transaction_id is not null limit 1`,
).present<"id">();

/** Every name that the provider has for a payment. */
export const referencesOf = ({ payment, references = [] }: PaymentNotification) => [
  ...new Set([payment, ...references].filter((name) => name !== "")),
];

// From the most to the least certain match.
const lookupsOf = (provider: string, notification: PaymentNotification) => {
  const { number, subscriptionId } = notification;
  const names = referencesOf(notification);
  return [
    [byNumber, number?.toUpperCase()],
    [byReference, names, provider],
    [byEarlierEvent, names, provider],
    [openRenewal, subscriptionId],
  ] as const;
};

/** Stores every name of a payment, so that later events find it by any of them. */
export const insertReferences = async (
  db: Db,
  transactionId: string,
  { provider, references }: { provider: string; references: readonly string[] },
) => {
  await run(
    db,
    `insert into transaction_references (provider, reference, transaction_id)
     select $2, reference, $1 from unnest($3::text[]) as given (reference) on conflict do nothing`,
    [transactionId, provider, references],
  );
};

/** The sale that a payment belongs to. */
export const findSaleOf = async (db: Db, provider: string, notification: PaymentNotification) => {
  for (const [lookup, ...values] of lookupsOf(provider, notification)) {
    const found = values[0] ? await first(db, lookup, values) : undefined;
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

/** A refund that is already recorded, either with this reference or manually without one. */
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

/** Adds the provider's reference to a refund that was recorded without one. */
export const setRefundReference = async (db: Db, id: string, reference: string) => {
  await run(db, "update transactions set reference = $2 where id = $1", [id, reference]);
};

const findPackageIdSql = statement(
  "providers.findPackageId",
  "select id from packages where code = $1",
);

export const findPackageId = async (db: Db, code: string) =>
  (await first(db, findPackageIdSql, [code]))?.id;

const countOpenSql = statement(
  "providers.countOpen",
  `select (select count(*) from provider_events where outcome = 'waiting')::int as waiting,
     (select count(*) from provider_events where outcome = 'unmatched')::int as unmatched`,
).narrow<{ waiting: number; unmatched: number }>();

/** Notifications that wait for their transaction, and those that match none. */
export const countOpen = async (db: Db) =>
  (await first(db, countOpenSql)) ?? { waiting: 0, unmatched: 0 };
