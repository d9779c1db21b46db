import { z } from "zod";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

/** Whose entitlements may have changed, so that an app requests new answers. */
export const entitlementChanges = z
  .object({
    /** The IDs and external IDs of these customers, or "all" if many may be affected. */
    customers: z.union([z.array(plain), z.literal("all")]),
  })
  .meta({ id: "EntitlementChanges" });
export type EntitlementChanges = z.output<typeof entitlementChanges>;

export const streamChanges = endpoint({
  method: "GET",
  path: "/changes",
  summary: "Stream which customers' entitlements may have changed, as server-sent events",
  permission: "app key",
  reply: entitlementChanges,
  stream: true,
});
