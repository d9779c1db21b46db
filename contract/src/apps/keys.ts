import { z } from "zod";
import { keyScopes } from "../auth/keyScopes.ts";
import { noRepeats, required } from "../fields/commonRules.ts";
import { id, instant, nothing, record, version } from "../fields/primitives.ts";
import { plain, reason, text, token } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { appStatus } from "./fields.ts";

export const keyKinds = ["server", "publishable"] as const;

const originInvalid = rule(
  "origin_invalid",
  "Enter an origin, such as https://app.example.com, without a path.",
);

/** Without encryption only on the developer's own machine. */
const originFormat =
  /^(https:\/\/[a-z0-9.-]{1,253}|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/;

/** Exactly as browsers send it. */
export const keyOrigin = token(originFormat, originInvalid).refine(
  (value) => !originFormat.test(value) || (URL.canParse(value) && new URL(value).origin === value),
  originInvalid,
);

const originsMax = 20;

const origins = z
  .array(keyOrigin)
  .max(originsMax)
  .refine((listed) => new Set(listed).size === listed.length, noRepeats)
  .meta({ uniqueItems: true });

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
    /** The origins of the web pages that may use a publishable key. */
    origins: origins.default([]),
    expiresAt: instant.nullable().default(null),
    reason: reason.optional(),
  })
  .refine(
    ({ kind, scopes }) =>
      kind === "server" || scopes.every((scope) => scope === "entitlements:read"),
    {
      path: ["scopes"],
      error: rule(
        "publishable_key_scopes",
        "Publishable keys are public, so they can only read entitlements.",
      ),
    },
  )
  .refine(({ kind, origins: listed }) => kind === "server" || listed.length > 0, {
    path: ["origins"],
    error: required,
  })
  .refine(({ kind, origins: listed }) => kind === "publishable" || listed.length === 0, {
    path: ["origins"],
    error: rule("server_key_origins", "Only publishable keys have origins."),
  });
export type KeyDetails = z.output<typeof keyDetails>;

export const appKey = z
  .object({
    id,
    name: plain,
    kind: z.enum(keyKinds),
    scopes: z.array(z.enum(keyScopes)),
    /** The start of the secret, to recognize the key. */
    prefix: plain,
    origins: z.array(plain),
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    version,
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
  proof: "recent",
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
  proof: "recent",
  params: record.extend({ keyId: id }),
  body: actionBody,
  reply: appKey,
  refusals: ["wrong_state"],
});

export const changeKeyOrigins = endpoint({
  method: "PUT",
  path: "/apps/:id/keys/:keyId/origins",
  summary: "Update the origins of a publishable API key",
  permission: "apps:keys",
  proof: "recent",
  params: record.extend({ keyId: id }),
  body: z.strictObject({ origins: origins.min(1, required), reason: reason.optional() }),
  reply: appKey,
  versioned: true,
  refusals: ["wrong_state"],
});

export const getCallingApp = endpoint({
  method: "GET",
  path: "/calling-app",
  summary: "Retrieve the app and key that make the request",
  permission: "app key",
  publishable: true,
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
