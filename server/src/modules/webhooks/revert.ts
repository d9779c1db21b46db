import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  webhookEndpoint,
} from "@purser/contract/workspace/webhooks";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
import { message } from "#platform/messages.ts";
import { findEndpoint } from "./queries.ts";

export const revertingEndpoints: Reverting = {
  entity: "webhook_endpoints",
  find: findEndpoint,
  reply: webhookEndpoint,
  change: changeWebhookEndpoint,
  remove: deleteWebhookEndpoint,
};

export const webhookRevertAdvice: RevertAdvice = {
  webhook_endpoints: {
    detail: message(
      "revert_webhook_endpoint",
      "This change can't be reverted here. Enable, disable or recreate the endpoint instead.",
    ),
    label: message("open_webhooks", "Open webhooks"),
    pathOf: () => "/webhook",
  },
};
