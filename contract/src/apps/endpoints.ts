import { z } from "zod";
import { id, instant, nothing, record, version } from "../fields/primitives.ts";
import { commonFields } from "../fields/commonFields.ts";
import { endpoint } from "../http/endpoint.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
  writeNamesOf,
  writeShape,
} from "../fields/declarations.ts";
import { exportQuery, listQuery, pageOf, total } from "../http/list.ts";
import { email, icon, plain, reason, text } from "../fields/text.ts";

export const platforms = ["web", "ios", "android", "desktop", "api"] as const;
const platform = z.enum(platforms);

export const appStatuses = ["draft", "active", "archived"] as const;
const appStatus = z.enum(appStatuses);
export type AppStatus = z.output<typeof appStatus>;

const isPlainLink = (address: string) => {
  if (!(/^https:\/\//.test(address) && URL.canParse(address))) return false;
  const { username, password } = new URL(address);
  return username === "" && password === "";
};

/** Shown as a link to open, so other schemes and credentials are refused. */
const website = text({ min: 1, max: 200 }).refine(
  isPlainLink,
  "must start with https:// and have no user name or password",
);

export const appFields = fields({
  id: commonFields.id,
  name: commonFields.name,
  code: commonFields.code,
  status: {
    label: "Status",
    read: appStatus,
    list: { kind: "choice", options: appStatuses, sort: true },
  },
  description: commonFields.description,
  platforms: {
    label: "Platforms",
    write: z
      .array(platform)
      .max(platforms.length)
      .refine((chosen) => new Set(chosen).size === chosen.length, "must not name a platform twice")
      .meta({ uniqueItems: true })
      .default([]),
    read: z.array(platform),
    list: { kind: "set", options: platforms },
  },
  icon: { label: "Icon", write: icon.default("apps"), read: plain },
  supportEmail: {
    label: "Support mail",
    write: email.nullable().default(null),
    read: plain.nullable(),
    list: { kind: "text", columnWidth: 220 },
    form: { type: "email" },
  },
  website: {
    label: "Website",
    write: website.nullable().default(null),
    read: plain.nullable(),
    list: { kind: "text", columnWidth: 220 },
    form: { type: "url", placeholder: "https://example.com" },
  },
  /** Once an app has been active or has had a key, its code is named elsewhere and stays. */
  codeFrozen: { label: "Code frozen", read: z.boolean(), export: false },
  /** Keys that are neither revoked nor expired. */
  keys: { label: "Keys", read: z.int() },
  activatedAt: { label: "First active" },
  version: commonFields.version,
  createdAt: commonFields.createdAt,
  updatedAt: commonFields.updatedAt,
});

export const appListFields = listFieldsOf(appFields);
export const appColumns = exportColumnsOf(appFields);
export const appLabels = historyLabelsOf(appFields);
export const appWritable = writeNamesOf(appFields);

const details = z.strictObject(writeShape(appFields));

/** What an administrator may write. */
export const appDetails = details.extend({ reason: reason.optional() });
export type AppDetails = z.output<typeof details>;

/** What the catalogue's file says of an app itself, its code first. */
export const cataloguedApp = details
  .pick({ code: true })
  .extend({ ...details.shape, status: appStatus.default("draft") });

/** What everyone may read. */
export const app = z.object(readShape(appFields)).meta({ id: "App" });
export type App = z.output<typeof app>;

const act = z.strictObject({ reason: reason.optional() });

export const listApps = endpoint({
  method: "GET",
  path: "/apps",
  summary: "List apps",
  permission: "apps:read",
  query: listQuery(appListFields),
  reply: pageOf(app),
});

const counted = total.unwrap();

export const countApps = endpoint({
  method: "GET",
  path: "/apps/counts",
  summary: "Count apps by status, each exact up to 10,000",
  permission: "apps:read",
  reply: z.object({ draft: counted, active: counted, archived: counted }),
});

export const exportApps = endpoint({
  method: "GET",
  path: "/apps/export",
  summary: "Take apps away as a file: CSV, or one JSON document per line",
  permission: "apps:read",
  query: exportQuery(appListFields, appColumns),
  reply: plain,
  file: true,
});

const appActs = ["activate", "archive", "restore"] as const;

export const actOnApps = endpoint({
  method: "POST",
  path: "/apps/acts",
  summary: "Do the same to up to 100 apps; those that refuse stay as they are and say why",
  permission: "apps:write",
  body: z.strictObject({
    act: z.enum(appActs),
    apps: z
      .array(z.strictObject({ id, version }))
      .min(1)
      .max(100)
      .refine(
        (chosen) => new Set(chosen.map((one) => one.id)).size === chosen.length,
        "must not name an app twice",
      ),
    reason: reason.optional(),
  }),
  reply: z.object({
    done: z.array(app),
    refused: z.array(z.object({ id, name: plain, code: plain, detail: plain })),
  }),
});

export const getApp = endpoint({
  method: "GET",
  path: "/apps/:id",
  summary: "Read an app",
  permission: "apps:read",
  params: record,
  reply: app,
});

export const createApp = endpoint({
  method: "POST",
  path: "/apps",
  summary: "Create an app as a draft",
  permission: "apps:write",
  body: appDetails,
  reply: app,
  status: 201,
  refusals: ["taken"],
});

export const changeApp = endpoint({
  method: "PUT",
  path: "/apps/:id",
  summary: "Change an app",
  permission: "apps:write",
  params: record,
  body: appDetails,
  reply: app,
  versioned: true,
  refusals: ["taken", "code_frozen", "wrong_state"],
});

export const activateApp = endpoint({
  method: "POST",
  path: "/apps/:id/activate",
  summary: "Make a draft active",
  permission: "apps:write",
  params: record,
  body: act,
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const archiveApp = endpoint({
  method: "POST",
  path: "/apps/:id/archive",
  summary: "Archive an active app; rights already granted go on",
  permission: "apps:write",
  params: record,
  body: act,
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restoreApp = endpoint({
  method: "POST",
  path: "/apps/:id/restore",
  summary: "Make an archived app active again",
  permission: "apps:write",
  params: record,
  body: act,
  reply: app,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deleteApp = endpoint({
  method: "DELETE",
  path: "/apps/:id",
  summary: "Delete a draft that nothing refers to",
  permission: "apps:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});

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
      .refine((chosen) => new Set(chosen).size === chosen.length, "must not name a scope twice")
      .meta({ uniqueItems: true }),
    expiresAt: instant.nullable().default(null),
    reason: reason.optional(),
  })
  .refine(({ kind, scopes }) => kind === "server" || !scopes.includes("usage:write"), {
    path: ["scopes"],
    error: "A publishable key is seen by everybody, so it may only read entitlements.",
  });
export type KeyDetails = z.output<typeof keyDetails>;

const appKey = z
  .object({
    id,
    name: plain,
    kind: z.enum(keyKinds),
    scopes: z.array(z.enum(keyScopes)),
    /** The start of the secret, enough to recognise it and too little to use it. */
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
  summary: "List an app's keys, newest first",
  permission: "apps:read",
  params: record,
  reply: z.object({ items: z.array(appKey) }),
});

export const createAppKey = endpoint({
  method: "POST",
  path: "/apps/:id/keys",
  summary: "Create a key; its secret is in this answer and nowhere else",
  permission: "apps:keys",
  params: record,
  body: keyDetails,
  reply: appKey.extend({ secret: plain }).meta({ id: "AppKeyWithSecret" }),
  status: 201,
  refusals: ["wrong_state"],
});

export const revokeAppKey = endpoint({
  method: "POST",
  path: "/apps/:id/keys/:keyId/revoke",
  summary: "Revoke a key: the next call with it is refused",
  permission: "apps:keys",
  params: record.extend({ keyId: id }),
  body: act,
  reply: appKey,
  refusals: ["wrong_state"],
});

export const getCallingApp = endpoint({
  method: "GET",
  path: "/calling-app",
  summary: "Tell a sold app which app and key it calls with",
  permission: "app key",
  query: nothing,
  reply: z.object({
    app: z.object({ id, code: plain, name: plain, status: appStatus }),
    key: z.object({
      id,
      kind: z.enum(keyKinds),
      scopes: z.array(z.enum(keyScopes)),
      expiresAt: instant.nullable(),
    }),
  }),
});
