import type { Message } from "@purser/contract/messages/message";
import type { SentType, WebhookEndpoint } from "@purser/contract/workspace/webhooks";
import { message } from "#platform/messages.ts";

type Refusal = { code: "wrong_state"; detail: Message };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before the next attempt after each failure. A delivery is given up after about three days. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
];

/** An endpoint that has failed for this long is disabled when a delivery is given up. */
const disableAfterMs = 48 * hour;

const endpointsMax = 50;

/** When to try again after this many failures, or null to give up. */
export const nextAttempt = (failures: number, now: Date, delaysMs = retryDelaysMs) => {
  const delay = delaysMs[failures - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay);
};

type Failure = { status: number | null; isFailed: boolean; failingSince: Date | null };

/** Why an endpoint is disabled after a failure, or null. */
export const reasonToDisable = ({ status, isFailed, failingSince }: Failure, now: Date) => {
  if (status === 410) return "The endpoint returned 410 Gone.";
  const failedMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  if (isFailed && failedMs >= disableAfterMs)
    return `All deliveries failed for ${Math.floor(failedMs / hour)} hours.`;
  return null;
};

/** Why no endpoint can be added, or null. */
export const refusalToAdd = (endpoints: number): Refusal | null =>
  endpoints >= endpointsMax
    ? {
        code: "wrong_state",
        detail: message(
          "webhook_endpoints_limit",
          "You can have up to {limit} endpoints. Delete one first.",
          { limit: endpointsMax },
        ),
      }
    : null;

/** Why nothing can be sent to an endpoint, or null. */
export const refusalToSend = ({ status }: Pick<WebhookEndpoint, "status">): Refusal | null =>
  status === "disabled"
    ? {
        code: "wrong_state",
        detail: message(
          "webhook_endpoint_disabled",
          "This endpoint is disabled. Enable it to send events.",
        ),
      }
    : null;

const alreadyMessages = {
  active: message("webhook_endpoint_already_enabled", "This endpoint is already enabled."),
  disabled: message("webhook_endpoint_already_disabled", "This endpoint is already disabled."),
} satisfies Record<WebhookEndpoint["status"], Message>;

export const refusalToSwitch = (
  { status }: Pick<WebhookEndpoint, "status">,
  next: WebhookEndpoint["status"],
): Refusal | null =>
  status === next ? { code: "wrong_state", detail: alreadyMessages[next] } : null;

type Event = {
  type: SentType;
  createdAt: Date;
  userId: string | null;
  externalId: string | null;
  seq: number;
  data: Record<string, unknown>;
};

/** The request body. It must be identical for every attempt of an event. */
export const payloadOf = (
  { type, createdAt, userId, externalId, seq, data }: Event,
  isTest = false,
) =>
  JSON.stringify({
    type,
    ...(isTest && { test: true }),
    timestamp: createdAt.toISOString(),
    data: { ...(userId && { user: { id: userId, externalId }, sequence: seq }), ...data },
  });
