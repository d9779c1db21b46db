import { z } from "zod";
import type { Permission } from "../auth/permissions.ts";
import { type EntityName, entityNames } from "../entities.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

/** A record changed. Open screens reload it, so the event has no data of the record. */
export const change = z
  .object({
    entity: plain,
    /** Null if too many rows changed at once. */
    id: plain.nullable(),
    action: z.enum(["insert", "update", "delete"]),
    /** Whether the receiver made the change, also in another tab or by a job. */
    own: z.boolean().optional(),
  })
  .meta({ id: "Change" });
export type Change = z.output<typeof change>;

/** The permission that is required to receive an entity's changes; others are not sent. */
export const readableWith: Record<string, Permission | undefined> = {
  ...(Object.fromEntries(entityNames.map((name) => [name, `${name}:read`])) as Record<
    EntityName,
    `${EntityName}:read`
  >),
  app_keys: "apps:read",
  service_accounts: "service-accounts:write",
  service_keys: "service-accounts:write",
  package_versions: "packages:read",
  rollouts: "packages:read",
  subscriptions: "users:read",
  webhook_endpoints: "webhooks:read",
  imports: "imports:write",
  settings: "settings:read",
  // The event only says that there is something; its content has its own permission.
  approvals: "users:read",
  attention_marks: "users:read",
  grants: "users:read",
  usage_corrections: "users:read",
  user_notes: "users:read",
};

export const streamEvents = endpoint({
  method: "GET",
  path: "/events",
  summary: "Stream changes as server-sent events",
  permission: "signed in",
  query: z.object({
    /** Also the changes after this position: that of a session, or the ID of an event. */
    since: plain.optional(),
  }),
  reply: change,
  stream: true,
});
