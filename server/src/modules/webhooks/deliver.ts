import { openSealed, type SecretKeys, tryToOpen } from "#platform/auth/secrets.ts";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import type { Poller, PollerTools } from "#platform/jobs/pollers.ts";
import { post } from "#platform/outbound/post.ts";
import { locate, type Reach, Unreachable } from "#platform/outbound/targets.ts";
import { type ConfirmedApps, createConfirmedApps } from "./confirmedApps.ts";
import { setEndpointStatus } from "./queries.ts";
import {
  type ClaimedDelivery,
  claimQueues,
  findDue,
  findSender,
  queueEvents,
  releaseQueue,
  type Sender,
  setFailingSince,
} from "./queueQueries.ts";
import { nextAttempt, payloadOf, reasonToDisable, retryDelaysMs } from "./rules.ts";
import { ownerOf, signedHeaders } from "./sign.ts";

type Settings = {
  reach: Reach;
  keys: SecretKeys;
  /** Marks what is sent by test mode. */
  isTest?: boolean;
  retryDelaysMs?: readonly number[];
  /** How long a queue is claimed. Must be longer than an attempt can take. */
  claimMs?: number;
};

type Delivering = Settings & { confirmApps: ConfirmedApps };

const timeoutMs = 5000;
const queuesAtOnce = 20;

type Result = { status: number | null; error: string | null; answer: string | null };

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";

const failureOf = (error: unknown, signal: AbortSignal) => {
  if (error instanceof Unreachable || error instanceof Problem) return error.message;
  if (signal.aborted) return `No response within ${timeoutMs / 1000} seconds.`;
  return `The connection failed${codeOf(error)}.`;
};

const errorOf = (status: number) => {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The endpoint returned ${status}. Redirects aren't followed.`
    : `The endpoint returned ${status}.`;
};

const until = <T>(signal: AbortSignal, work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    ),
  ]);

/** A previous secret that can't be read any more is left out, so that a new one repairs the endpoint. */
const secretsOf = ({ id, secret, previousSecret }: Sender, keys: SecretKeys) => {
  const current = openSealed(keys, secret, ownerOf(id));
  const previous = previousSecret && tryToOpen(keys, previousSecret, ownerOf(id));
  return previous ? [current, previous] : [current];
};

const send = async (
  sender: Sender,
  delivery: ClaimedDelivery,
  { reach, keys, isTest = false }: Settings,
): Promise<Result> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const body = payloadOf(delivery, isTest);
  const signed = { id: delivery.eventId, at: new Date(), body };
  try {
    const headers = {
      "content-type": "application/json",
      "user-agent": "Purser-Webhooks",
      ...(isTest && { "purser-mode": "test" }),
      ...signedHeaders(signed, secretsOf(sender, keys)),
    };
    const target = await until(signal, locate(sender.url, reach));
    const { status, text } = await post(target, { headers, body, signal });
    return { status, error: errorOf(status), answer: text };
  } catch (error) {
    return { status: null, error: failureOf(error, signal), answer: null };
  }
};

/** Stores the result, and disables the endpoint if necessary. */
const settle = async (
  { db, step, now }: PollerTools,
  {
    sender,
    delivery,
    result,
    ms,
    settings,
  }: {
    sender: Sender;
    delivery: ClaimedDelivery;
    result: Result;
    ms: number;
    settings: Delivering;
  },
) => {
  const { confirmApps, retryDelaysMs: delaysMs = retryDelaysMs } = settings;
  const at = now();
  const { status, error, answer } = result;
  const retryAt = error === null ? at : nextAttempt(delivery.attempts + 1, at, delaysMs);
  const state = error === null ? "delivered" : retryAt ? "waiting" : "failed";
  const attempt = { at: at.toISOString(), status, error, ms };
  const endpointId = sender.id;
  const stored = {
    endpointId,
    claimed: delivery,
    attempt,
    answer,
    state,
    nextAt: retryAt ?? at,
  } as const;
  if (!(await releaseQueue(db, stored))) return;
  if (error === null) {
    if (sender.failingSince) await setFailingSince(db, endpointId, null);
    await confirmApps(db, delivery.data, at);
    return;
  }
  const failingSince = sender.failingSince ?? at;
  if (!sender.failingSince) await setFailingSince(db, endpointId, at);
  const because = reasonToDisable({ status, isFailed: state === "failed", failingSince }, at);
  if (because)
    await step((transaction) =>
      setEndpointStatus(transaction, endpointId, { status: "disabled", because }),
    );
};

const sendOne = async (
  tools: PollerTools,
  settings: Delivering,
  sender: Sender,
  delivery: ClaimedDelivery,
) => {
  const begun = performance.now();
  const result = await send(sender, delivery, settings);
  const ms = Math.round(performance.now() - begun);
  await settle(tools, { sender, delivery, result, ms, settings });
};

/** Sends to one endpoint until nothing is due. */
const drain = async (tools: PollerTools, settings: Delivering, endpointId: string) => {
  const { db, now, stopping } = tools;
  while (!stopping.aborted) {
    const at = now();
    const sender = await findSender(db, endpointId, at);
    if (!sender) return;
    const until = new Date(at.getTime() + (settings.claimMs ?? 3 * timeoutMs));
    const claimed = await claimQueues(db, { endpointId, queues: queuesAtOnce, now: at, until });
    if (claimed.length === 0) return;
    // If this process was paused, another worker may have claimed the queues.
    if (now() > new Date(until.getTime() - timeoutMs)) return;
    await Promise.all(claimed.map((one) => sendOne(tools, settings, sender, one)));
  }
};

/** The endpoints with a delivery that is due, after all events are queued. */
const findDueEndpoints = async (db: Db, now: () => Date) => {
  const { hasEvents, endpoints } = await findDue(db, now());
  if (!hasEvents) return endpoints;
  while (await queueEvents(db, now()));
  return (await findDue(db, now())).endpoints;
};

/** Sends events to all endpoints, independently of each other, so that a slow one doesn't delay the rest. */
export const deliverWebhooks = (settings: Settings): Poller => {
  const busy = new Map<string, Promise<void>>();
  const delivering = { ...settings, confirmApps: createConfirmedApps() };
  return {
    name: "deliver-webhooks",
    everyMs: 1000,
    turn: async (tools) => {
      const { db, now, log } = tools;
      for (const id of await findDueEndpoints(db, now)) {
        if (busy.has(id)) continue;
        const sending = drain(tools, delivering, id)
          .catch((error) => log.error({ err: error, endpoint: id }, "webhooks not sent"))
          .finally(() => busy.delete(id));
        busy.set(id, sending);
      }
    },
    settle: async () => {
      await Promise.all(busy.values());
    },
  };
};
