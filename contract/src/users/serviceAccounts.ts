import { z } from "zod";
import { type Permission, permissions, roles } from "../auth/permissions.ts";
import { noRepeats } from "../fields/commonRules.ts";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";

/** Every role except owner, because owners decide who belongs to the team and how the workspace is protected. */
export const serviceRoles = roles.filter((role) => role !== "owner");

const permissionNames = Object.keys(permissions) as [Permission, ...Permission[]];

/** More keys than two are needed only while several backends change theirs. */
export const validKeysMax = 5;
export const serviceAccountsMax = 100;

export const keyDaysMax = 366;
export const overlapHoursMax = 168;

const name = text({ min: 1, max: 120 });

const serviceAccountDetails = z.strictObject({
  name,
  role: z.enum(serviceRoles),
  /** Only these permissions of the role. Null for all of them. */
  permissions: z
    .array(z.enum(permissionNames))
    .min(1, rule("permissions_none", "Choose at least one permission."))
    .max(permissionNames.length)
    .refine((chosen) => new Set(chosen).size === chosen.length, noRepeats)
    .nullable()
    .default(null)
    .meta({ uniqueItems: true }),
  reason: reason.optional(),
});
export type ServiceAccountDetails = Omit<z.output<typeof serviceAccountDetails>, "reason">;

export const serviceKey = z
  .object({
    id,
    name: plain,
    /** The start of the secret, to recognize the key. */
    prefix: plain,
    expiresAt: instant,
    revokedAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: "ServiceKey" });

export const serviceAccount = z
  .object({
    id,
    name: plain,
    role: z.enum(roles),
    permissions: z.array(z.enum(permissionNames)).nullable(),
    status: z.enum(["active", "suspended"]),
    /** Valid keys first, then the newest of the others. */
    keys: z.array(serviceKey),
    version,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "ServiceAccount" });
export type ServiceAccount = z.output<typeof serviceAccount>;

const keyWithSecret = serviceKey.extend({ secret: plain }).meta({ id: "ServiceKeyWithSecret" });

export const listServiceAccounts = endpoint({
  method: "GET",
  path: "/service-accounts",
  summary: "List service accounts with their keys",
  permission: "service-accounts:write",
  reply: z.object({ items: z.array(serviceAccount) }),
});

export const createServiceAccount = endpoint({
  method: "POST",
  path: "/service-accounts",
  summary: "Create a service account",
  permission: "service-accounts:write",
  proof: "recent",
  body: serviceAccountDetails,
  reply: serviceAccount,
  status: 201,
  refusals: ["wrong_state"],
});

export const changeServiceAccount = endpoint({
  method: "PUT",
  path: "/service-accounts/:id",
  summary: "Update a service account",
  permission: "service-accounts:write",
  proof: "recent",
  params: record,
  body: serviceAccountDetails,
  reply: serviceAccount,
  versioned: true,
});

/** Without a recent proof, so that a leaked key can be stopped as fast as possible. */
export const suspendServiceAccount = endpoint({
  method: "POST",
  path: "/service-accounts/:id/suspend",
  summary: "Suspend a service account and refuse its keys",
  permission: "service-accounts:write",
  serviceAccounts: false,
  params: record,
  body: actionBody,
  reply: serviceAccount,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restoreServiceAccount = endpoint({
  method: "POST",
  path: "/service-accounts/:id/restore",
  summary: "Reactivate a service account",
  permission: "service-accounts:write",
  proof: "recent",
  params: record,
  body: actionBody,
  reply: serviceAccount,
  versioned: true,
  refusals: ["wrong_state"],
});

export const createServiceKey = endpoint({
  method: "POST",
  path: "/service-accounts/:id/keys",
  summary: "Create a key of a service account and return its secret once",
  permission: "service-accounts:write",
  proof: "recent",
  params: record,
  body: z.strictObject({
    name,
    /** In how many days the key expires. */
    days: z.int().min(1).max(keyDaysMax).default(365),
    reason: reason.optional(),
  }),
  reply: keyWithSecret,
  status: 201,
  refusals: ["wrong_state"],
});

export const rotateServiceKey = endpoint({
  method: "POST",
  path: "/service-accounts/:id/keys/:keyId/rotate",
  summary: "Create the successor of a key and let the key expire",
  permission: "service-accounts:write",
  proof: "recent",
  params: record.extend({ keyId: id }),
  body: z.strictObject({
    /** How long the replaced key still works. */
    overlapHours: z.int().min(0).max(overlapHoursMax).default(24),
    days: z.int().min(1).max(keyDaysMax).default(365),
    reason: reason.optional(),
  }),
  reply: keyWithSecret,
  status: 201,
  refusals: ["wrong_state"],
});

/** Without a recent proof, so that a leaked key can be stopped as fast as possible. */
export const revokeServiceKey = endpoint({
  method: "POST",
  path: "/service-accounts/:id/keys/:keyId/revoke",
  summary: "Revoke a key of a service account",
  permission: "service-accounts:write",
  serviceAccounts: false,
  params: record.extend({ keyId: id }),
  body: actionBody,
  reply: serviceKey,
  refusals: ["wrong_state"],
});
