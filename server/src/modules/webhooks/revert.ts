import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  webhookEndpoint,
} from "@purser/contract/workspace/webhooks";
import type { Reverting } from "#platform/audit/revert.ts";
import type { RevertAdvice } from "#platform/audit/revertAdvice.ts";
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
    detail: "Enable, disable or create it anew among the webhooks.",
    label: "Open the webhooks",
    pathOf: () => "/webhook",
  },
};
