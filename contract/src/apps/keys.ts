import { z } from "zod";
import { noRepeats } from "../fields/commonRules.ts";
import { id, instant, nothing, record } from "../fields/primitives.ts";
import { plain, reason, text } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { appStatus } from "./fields.ts";

export const keyKinds = ["server", "publishable"] as const;
export const keyScopes = ["entitlements:read", "usage:write"] as const;

const keyDetails = z
  .strictObject({
    name: text({ min: 1, max: 120 }),
    kind: z.enum(keyKinds),
    scopes: z
      .array(z.enum(keyScopes))
      .min(1)
      .max(keyScopes.length)
      .refine((chosen) => new Set(chosen).size === chosen.length, noRepeats)
      .meta({ uniqueItems: true }),
    expiresAt: instant.nullable().default(null),
    reason: reason.optional(),
  })
  .refine(({ kind, scopes }) => kind === "server" || !scopes.includes("usage:write"), {
    path: ["scopes"],
    error: rule(
      "publishable_key_scopes",
      "Publishable keys are public, so they can only read entitlements.",
    ),
  });
export type KeyDetails = z.output<typeof keyDetails>;

const appKey = z
  .object({
    id,
    name: plain,
    kind: z.enum(keyKinds),
    scopes: z.array(z.enum(keyScopes)),
    /** The start of the secret, to recognize the key. */
    prefix: plain,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: "AppKey" });

export const listAppKeys = endpoint({
  method: "GET",
  path: "/apps/:id/keys",
  summary: "List an app's API keys",
  permission: "apps:read",
  params: record,
  reply: z.object({ items: z.array(appKey) }),
});

export const createAppKey = endpoint({
  method: "POST",
  path: "/apps/:id/keys",
  summary: "Create an API key and return its secret once",
  permission: "apps:keys",
  params: record,
  body: keyDetails,
  reply: appKey.extend({ secret: plain }).meta({ id: "AppKeyWithSecret" }),
  status: 201,
});

export const revokeAppKey = endpoint({
  method: "POST",
  path: "/apps/:id/keys/:keyId/revoke",
  summary: "Revoke an API key",
  permission: "apps:keys",
  params: record.extend({ keyId: id }),
  body: actionBody,
  reply: appKey,
  refusals: ["wrong_state"],
});

export const getCallingApp = endpoint({
  method: "GET",
  path: "/calling-app",
  summary: "Retrieve the app and key that make the request",
  permission: "app key",
  query: nothing,
  reply: z.object({
    app: z.object({
      id,
      code: plain,
      name: plain,
      status: appStatus,
      suspendedAt: instant.nullable(),
    }),
    key: z.object({
      id,
      kind: z.enum(keyKinds),
      scopes: z.array(z.enum(keyScopes)),
      expiresAt: instant.nullable(),
    }),
  }),
});
