import { z } from "zod";
import { commonFields } from "../fields/commonFields.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
  writeNamesOf,
  writeShape,
} from "../fields/declarations.ts";
import { id } from "../fields/primitives.ts";
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
