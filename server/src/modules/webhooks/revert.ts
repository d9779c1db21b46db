import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  webhookEndpoint,
} from "@purser/contract/workspace/webhooks";
import type { Reverting } from "#platform/audit/revert.ts";
import { findEndpoint } from "./queries.ts";

export const revertingEndpoints: Reverting = {
  entity: "webhook_endpoints",
  find: findEndpoint,
  reply: webhookEndpoint,
  change: changeWebhookEndpoint,
  remove: deleteWebhookEndpoint,
};
