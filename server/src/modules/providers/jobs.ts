import type { ProviderEvent } from "@purser/contract/providers";
import { z } from "zod";
import { type Db, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { type Enqueue, job } from "#platform/jobs/queues.ts";
import type { FindZone } from "#platform/settings.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import { lockTransaction } from "../transactions/queries.ts";
import { applyNews, type When } from "./apply.ts";
import type { Provider } from "./news.ts";
import { findOverdue, findWaitingBeside, lockProviderEvent, setOutcome } from "./queries.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

// Longer and longer, for three days: what an event belongs to may be told later.
const waitsMs = [10_000, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs];
const waitingDays = 3;

/** When an event that cannot be placed yet is looked at again; null is never. */
const nextTryOf = ({ tries, receivedAt }: ProviderEvent, now: Date) => {
  if (+now - +receivedAt > waitingDays * dayMs) return null;
  return new Date(+now + (waitsMs[Math.min(tries, waitsMs.length - 1)] ?? dayMs));
};

/** Lets an event that was stored do what it says, or says when it is looked at again. */
export const settleEvent = async (
  db: Db,
  id: string,
  {
    providers,
    when,
    again,
  }: {
    providers: readonly Provider[];
    when: When;
    again: (id: string, at?: Date) => Promise<void>;
  },
) => {
  const event = await lockProviderEvent(db, id);
  const provider = providers.find(({ name }) => name === event?.provider);
  if (!event || !provider || event.outcome === "applied" || event.outcome === "ignored") return;
  const news = provider.newsOf(event.body);
  if (!news) throw new Error(`Event ${event.eventId} of ${event.provider} says nothing.`);
  const telling = { provider: event.provider, eventId: event.eventId, type: event.type, news };
  const { outcome, words, saleId } = await applyNews(db, telling, when);
  const nextTryAt = outcome === "waiting" ? nextTryOf(event, when.now) : null;
  await setOutcome(db, id, {
    words,
    nextTryAt,
    transactionId: saleId,
    outcome: outcome === "waiting" && nextTryAt === null ? "unmatched" : outcome,
  });
  if (nextTryAt) await again(id, nextTryAt);
  if (outcome === "applied")
    for (const beside of await findWaitingBeside(db, event)) await again(beside);
};

/** Each event is a job of its own, put in with the event: what was taken in is never forgotten. */
export const settleProviderEvent = (providers: readonly Provider[], findZone: FindZone) => {
  const settle = job({
    name: "settle-provider-event",
    payload: z.object({ id: z.uuid() }),
    run: async ({ db, now, enqueue }, { id }): Promise<void> =>
      settleEvent(db, id, {
        providers,
        when: { now, zone: await findZone(db) },
        again: (other, at) => enqueue(settle, { id: other }, at),
      }),
  });
  return settle;
};
export type SettleJob = ReturnType<typeof settleProviderEvent>;

// Longer and longer, for a month in all.
const askingMs = [5 * minuteMs, 15 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs, dayMs];
const askingDays = 30;

const findHangingSql = statement(
  "providers.findHanging",
  `select t.id, t.provider, t.reference, coalesce(r.asked, 0) as asked, t.occurred_at as "occurredAt"
   from transactions t left join reconciliations r on r.transaction_id = t.id
   where t.state in ('pending', 'unknown') and t.provider = any ($1::text[]) and t.reference is not null
     and case when r.transaction_id is null then t.occurred_at <= $3 else r.next_at <= $2 end
   order by t.occurred_at limit 100`,
)
  .present<"reference">()
  .narrow<{ asked: number }>();

type Hanging = RowOf<typeof findHangingSql>;

const findHanging = (db: Db, names: string[], now: Date) =>
  run(db, findHangingSql, [names, now, new Date(+now - (askingMs[0] ?? 0))]);

/** What a provider answers when it is asked, or why it did not. */
const askAfter = async (provider: Provider, { reference }: Hanging) => {
  try {
    const news = await provider.ask?.(reference);
    return {
      news: news ?? null,
      answer: news ? `It says: ${news.kind}.` : "Nothing is decided yet.",
    };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { news: null, answer: `It could not be asked: ${said}`.slice(0, 500) };
  }
};

const noteAsking = (db: Db, { id, asked, occurredAt }: Hanging, answer: string, now: Date) => {
  const delay = askingMs[Math.min(asked + 1, askingMs.length - 1)] ?? dayMs;
  const isOver = +now - +occurredAt > askingDays * dayMs;
  return run(
    db,
    `insert into reconciliations (transaction_id, asked, last_at, last_answer, next_at) values ($1, 1, $2, $3, $4)
     on conflict (transaction_id) do update set asked = reconciliations.asked + 1, last_at = $2, last_answer = $3,
       next_at = $4`,
    [id, now, answer, isOver ? null : new Date(+now + delay)],
  );
};

/** Asks about one payment that hangs. What nobody can say within a day is unknown. */
const reconcile = async (
  step: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  provider: Provider,
  hanging: Hanging,
  when: When,
) => {
  const { news, answer } = await askAfter(provider, hanging);
  await step(async (db) => {
    const { id, occurredAt } = hanging;
    const told = { provider: provider.name, eventId: `asked ${id}`, type: "asked" };
    if (news) await applyNews(db, { ...told, news }, when);
    const sale = await lockTransaction(db, id);
    const isLate = +when.now - +occurredAt > dayMs;
    if (sale?.state === "pending" && isLate)
      await applyEvents(
        db,
        sale,
        [{ type: "unknown", at: when.now, source: "system", sourceId: null, evidence: answer }],
        when,
      );
    await noteAsking(db, hanging, answer, when.now);
  });
};

export const reconcilePayments = (
  providers: readonly Provider[],
  settle: SettleJob,
  findZone: FindZone,
) =>
  job({
    name: "reconcile-payments",
    payload: z.object({}),
    every: "* * * * *",
    inSteps: true,
    run: async ({ db, now, step }) => {
      const missed = await findOverdue(db, new Date(+now - 10 * minuteMs));
      for (const id of missed) await step((_db, enqueue: Enqueue) => enqueue(settle, { id }));
      const asked = providers.filter(({ ask }) => ask);
      const hanging = await findHanging(
        db,
        asked.map(({ name }) => name),
        now,
      );
      for (const one of hanging) {
        const provider = asked.find(({ name }) => name === one.provider);
        if (provider) await reconcile(step, provider, one, { now, zone: await findZone(db) });
      }
    },
  });
