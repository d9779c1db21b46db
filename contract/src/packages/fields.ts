import { z } from "zod";
import { commonFields } from "../fields/commonFields.ts";
import { atMost, negative, noRepeats } from "../fields/commonRules.ts";
import {
  exportColumnsOf,
  fields,
  historyLabelsOf,
  listFieldsOf,
  readShape,
  writeNamesOf,
  writeShape,
} from "../fields/declarations.ts";
import { id, instant } from "../fields/primitives.ts";
import { code, plain, reason } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { rowCount } from "../http/list.ts";
import { rule } from "../messages/rules.ts";
import { taxCategories } from "../money/taxRates.ts";
import { prices, shownPrice } from "./prices.ts";

export const packageKinds = ["base", "add-on"] as const;
export const visibilities = ["public", "hidden"] as const;
export const packageStatuses = ["draft", "active", "archived"] as const;
const packageStatus = z.enum(packageStatuses);
export type PackageStatus = z.output<typeof packageStatus>;

export const versionStates = ["draft", "scheduled", "on sale", "superseded", "retired"] as const;
const versionState = z.enum(versionStates);
export type VersionState = z.output<typeof versionState>;

export const brief = z.object({
  id,
  number: z.int(),
  state: versionState,
  note: plain.nullable(),
  publishAt: instant.nullable(),
  publishedAt: instant.nullable(),
  /** Archived apps and features in it. It can't be sold or published until they are restored. */
  archived: z.array(z.object({ what: z.enum(["app", "feature"]), id, name: plain })),
});
export type VersionBrief = z.output<typeof brief>;

const isOnce = (values: readonly string[]) => new Set(values).size === values.length;

export const packageFields = fields({
  id: commonFields.id,
  name: commonFields.name,
  code: commonFields.code,
  description: {
    ...commonFields.description,
    form: { lines: true, help: "The first line is shown to buyers." },
  },
  kind: {
    label: "Type",
    write: z.enum(packageKinds).default("base"),
    read: z.enum(packageKinds),
    list: { kind: "choice", options: packageKinds, columnWidth: 90 },
  },
  /** A customer can have one base package of a group. */
  group: {
    label: "Group",
    column: "groupCode",
    write: code.nullable().default(null),
    read: plain.nullable(),
    list: { kind: "text" },
  },
  /** An add-on needs a base package of one of these groups, or any base package if there are none. */
  baseGroups: {
    label: "Base package groups",
    write: z.array(code).max(50).refine(isOnce, noRepeats).default([]),
    read: z.array(plain),
    form: { help: "Customers need a package of one of these groups." },
  },
  /** Decides which tax rate applies. */
  taxCategory: {
    label: "Tax category",
    write: z.enum(taxCategories).default("standard"),
    read: z.enum(taxCategories),
    list: { kind: "choice", options: taxCategories, columnWidth: 120 },
  },
  visibility: {
    label: "Visibility",
    write: z.enum(visibilities).default("public"),
    read: z.enum(visibilities),
    list: { kind: "choice", options: visibilities, columnWidth: 100 },
  },
  status: {
    label: "Status",
    read: packageStatus,
    list: { kind: "choice", options: packageStatuses, sort: true },
  },
  /** Position in its group, from smallest to largest package. */
  sort: {
    label: "Position",
    write: z.int().min(-1_000_000).max(1_000_000).default(0),
    read: z.int(),
    list: { kind: "number", sort: true, columnWidth: 92 },
    form: { help: "In a group, the lowest position comes first." },
  },
  /**
   * Days before the first payment. Like the prices, they are read from the draft or else the newest version, and
   * saving other terms than those on sale starts a draft.
   */
  trialDays: {
    label: "Trial days",
    write: z.int().min(0, negative).max(730, atMost(730)).default(0),
    read: z.int(),
    form: { help: "Days before the first payment. 0 for no trial." },
    export: false,
    revert: false,
  },
  prices: {
    label: "Prices",
    write: prices.default([]),
    read: z.array(shownPrice),
    export: false,
    revert: false,
  },
  /** Other systems use the code once a version was published. */
  codeFrozen: { label: "Code locked", read: z.boolean(), export: false },
  draft: { label: "Draft", read: brief.nullable(), export: false },
  scheduled: { label: "Scheduled", read: brief.nullable(), export: false },
  onSale: { label: "On sale", read: brief.nullable(), export: false },
  apps: { label: "Apps", read: z.int() },
  /** Current subscribers, exact up to 10,000. */
  subscribers: { label: "Subscribers", read: rowCount },
  activatedAt: { label: "First published" },
  version: commonFields.version,
  createdAt: commonFields.createdAt,
  updatedAt: commonFields.updatedAt,
});

export const packageListFields = listFieldsOf(packageFields);
export const packageColumns = exportColumnsOf(packageFields);
export const packageLabels = historyLabelsOf(packageFields);
export const packageWritable = writeNamesOf(packageFields);

const details = z.strictObject(writeShape(packageFields));

const hasRightBaseGroups = ({ kind, baseGroups }: Pick<PackageDetails, "kind" | "baseGroups">) =>
  kind === "add-on" || baseGroups.length === 0;
const wrongBaseGroups = {
  path: ["baseGroups"],
  error: rule("base_groups_of_base", "Only add-ons have base package groups. Remove them."),
};

const hasRightGroup = ({ kind, group }: Pick<PackageDetails, "kind" | "group">) =>
  kind === "base" || group === null;
const wrongGroup = {
  path: ["group"],
  error: rule("group_of_add_on", "Only base packages have a group. Remove it."),
};

export const packageDetails = details
  .extend({ reason: reason.optional() })
  .refine(hasRightGroup, wrongGroup)
  .refine(hasRightBaseGroups, wrongBaseGroups);
export type PackageDetails = z.output<typeof details>;

/** A package in the catalog file, with its code first. It goes on sale only by publishing. */
export const catalogPackage = details
  .pick({ code: true })
  .extend({
    ...details.shape,
    status: z
      .literal(
        "archived",
        rule(
          "package_status_invalid",
          "Set the status to archived, or remove it. Packages become active when you publish them.",
        ),
      )
      .nullable()
      .default(null),
    /** Feature values by the codes of app and feature. */
    apps: z.record(code, z.record(code, value)).default({}),
    /** Features whose value is multiplied by the quantity, by the codes of app and feature. */
    perUnit: z.record(code, z.array(code).max(5000).refine(isOnce, noRepeats)).default({}),
  })
  .refine(hasRightGroup, wrongGroup)
  .refine(hasRightBaseGroups, wrongBaseGroups);

export const packageReply = z.object(readShape(packageFields)).meta({ id: "Package" });
export type Package = z.output<typeof packageReply>;
