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
  package_versions: "packages:read",
  rollouts: "packages:read",
  subscriptions: "users:read",
  webhook_endpoints: "webhooks:read",
  settings: "settings:read",
  // The event only says that something waits; its content has its own permission.
  approvals: "users:read",
  grants: "users:read",
};

export const streamEvents = endpoint({
  method: "GET",
  path: "/events",
  summary: "Stream changes as server-sent events",
  permission: "signed in",
  reply: change,
  stream: true,
});
