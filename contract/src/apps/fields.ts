import { z } from "zod";
import { commonFields } from "../fields/commonFields.ts";
import { noRepeats } from "../fields/commonRules.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
  writeNamesOf,
  writeShape,
} from "../fields/declarations.ts";
import { instant } from "../fields/primitives.ts";
import { email, icon, plain, reason, text } from "../fields/text.ts";
import { rule } from "../messages/rules.ts";

export const platforms = ["web", "ios", "android", "desktop", "api"] as const;
const platform = z.enum(platforms);

export const appStatuses = ["draft", "active", "archived"] as const;
export const appStatus = z.enum(appStatuses);
export type AppStatus = z.output<typeof appStatus>;

const isPlainLink = (address: string) => {
  if (!(/^https:\/\//.test(address) && URL.canParse(address))) return false;
  const { username, password } = new URL(address);
  return username === "" && password === "";
};

/** Shown as a link, so other schemes and credentials are refused. */
const website = text({ min: 1, max: 200 }).refine(
  isPlainLink,
  rule("website_invalid", "Enter a URL that starts with https://, without a username or password."),
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
      .refine((chosen) => new Set(chosen).size === chosen.length, noRepeats)
      .meta({ uniqueItems: true })
      .default([]),
    read: z.array(platform),
    list: { kind: "set", options: platforms },
  },
  icon: { label: "Icon", write: icon.default("apps"), read: plain },
  supportEmail: {
    label: "Support email",
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
  /** Other systems use the code once the app was active or had a key. */
  codeFrozen: { label: "Code locked", read: z.boolean(), export: false },
  /** Keys that are neither revoked nor expired. */
  keys: { label: "Keys", read: z.int() },
  activatedAt: { label: "Activated" },
  /** Customers have no access from then on, whatever their grants are. Null unless it is suspended. */
  suspendedAt: { label: "Suspended", read: instant.nullable() },
  isSuspended: { label: "Suspended", list: { kind: "boolean" } },
  version: commonFields.version,
  createdAt: commonFields.createdAt,
  updatedAt: commonFields.updatedAt,
});

export const appListFields = listFieldsOf(appFields);
export const appColumns = exportColumnsOf(appFields);
export const appLabels = historyLabelsOf(appFields);
export const appWritable = writeNamesOf(appFields);

const details = z.strictObject(writeShape(appFields));

export const appDetails = details.extend({ reason: reason.optional() });
export type AppDetails = z.output<typeof details>;

/** An app in the catalog file, with its code first. */
export const catalogApp = details
  .pick({ code: true })
  .extend({ ...details.shape, status: appStatus.default("draft") });

export const app = z.object(readShape(appFields)).meta({ id: "App" });
export type App = z.output<typeof app>;
