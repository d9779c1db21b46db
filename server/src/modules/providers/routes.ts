import {
  getProviderEvent,
  listProviderEvents,
  receiveProviderEvent,
  retryProviderEvent,
} from "@purser/contract/transactions/providerEvents";
import { listProviders } from "@purser/contract/transactions/providers";
import type { FastifyInstance } from "fastify";
import { existing, refuse } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import type { SettleJob } from "./jobs.ts";
import type { Provider } from "./provider.ts";
import {
  findProviderEvent,
  findProviderEvents,
  insertProviderEvent,
  lockProviderEvent,
} from "./queries.ts";
import { refusalToRetry } from "./rules.ts";
import { refusedSignature } from "./standardWebhooks.ts";
import { findProviderStates } from "./stateQueries.ts";

export const providerRoutes = (
  app: FastifyInstance,
  providers: readonly Provider[],
  settle: SettleJob,
) => {
  const { queues } = app.platform;

  // Only stores the event. A job applies it, because providers give up on slow answers.
  serveInSteps(app, receiveProviderEvent, async ({ params, request, now, change }) => {
    const provider = providers.find(({ name }) => name === params.provider);
    if (!provider || !request.signed) throw refusedSignature();
    const { eventId, type, at } = provider.verify(request.signed, request.headers);
    const body = request.signed.toString("utf8");
    const notification = provider.notificationOf(body);
    const event = {
      provider: provider.name,
      eventId,
      type,
      payment: notification?.payment ?? null,
      at,
      body,
    };
    const actor = { kind: "system" as const, id: null, name: provider.name };
    return change(async (db) => {
      const outcome = notification ? "waiting" : "ignored";
      const id = await insertProviderEvent(db, { ...event, outcome }, now);
      if (id && notification) await queues.enqueueIn(db)(settle, { id });
      return { isNew: id !== undefined };
    }, actor);
  });

  serve(app, listProviderEvents, async ({ db, query }) => ({
    items: await findProviderEvents(db, query.outcome),
  }));

  const configured = providers.map(({ name }) => name);
  serve(app, listProviders, async ({ db }) => ({
    items: await findProviderStates(db, configured),
  }));

  serve(app, getProviderEvent, async ({ db, params: { id } }) =>
    existing(await findProviderEvent(db, id), "providerEvent"),
  );

  serve(app, retryProviderEvent, async ({ db, params: { id }, enqueue }) => {
    const event = existing(await lockProviderEvent(db, id), "providerEvent");
    refuse(refusalToRetry(event));
    await enqueue(settle, { id });
    return event;
  });
};
