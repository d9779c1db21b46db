import { z } from "zod";
import { cataloguedApp } from "../apps/fields.ts";
import { cataloguedFeature } from "../features/fields.ts";
import { id } from "../fields/primitives.ts";
import { fileText, plain, reason, token } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { cataloguedPackage } from "../packages/fields.ts";

const withoutRepeats = (list: { code: string }[], context: z.RefinementCtx) => {
  const seen = new Set<string>();
  for (const [place, { code }] of list.entries()) {
    if (seen.has(code))
      context.addIssue({ code: "custom", path: [place, "code"], message: "stands here twice" });
    seen.add(code);
  }
};

const app = cataloguedApp.extend({
  features: z.array(cataloguedFeature).max(5000).superRefine(withoutRepeats).default([]),
});

/** More than anyone reviews in a file. A workspace with more can't be exported or compared. */
export const catalogueMax = { apps: 2000, features: 10_000, packages: 2000 };

/** The catalog as a file. Records are identified by code, because ids differ between workspaces. */
export const catalogue = z.strictObject({
  version: z.literal(1),
  apps: z.array(app).max(catalogueMax.apps).superRefine(withoutRepeats).default([]),
  packages: z
    .array(cataloguedPackage)
    .max(catalogueMax.packages)
    .superRefine(withoutRepeats)
    .default([]),
});
export type Catalogue = z.output<typeof catalogue>;
export type CataloguedApp = Catalogue["apps"][number];
export type CataloguedFeature = CataloguedApp["features"][number];
export type CataloguedPackage = Catalogue["packages"][number];

export const catalogueFormats = ["yaml", "json"] as const;
export type CatalogueFormat = (typeof catalogueFormats)[number];

export const catalogueTextMax = 1_000_000;

export const exportCatalogue = endpoint({
  method: "GET",
  path: "/catalogue",
  summary: "Take the whole catalogue away as a file that can be reviewed and applied elsewhere",
  permission: "packages:read",
  query: z.strictObject({ format: z.enum(catalogueFormats).default("yaml") }),
  reply: plain,
  file: true,
  refusals: ["too_large"],
});

export const catalogueActions = ["create", "change", "activate", "restore", "archive"] as const;
export type CatalogueAction = (typeof catalogueActions)[number];
export const catalogued = ["app", "feature", "package"] as const;
export type Catalogued = (typeof catalogued)[number];

const change = z.object({
  action: z.enum(catalogueActions),
  what: z.enum(catalogued),
  /** A feature's code follows its app's: "harbor/seats". */
  code: plain,
  name: plain,
  changes: z.array(z.object({ field: plain, before: z.unknown(), after: z.unknown() })),
  note: plain.nullable(),
});
export type CatalogueChange = z.output<typeof change>;

const obstacle = z.object({
  what: z.enum(catalogued),
  code: plain,
  message: plain,
  /** JSON pointer into the file; null for a record that is not in it. */
  pointer: plain.nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
});
export type CatalogueObstacle = z.output<typeof obstacle>;

/** The changes that applying the file would make now. */
export const catalogueDiff = z
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
    obstacles: z.array(obstacle),
    /** Differences that are not applied. */
    notes: z.array(plain),
    /** Identifies these changes; sent when applying them. */
    hash: plain,
  })
  .meta({ id: "CatalogueDiff" });
export type CatalogueDiff = z.output<typeof catalogueDiff>;

const given = {
  /** The text of the file, YAML or JSON. */
  source: fileText(catalogueTextMax),
  /** Archive records that are not in the file. */
  archiveMissing: z.boolean().default(false),
};

export const diffCatalogue = endpoint({
  method: "POST",
  path: "/catalogue/diff",
  summary: "Say what applying a file would change; nothing is stored",
  permission: "packages:read",
  body: z.strictObject(given),
  reply: catalogueDiff,
  keyed: false,
  bodyKbMax: 2048,
});

export const applyCatalogue = endpoint({
  method: "POST",
  path: "/catalogue/apply",
  summary: "Apply a file, bound to the difference that was shown; nothing is published",
  permission: "packages:write",
  body: z.strictObject({
    ...given,
    /** The hash of the changes that the user saw. */
    hash: token(/^[0-9a-f]{32}$/, "must be the hash of a difference"),
    reason: reason.optional(),
  }),
  reply: z.object({
    applied: catalogueDiff,
    /** The result in one sentence. */
    detail: plain,
    /** The packages with changed drafts that can be published. */
    drafts: z.array(z.object({ id, code: plain, name: plain, number: z.int() })),
  }),
  bodyKbMax: 2048,
  refusals: ["wrong_state", "impact_changed", "taken"],
});
