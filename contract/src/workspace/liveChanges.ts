import { z } from "zod";
import type { Permission } from "../auth/permissions.ts";
import { type EntityName, entityNames } from "../entities.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

/** Something was saved. Whoever shows it reads it again; the event carries no data of the record. */
export const change = z
  .object({
    entity: plain,
    /** Null when more rows changed at once than are worth naming. */
    id: plain.nullable(),
    action: z.enum(["insert", "update", "delete"]),
  })
  .meta({ id: "Change" });
export type Change = z.output<typeof change>;

/** The permission that lets somebody know of changes to an entity; of others nobody is told. */
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
  // That something waits is no secret; what it is, only those read whom it concerns.
  approvals: "users:read",
  rights: "users:read",
};

export const streamEvents = endpoint({
  method: "GET",
  path: "/events",
  summary: "Follow changes by everybody, as server-sent events named `change`",
  permission: "signed in",
  reply: change,
  stream: true,
});
