import { z } from "zod";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import { id, record, version } from "../fields/primitives.ts";
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
import { code, plain, reason, text } from "../fields/text.ts";
import { combinings, featureKinds, refusalOfValue, resets, value } from "../fields/values.ts";

export const featureStatuses = ["draft", "active", "archived"] as const;
const featureStatus = z.enum(featureStatuses);
export type FeatureStatus = z.output<typeof featureStatus>;

export const enforcements = ["hard", "soft"] as const;
export const fallbacks = ["last known", "allow", "deny"] as const;

const option = z.strictObject({ name: text({ min: 1, max: 60 }), code });

export const featureFields = fields({
  id: commonFields.id,
  name: commonFields.name,
  code: commonFields.code,
  description: commonFields.description,
  app: {
    label: "App",
    column: "appId",
    read: z.object({ id, code: plain, name: plain, icon: plain }),
    list: { kind: "relation" },
  },
  kind: {
    label: "Kind",
    write: z.enum(featureKinds),
    read: z.enum(featureKinds),
    list: { kind: "choice", options: featureKinds },
    revert: false,
  },
  status: {
    label: "Status",
    read: featureStatus,
    list: { kind: "choice", options: featureStatuses, sort: true },
  },
  /** What is counted, one of it and several. */
  unit: {
    label: "Unit",
    write: z
      .strictObject({ one: text({ min: 1, max: 30 }), many: text({ min: 1, max: 30 }) })
      .nullable()
      .default(null),
    read: z.object({ one: plain, many: plain }).nullable(),
    export: false,
    revert: false,
  },
  unitOne: { label: "One of it" },
  unitMany: { label: "Several of it" },
  /** When an allowance is full again; only a metered feature has one. */
  reset: {
    label: "Full again",
    write: z.enum(resets).nullable().default(null),
    read: z.enum(resets).nullable(),
  },
  /** How the values of several grants make one. */
  combining: {
    label: "With several packages",
    write: z.enum(combinings).default("largest"),
    read: z.enum(combinings),
  },
  /** Of a choice, lowest first. */
  options: {
    label: "Options",
    write: z
      .array(option)
      .max(50)
      .refine(
        (options) => new Set(options.map((one) => one.code)).size === options.length,
        "must not have two options with the same code",
      )
      .default([]),
    read: z.array(z.object({ code: plain, name: plain })),
    export: false,
  },
  /** The answer without any grant. */
  defaultValue: { label: "Without a package", write: value, read: value },
  /** Whether an app stops people at the limit, or only tells them. */
  enforcement: {
    label: "Going beyond it",
    write: z.enum(enforcements).default("hard"),
    read: z.enum(enforcements),
  },
  /** What an app should answer while nobody can be asked. */
  fallback: {
    label: "If nobody answers",
    write: z.enum(fallbacks).default("last known"),
    read: z.enum(fallbacks),
  },
  /** A published version uses it: its code, kind, unit, reset, combining and used options stay. */
  frozen: { label: "Frozen", read: z.boolean(), export: false },
  /** The codes of options that a version names, drafts among them: they cannot be taken away. */
  usedOptions: { label: "Used options", read: z.array(plain), export: false },
  /** Packages that have it in their draft or in the version on sale. */
  packages: { label: "In packages", read: z.int() },
  activatedAt: { label: "First active" },
  version: commonFields.version,
  createdAt: commonFields.createdAt,
  updatedAt: commonFields.updatedAt,
});

export const featureListFields = listFieldsOf(featureFields);
export const featureColumns = exportColumnsOf(featureFields);
export const featureLabels = historyLabelsOf(featureFields);
export const featureWritable = writeNamesOf(featureFields);

const details = z.strictObject(writeShape(featureFields));
type Details = z.output<typeof details>;

const complaints = ({ kind, unit, reset, combining, options, defaultValue }: Details) => {
  const isCounted = kind === "limit" || kind === "metered";
  const found: [string, string | null | false][] = [
    ["unit", !isCounted && unit !== null && "belongs to what is counted only"],
    ["reset", kind === "metered" && reset === null && "says when the allowance is full again"],
    ["reset", kind !== "metered" && reset !== null && "belongs to a metered feature only"],
    ["combining", kind === "metered" && combining !== "sum" && "must be the sum"],
    ["combining", !isCounted && combining !== "largest" && "must be the largest"],
    ["options", kind === "choice" && options.length < 2 && "must have at least 2 options"],
    ["options", kind !== "choice" && options.length > 0 && "belong to a choice only"],
    ["defaultValue", refusalOfValue({ kind, options }, defaultValue)],
  ];
  return found.flatMap(([path, message]) => (message ? [{ path: [path], message }] : []));
};

const checkDetails = (given: Details, context: z.RefinementCtx) => {
  for (const complaint of complaints(given)) context.addIssue({ code: "custom", ...complaint });
};

/** What an administrator may write of a feature that there is. It stays with its app. */
export const featureDetails = details
  .extend({ reason: reason.optional() })
  .superRefine(checkDetails);
export type FeatureDetails = Details;

/** What the catalogue's file says of a feature, its code first. */
export const cataloguedFeature = details
  .pick({ code: true })
  .extend({ ...details.shape, status: featureStatus.default("draft") })
  .superRefine(checkDetails);

export const newFeature = details
  .extend({ appId: z.uuid("must be one of your apps"), reason: reason.optional() })
  .superRefine(checkDetails);

/** What everyone may read. */
export const feature = z.object(readShape(featureFields)).meta({ id: "Feature" });
export type Feature = z.output<typeof feature>;

const act = z.strictObject({ reason: reason.optional() });
const counted = total.unwrap();

export const listFeatures = endpoint({
  method: "GET",
  path: "/features",
  summary: "List features",
  permission: "features:read",
  query: listQuery(featureListFields),
  reply: pageOf(feature),
});

export const countFeatures = endpoint({
  method: "GET",
  path: "/features/counts",
  summary: "Count features by status, each exact up to 10,000",
  permission: "features:read",
  reply: z.object({ draft: counted, active: counted, archived: counted }),
});

export const exportFeatures = endpoint({
  method: "GET",
  path: "/features/export",
  summary: "Take features away as a file: CSV, or one JSON document per line",
  permission: "features:read",
  query: exportQuery(featureListFields, featureColumns),
  reply: plain,
  file: true,
});

const featureActs = ["activate", "archive", "restore"] as const;

export const actOnFeatures = endpoint({
  method: "POST",
  path: "/features/acts",
  summary: "Do the same to up to 100 features; those that refuse stay as they are and say why",
  permission: "features:write",
  body: z.strictObject({
    act: z.enum(featureActs),
    features: z
      .array(z.strictObject({ id, version }))
      .min(1)
      .max(100)
      .refine(
        (chosen) => new Set(chosen.map((one) => one.id)).size === chosen.length,
        "must not name a feature twice",
      ),
    reason: reason.optional(),
  }),
  reply: z.object({
    done: z.array(feature),
    refused: z.array(z.object({ id, name: plain, code: plain, detail: plain })),
  }),
});

export const getFeature = endpoint({
  method: "GET",
  path: "/features/:id",
  summary: "Read a feature",
  permission: "features:read",
  params: record,
  reply: feature,
});

export const createFeature = endpoint({
  method: "POST",
  path: "/features",
  summary: "Create a feature of an app as a draft",
  permission: "features:write",
  body: newFeature,
  reply: feature,
  status: 201,
  refusals: ["taken", "wrong_state"],
});

export const changeFeature = endpoint({
  method: "PUT",
  path: "/features/:id",
  summary: "Change a feature",
  permission: "features:write",
  params: record,
  body: featureDetails,
  reply: feature,
  versioned: true,
  refusals: ["taken", "frozen", "wrong_state"],
});

export const activateFeature = endpoint({
  method: "POST",
  path: "/features/:id/activate",
  summary: "Make a draft active",
  permission: "features:write",
  params: record,
  body: act,
  reply: feature,
  versioned: true,
  refusals: ["wrong_state"],
});

export const archiveFeature = endpoint({
  method: "POST",
  path: "/features/:id/archive",
  summary: "Archive an active feature; rights already granted go on",
  permission: "features:write",
  params: record,
  body: act,
  reply: feature,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restoreFeature = endpoint({
  method: "POST",
  path: "/features/:id/restore",
  summary: "Make an archived feature active again",
  permission: "features:write",
  params: record,
  body: act,
  reply: feature,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deleteFeature = endpoint({
  method: "DELETE",
  path: "/features/:id",
  summary: "Delete a draft that no version and no grant refers to",
  permission: "features:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});

export const listFeatureUses = endpoint({
  method: "GET",
  path: "/features/:id/uses",
  summary: "List the package versions that a feature is part of and what each gives",
  permission: "features:read",
  params: record,
  reply: z.object({
    items: z.array(
      z.object({
        package: z.object({ id, code: plain, name: plain }),
        number: z.int(),
        state: z.enum(["draft", "scheduled", "on sale", "superseded", "retired"]),
        value,
        /** People who hold that version now. */
        holders: z.int(),
      }),
    ),
  }),
});

export const getFeatureActivity = endpoint({
  method: "GET",
  path: "/features/:id/activity",
  summary: "List what happened to a feature, newest first",
  permission: "features:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});
