import type { ProviderEvent } from "@purser/contract/transactions/providerEvents";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Enqueue, job } from "#platform/jobs/queues.ts";
import type { FindZone } from "#platform/settings.ts";
import { applyEvents } from "../transactions/events/applyEvents.ts";
import { lockTransaction } from "../transactions/queries.ts";
import { applyNotification, type When } from "./applyNotification.ts";
import type { Provider } from "./provider.ts";
import { findOverdue, findWaitingOfPayment, lockProviderEvent, setOutcome } from "./queries.ts";
import { findStuck, recordLookup, type StuckPayment } from "./reconcileQueries.ts";
import { removeOldEvents } from "./stateQueries.ts";

const minuteMs = 60_000;
const removedAtOnce = 5000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

// The transaction of an event may be recorded later, so the event is tried again for three days.
const retryDelaysMs = [10_000, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs];
const retryDays = 3;

/** When to try an event again that has no transaction yet. Null means never. */
const nextAttemptOf = ({ attempts, receivedAt }: ProviderEvent, now: Date) => {
  if (+now - +receivedAt > retryDays * dayMs) return null;
  return new Date(+now + (retryDelaysMs[Math.min(attempts, retryDelaysMs.length - 1)] ?? dayMs));
};

/** Applies a stored event, or schedules its next attempt. */
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
  const notification = provider.notificationOf(event.body);
  if (!notification)
    throw new Error(`Event ${event.eventId} of ${event.provider} has no notification.`);
  const { eventId, type } = event;
  const received = { provider: provider.name, eventId, type, notification };
  const { outcome, words, saleId } = await applyNotification(db, received, when);
  const nextAttemptAt = outcome === "waiting" ? nextAttemptOf(event, when.now) : null;
  await setOutcome(db, id, {
    words,
    nextAttemptAt,
    transactionId: saleId,
    outcome: outcome === "waiting" && nextAttemptAt === null ? "unmatched" : outcome,
  });
  if (nextAttemptAt) await again(id, nextAttemptAt);
  if (outcome === "applied")
    for (const other of await findWaitingOfPayment(db, event, saleId)) await again(other);
};

/** Each event has a job that is enqueued in the transaction that stores the event, so that none is lost. */
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

const lookupDelaysMs = [5 * minuteMs, 15 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs, dayMs];
const lookupDays = 30;

/** The provider's answer about a payment, or why there is none. */
const lookUp = async (provider: Provider, { reference }: StuckPayment) => {
  try {
    const notification = await provider.lookUp?.(reference);
    return {
      notification: notification ?? null,
      answer: notification ? `The provider reported a ${notification.kind}.` : "No result yet.",
    };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { notification: null, answer: `The lookup failed: ${cause}`.slice(0, 500) };
  }
};

const nextLookupOf = ({ attempts, occurredAt }: StuckPayment, now: Date) => {
  if (+now - +occurredAt > lookupDays * dayMs) return null;
  const delay = lookupDelaysMs[Math.min(attempts + 1, lookupDelaysMs.length - 1)] ?? dayMs;
  return new Date(+now + delay);
};

/** Looks up one stuck payment. Without a result for a day, its state becomes unknown. */
const reconcile = async (
  step: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  provider: Provider,
  stuck: StuckPayment,
  when: When,
) => {
  const { notification, answer } = await lookUp(provider, stuck);
  await step(async (db) => {
    const { id, occurredAt } = stuck;
    const { now } = when;
    const event = { provider: provider.name, eventId: `asked ${id}`, type: "asked" };
    if (notification) await applyNotification(db, { ...event, notification }, when);
    const sale = await lockTransaction(db, id);
    const isLate = +now - +occurredAt > dayMs;
    if (sale?.state === "pending" && isLate)
      await applyEvents(
        db,
        sale,
        [{ type: "unknown", at: now, source: "system", sourceId: null, evidence: answer }],
        when,
      );
    await recordLookup(db, { transactionId: id, answer, now, nextAt: nextLookupOf(stuck, now) });
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
      const supported = providers.filter((provider) => provider.lookUp);
      const names = supported.map(({ name }) => name);
      const since = new Date(+now - (lookupDelaysMs[0] ?? 0));
      for (const stuck of await findStuck(db, names, { now, since })) {
        const provider = supported.find(({ name }) => name === stuck.provider);
        if (provider) await reconcile(step, provider, stuck, { now, zone: await findZone(db) });
      }
    },
  });

/** Deletes settled notifications after the days of the settings, by default never. */
export const forgetProviderEvents = job({
  name: "forget-provider-events",
  payload: z.object({}),
  every: "33 4 * * *",
  inSteps: true,
  run: async ({ step }) => {
    const remove = (db: Db) => removeOldEvents(db, removedAtOnce);
    while ((await step(remove)) === removedAtOnce);
  },
});
