import { z } from "zod";
import { appStatuses } from "../apps/endpoints.ts";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { commonFields } from "../fields/commonFields.ts";
import { endpoint } from "../http/endpoint.ts";
import { featureStatuses } from "../features/endpoints.ts";
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
import { amount, currency } from "../fields/money.ts";
import { code, plain, reason } from "../fields/text.ts";
import { combinings, featureKinds, resets, value } from "../fields/values.ts";

export const packageKinds = ["base", "add-on"] as const;
export const visibilities = ["public", "hidden"] as const;
export const packageStatuses = ["draft", "active", "archived"] as const;
const packageStatus = z.enum(packageStatuses);
export type PackageStatus = z.output<typeof packageStatus>;

export const versionStates = ["draft", "scheduled", "on sale", "superseded", "retired"] as const;
const versionState = z.enum(versionStates);
export type VersionState = z.output<typeof versionState>;

export const intervals = ["once", "day", "week", "month", "year"] as const;

const price = z.strictObject({
  currency,
  amount,
  interval: z.enum(intervals),
  /** Every so many of the interval. */
  intervalCount: z.int().min(1, "must be at least 1").max(120, "must be at most 120").default(1),
});
export type Price = z.output<typeof price>;

/** In a reply nothing is left to be filled in. */
const shownPrice = price.extend({ intervalCount: price.shape.intervalCount.unwrap() });

/** Two prices are the same offer at another amount when currency and interval agree. */
export const offerOf = ({ currency, interval, intervalCount }: Omit<Price, "amount">) =>
  `${currency} every ${intervalCount} ${interval}`;

const prices = z
  .array(price)
  .max(200)
  .superRefine((given, context) => {
    const seen = new Set<string>();
    for (const [place, one] of given.entries()) {
      if (one.interval === "once" && one.intervalCount !== 1)
        context.addIssue({
          code: "custom",
          path: [place, "intervalCount"],
          message: "must be 1 where it is paid once",
        });
      if (seen.has(offerOf(one)))
        context.addIssue({
          code: "custom",
          path: [place, "currency"],
          message: "has a price for this interval already",
        });
      seen.add(offerOf(one));
    }
  });

const counted = total.unwrap();

const brief = z.object({
  id,
  number: z.int(),
  state: versionState,
  note: plain.nullable(),
  publishAt: instant.nullable(),
  publishedAt: instant.nullable(),
});
export type VersionBrief = z.output<typeof brief>;

export const packageFields = fields({
  id: commonFields.id,
  name: commonFields.name,
  code: commonFields.code,
  description: {
    ...commonFields.description,
    form: { lines: true, help: "The first line stands on the buyer's ticket." },
  },
  kind: {
    label: "Kind",
    write: z.enum(packageKinds).default("base"),
    read: z.enum(packageKinds),
    list: { kind: "choice", options: packageKinds, columnWidth: 90 },
  },
  /** A user holds at most one base package of a group. */
  group: {
    label: "Group",
    column: "groupCode",
    write: code.nullable().default(null),
    read: plain.nullable(),
    list: { kind: "text" },
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
  /** Where it stands among its group, lowest first: the one above is the larger one. */
  sort: {
    label: "Position",
    write: z.int().min(-1_000_000).max(1_000_000).default(0),
    read: z.int(),
    list: { kind: "number", sort: true, columnWidth: 92 },
    form: { help: "Among its group, the lowest first." },
  },
  /**
   * Days that a buyer may try it before paying. This and the prices are terms of the draft where there is one, else
   * of the newest version: saving others than those on sale starts a draft.
   */
  trialDays: {
    label: "Trial days",
    write: z.int().min(0, "must not be below 0").max(730, "must be at most 730").default(0),
    read: z.int(),
    form: { help: "Before the first payment; 0 is none." },
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
  /** Once a version of it was published, its code is named elsewhere and stays. */
  codeFrozen: { label: "Code frozen", read: z.boolean(), export: false },
  draft: { label: "Draft", read: brief.nullable(), export: false },
  scheduled: { label: "Scheduled", read: brief.nullable(), export: false },
  onSale: { label: "On sale", read: brief.nullable(), export: false },
  apps: { label: "Apps", read: z.int() },
  /** People who hold any version of it now, exact up to 10,000. */
  holders: { label: "Holders", read: counted },
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

const hasRightGroup = ({ kind, group }: Pick<PackageDetails, "kind" | "group">) =>
  kind === "base" || group === null;
const wrongGroup = { path: ["group"], error: "belongs to base packages only" };

/** What an administrator may write. */
export const packageDetails = details
  .extend({ reason: reason.optional() })
  .refine(hasRightGroup, wrongGroup);
export type PackageDetails = z.output<typeof details>;

/** What the catalogue's file says of a package, its code first. It goes on sale by publishing it. */
export const cataloguedPackage = details
  .pick({ code: true })
  .extend({
    ...details.shape,
    status: z
      .literal("archived", "is archived or left out: a package becomes active by publishing it")
      .nullable()
      .default(null),
    /** The values of features by their codes, by the codes of their apps. */
    apps: z.record(code, z.record(code, value)).default({}),
  })
  .refine(hasRightGroup, wrongGroup);

/** What everyone may read. */
export const packageReply = z.object(readShape(packageFields)).meta({ id: "Package" });
export type Package = z.output<typeof packageReply>;

const act = z.strictObject({ reason: reason.optional() });

export const listPackages = endpoint({
  method: "GET",
  path: "/packages",
  summary: "List packages",
  permission: "packages:read",
  query: listQuery(packageListFields),
  reply: pageOf(packageReply),
});

export const countPackages = endpoint({
  method: "GET",
  path: "/packages/counts",
  summary: "Count packages by status, each exact up to 10,000",
  permission: "packages:read",
  reply: z.object({ draft: counted, active: counted, archived: counted }),
});

export const exportPackages = endpoint({
  method: "GET",
  path: "/packages/export",
  summary: "Take packages away as a file: CSV, or one JSON document per line",
  permission: "packages:read",
  query: exportQuery(packageListFields, packageColumns),
  reply: plain,
  file: true,
});

export const getPackage = endpoint({
  method: "GET",
  path: "/packages/:id",
  summary: "Read a package",
  permission: "packages:read",
  params: record,
  reply: packageReply,
});

export const createPackage = endpoint({
  method: "POST",
  path: "/packages",
  summary: "Create a package with a first draft",
  permission: "packages:write",
  body: packageDetails,
  reply: packageReply,
  status: 201,
  refusals: ["taken"],
});

export const changePackage = endpoint({
  method: "PUT",
  path: "/packages/:id",
  summary: "Change a package; other terms than those on sale go into its draft",
  permission: "packages:write",
  params: record,
  body: packageDetails,
  reply: packageReply,
  versioned: true,
  refusals: ["taken", "code_frozen", "wrong_state"],
});

export const archivePackage = endpoint({
  method: "POST",
  path: "/packages/:id/archive",
  summary: "Archive a package: nobody can buy it; holders keep what they have",
  permission: "packages:write",
  params: record,
  body: act,
  reply: packageReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const restorePackage = endpoint({
  method: "POST",
  path: "/packages/:id/restore",
  summary: "Make an archived package active again",
  permission: "packages:write",
  params: record,
  body: act,
  reply: packageReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const deletePackage = endpoint({
  method: "DELETE",
  path: "/packages/:id",
  summary: "Delete a package that was never published",
  permission: "packages:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});

export const getPackageActivity = endpoint({
  method: "GET",
  path: "/packages/:id/activity",
  summary: "List what happened to a package, its versions and their parts, newest first",
  permission: "packages:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});

export const shownFeature = z.object({
  id,
  code: plain,
  name: plain,
  kind: z.enum(featureKinds),
  unit: z.object({ one: plain, many: plain }).nullable(),
  reset: z.enum(resets).nullable(),
  combining: z.enum(combinings),
  options: z.array(z.object({ code: plain, name: plain })),
  defaultValue: value,
  status: z.enum(featureStatuses),
});

export const shownApp = z.object({
  id,
  code: plain,
  name: plain,
  icon: plain,
  status: z.enum(appStatuses),
});

const packageVersion = brief
  .extend({
    publishedBy: plain.nullable(),
    trialDays: z.int(),
    prices: z.array(shownPrice),
    apps: z.int(),
    values: z.int(),
    /** People who hold it now. */
    holders: z.int(),
    createdAt: instant,
  })
  .meta({ id: "PackageVersion" });

export const listVersions = endpoint({
  method: "GET",
  path: "/packages/:id/versions",
  summary: "List a package's versions, newest first",
  permission: "packages:read",
  params: record,
  reply: z.object({ items: z.array(packageVersion) }),
});

/** A version with all that it holds: what two of are compared by. */
export const versionContents = packageVersion
  .extend({
    contents: z.array(
      shownApp.extend({ features: z.array(shownFeature.extend({ value: value.nullable() })) }),
    ),
  })
  .meta({ id: "PackageVersionContents" });
export type VersionContents = z.output<typeof versionContents>;

export const getVersion = endpoint({
  method: "GET",
  path: "/packages/:id/versions/:number",
  summary: "Read a version with its apps, values and prices",
  permission: "packages:read",
  params: record.extend({
    number: plain.regex(/^[1-9]\d{0,8}$/, "must be the number of a version"),
  }),
  reply: versionContents,
});

export const startDraft = endpoint({
  method: "POST",
  path: "/packages/:id/draft",
  summary: "Start a draft from any version; without one, from the newest",
  permission: "packages:write",
  params: record,
  body: z.strictObject({
    from: z.int().positive().max(1_000_000, "must be the number of a version").optional(),
    reason: reason.optional(),
  }),
  reply: packageReply,
  status: 201,
  refusals: ["wrong_state"],
});

export const discardDraft = endpoint({
  method: "POST",
  path: "/packages/:id/draft/discard",
  summary: "Discard the draft of a package that has another version",
  permission: "packages:write",
  params: record,
  body: z.strictObject({ draftId: id, reason: reason.optional() }),
  reply: packageReply,
  refusals: ["wrong_state"],
});

export const retireVersion = endpoint({
  method: "POST",
  path: "/packages/:id/retire",
  summary: "Take the version on sale off sale, without another in its place",
  permission: "packages:write",
  params: record,
  body: act,
  reply: packageReply,
  versioned: true,
  refusals: ["wrong_state"],
});
