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
import {
  anchors,
  canFollowSubscription,
  combinings,
  featureKinds,
  isCounted,
  refusalOfValue,
  resets,
  value,
} from "../fields/values.ts";
import { rule } from "../messages/rules.ts";

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
    label: "Type",
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
  /** What is counted, in singular and plural. */
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
  unitOne: { label: "Unit, singular" },
  unitMany: { label: "Unit, plural" },
  /** When an allowance resets; only for metered features. */
  reset: {
    label: "Resets",
    write: z.enum(resets).nullable().default(null),
    read: z.enum(resets).nullable(),
  },
  /** Where the periods of a metered feature start. */
  anchor: {
    label: "Aligned with",
    write: z.enum(anchors).default("calendar"),
    read: z.enum(anchors),
  },
  /** How the values of several grants are combined. */
  combining: {
    label: "With several packages",
    write: z.enum(combinings).default("largest"),
    read: z.enum(combinings),
  },
  /** For a choice, ordered from lowest to highest. */
  options: {
    label: "Options",
    write: z
      .array(option)
      .max(50)
      .refine(
        (options) => new Set(options.map((one) => one.code)).size === options.length,
        rule("option_repeated", "Use a different code for each option."),
      )
      .default([]),
    read: z.array(z.object({ code: plain, name: plain })),
    export: false,
  },
  /** Applies to customers without a grant. */
  defaultValue: { label: "Default value", write: value, read: value },
  /** Whether an app blocks customers at the limit or warns them. */
  enforcement: {
    label: "Over the limit",
    write: z.enum(enforcements).default("hard"),
    read: z.enum(enforcements),
  },
  /** What an app answers while Purser is unreachable. */
  fallback: {
    label: "If Purser is unreachable",
    write: z.enum(fallbacks).default("last known"),
    read: z.enum(fallbacks),
  },
  /** In a published version: code, kind, unit, reset, anchor, combining and used options can't change. */
  frozen: { label: "Locked", read: z.boolean(), export: false },
  /** Codes of options in any version, including drafts; they can't be removed. */
  usedOptions: { label: "Options in use", read: z.array(plain), export: false },
  /** Packages with it in a draft, scheduled or current version. */
  packages: { label: "Packages", read: z.int() },
  activatedAt: { label: "Activated" },
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

const complaints = (details: Details) => {
  const { kind, unit, reset, anchor, combining, options, defaultValue } = details;
  const hasAmounts = isCounted({ kind });
  const found: [string, string | null | false][] = [
    [
      "unit",
      !hasAmounts &&
        unit !== null &&
        rule("unit_unsupported", "Only limits and metered features have a unit. Remove it."),
    ],
    [
      "reset",
      kind === "metered" &&
        reset === null &&
        rule("reset_required", "Choose when the allowance resets."),
    ],
    [
      "reset",
      kind !== "metered" &&
        reset !== null &&
        rule("reset_unsupported", "Only metered features reset. Remove this."),
    ],
    [
      "anchor",
      anchor === "subscription" &&
        !canFollowSubscription(reset) &&
        rule(
          "anchor_unsupported",
          "Only allowances that reset every day, week, month or year can follow the subscription.",
        ),
    ],
    [
      "combining",
      kind === "metered" &&
        combining !== "sum" &&
        rule("combining_sum", "Metered features can only be added together."),
    ],
    [
      "combining",
      !hasAmounts &&
        combining !== "largest" &&
        rule("combining_largest", "Only the highest value can be used for this feature."),
    ],
    [
      "options",
      kind === "choice" && options.length < 2 && rule("options_too_few", "Add at least 2 options."),
    ],
    [
      "options",
      kind !== "choice" &&
        options.length > 0 &&
        rule(
          "options_unsupported",
          "Only features of type Choice have options. Remove the options.",
        ),
    ],
    ["defaultValue", refusalOfValue({ kind, options }, defaultValue)],
  ];
  return found.flatMap(([path, message]) => (message ? [{ path: [path], message }] : []));
};

const checkDetails = (given: Details, context: z.RefinementCtx) => {
  for (const complaint of complaints(given)) context.addIssue({ code: "custom", ...complaint });
};

/** Changes of an existing feature, which can't move to another app. */
export const featureDetails = details
  .extend({ reason: reason.optional() })
  .superRefine(checkDetails);
export type FeatureDetails = Details;

/** A feature in the catalog file, with its code first. */
export const catalogFeature = details
  .pick({ code: true })
  .extend({ ...details.shape, status: featureStatus.default("draft") })
  .superRefine(checkDetails);

export const newFeature = details
  .extend({ appId: z.uuid(rule("app_missing", "Choose an app.")), reason: reason.optional() })
  .superRefine(checkDetails);

export const feature = z.object(readShape(featureFields)).meta({ id: "Feature" });
export type Feature = z.output<typeof feature>;
