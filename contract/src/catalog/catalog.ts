import { z } from "zod";
import { catalogApp } from "../apps/fields.ts";
import { catalogFeature } from "../features/fields.ts";
import { id } from "../fields/primitives.ts";
import { fileText, plain, reason, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { message } from "../messages/schema.ts";
import { catalogPackage } from "../packages/fields.ts";

const withoutRepeats = (list: { code: string }[], context: z.RefinementCtx) => {
  const seen = new Set<string>();
  for (const [place, { code }] of list.entries()) {
    if (seen.has(code))
      context.addIssue({
        code: "custom",
        path: [place, "code"],
        message: rule("code_repeated", "This code appears twice."),
      });
    seen.add(code);
  }
};

const app = catalogApp.extend({
  features: z.array(catalogFeature).max(5000).superRefine(withoutRepeats).default([]),
});

/** The limits of a catalog file. A larger catalog can't be exported or compared. */
export const catalogMax = { apps: 2000, features: 10_000, packages: 2000 };

/** The catalog as a file. Records are identified by code, because ids differ between workspaces. */
export const catalog = z.strictObject({
  version: z.literal(1),
  apps: z.array(app).max(catalogMax.apps).superRefine(withoutRepeats).default([]),
  packages: z
    .array(catalogPackage)
    .max(catalogMax.packages)
    .superRefine(withoutRepeats)
    .default([]),
});
export type Catalog = z.output<typeof catalog>;
export type CatalogApp = Catalog["apps"][number];
export type CatalogFeature = CatalogApp["features"][number];
export type CatalogPackage = Catalog["packages"][number];

export const catalogFormats = ["yaml", "json"] as const;
export type CatalogFormat = (typeof catalogFormats)[number];

export const catalogTextMax = 1_000_000;

export const exportCatalog = endpoint({
  method: "GET",
  path: "/catalog",
  summary: "Export the catalog as YAML or JSON",
  permission: "packages:export",
  proof: "recent",
  query: z.strictObject({ format: z.enum(catalogFormats).default("yaml") }),
  reply: plain,
  file: true,
  refusals: ["too_large"],
});

export const catalogActions = ["create", "change", "activate", "restore", "archive"] as const;
export type CatalogAction = (typeof catalogActions)[number];
export const catalogEntities = ["app", "feature", "package"] as const;
export type CatalogEntity = (typeof catalogEntities)[number];

const change = z.object({
  action: z.enum(catalogActions),
  what: z.enum(catalogEntities),
  /** A feature's code follows its app's: "harbor/seats". */
  code: plain,
  name: plain,
  changes: z.array(z.object({ field: plain, before: z.unknown(), after: z.unknown() })),
  note: message.nullable(),
});
export type CatalogChange = z.output<typeof change>;

const blockingIssue = z.object({
  what: z.enum(catalogEntities),
  code: plain,
  message,
  /** JSON pointer into the file; null for a record that is not in it. */
  pointer: plain.nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
});
export type CatalogBlockingIssue = z.output<typeof blockingIssue>;

/** The changes that applying the file would make now. */
export const catalogDiff = z
  .object({
    changes: z.array(change),
    counts: z.object({
      create: z.int(),
      change: z.int(),
      activate: z.int(),
      restore: z.int(),
      archive: z.int(),
    }),
    /** Blocking issues. While there is one, nothing is applied. */
    blockingIssues: z.array(blockingIssue),
    /** Differences that are not applied. */
    notes: z.array(message),
    /** Identifies these changes; sent when applying them. */
    hash: plain,
  })
  .meta({ id: "CatalogDiff" });
export type CatalogDiff = z.output<typeof catalogDiff>;

const given = {
  /** The text of the file, YAML or JSON. */
  source: fileText(catalogTextMax),
  /** Archive records that are not in the file. */
  archiveMissing: z.boolean().default(false),
};

export const diffCatalog = endpoint({
  method: "POST",
  path: "/catalog/diff",
  summary: "Preview the changes of a catalog file",
  permission: "packages:read",
  body: z.strictObject(given),
  reply: catalogDiff,
  keyed: false,
  bodyKbMax: 2048,
});

export const applyCatalog = endpoint({
  method: "POST",
  path: "/catalog/apply",
  summary: "Apply a catalog file without publishing",
  permission: "packages:write",
  body: z.strictObject({
    ...given,
    /** The hash of the changes that the user saw. */
    hash: token(/^[0-9a-f]{32}$/, rule("diff_hash_invalid", "Send the hash from the preview.")),
    reason: reason.optional(),
  }),
  reply: z.object({
    applied: catalogDiff,
    /** The result in one sentence. */
    detail: message,
    /** The packages with changed drafts that can be published. */
    drafts: z.array(z.object({ id, code: plain, name: plain, number: z.int() })),
  }),
  bodyKbMax: 2048,
  refusals: ["wrong_state", "impact_changed", "taken"],
});
