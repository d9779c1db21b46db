import { z } from "zod";
import { appStatuses } from "./apps.ts";
import { activityPage, activityQuery } from "./audit.ts";
import { id, instant, record, version } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { featureStatuses } from "./features.ts";
import { exportQuery, type Fields, listQuery, pageOf, total } from "./list.ts";
import { amount, currency } from "./money.ts";
import { code, plain, reason, text } from "./text.ts";
import { combinings, featureKinds, resets, value } from "./values.ts";

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

const terms = {
  /** Days that a buyer may try it before paying. */
  trialDays: z.int().min(0, "must not be below 0").max(730, "must be at most 730").default(0),
  prices: prices.default([]),
};

const details = z.strictObject({
  code,
  name: text({ min: 1, max: 120 }),
  description: text({ max: 2000, lines: true }).default(""),
  kind: z.enum(packageKinds).default("base"),
  /** A user holds at most one base package of a group. */
  group: code.nullable().default(null),
  visibility: z.enum(visibilities).default("public"),
  /** Where it stands among its group, lowest first: the one above is the larger one. */
  sort: z.int().min(-1_000_000).max(1_000_000).default(0),
  /** Terms are the draft's: saving others than those on sale starts one. */
  ...terms,
});

const hasRightGroup = ({ kind, group }: Pick<PackageDetails, "kind" | "group">) =>
  kind === "base" || group === null;
const wrongGroup = { path: ["group"], error: "belongs to base packages only" };

/** What an administrator may write. */
export const packageDetails = details
  .extend({ reason: reason.optional() })
  .refine(hasRightGroup, wrongGroup);
export type PackageDetails = z.output<typeof details>;

/** What the catalogue's file says of a package. Whether it is on sale is decided by publishing it. */
export const cataloguedPackage = details
  .extend({
    status: z
      .literal("archived", "is archived or left out: a package becomes active by publishing it")
      .nullable()
      .default(null),
    /** The values of features by their codes, by the codes of their apps. */
    apps: z.record(code, z.record(code, value)).default({}),
  })
  .refine(hasRightGroup, wrongGroup);

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

/** What everyone may read. */
export const packageReply = z
  .object({
    id,
    code: plain,
    name: plain,
    description: plain,
    kind: z.enum(packageKinds),
    group: plain.nullable(),
    visibility: z.enum(visibilities),
    sort: z.int(),
    status: packageStatus,
    /** Once a version of it was published, its code is named elsewhere and stays. */
    codeFrozen: z.boolean(),
    draft: brief.nullable(),
    scheduled: brief.nullable(),
    onSale: brief.nullable(),
    /** Of the draft where there is one, else of the newest version. */
    trialDays: z.int(),
    prices: z.array(shownPrice),
    apps: z.int(),
    /** People who hold any version of it now, exact up to 10,000. */
    holders: counted,
    version,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Package" });
export type Package = z.output<typeof packageReply>;

export const packageFields = {
  name: { kind: "text", sort: true },
  code: { kind: "text", sort: true },
  kind: { kind: "choice", options: packageKinds },
  group: { kind: "text" },
  visibility: { kind: "choice", options: visibilities },
  status: { kind: "choice", options: packageStatuses, sort: true },
  sort: { kind: "number", sort: true },
  createdAt: { kind: "instant", sort: true },
  updatedAt: { kind: "instant", sort: true },
} as const satisfies Fields;

const act = z.strictObject({ reason: reason.optional() });

export const listPackages = endpoint({
  method: "GET",
  path: "/packages",
  summary: "List packages",
  permission: "packages:read",
  query: listQuery(packageFields),
  reply: pageOf(packageReply),
});

export const countPackages = endpoint({
  method: "GET",
  path: "/packages/counts",
  summary: "Count packages by status, each exact up to 10,000",
  permission: "packages:read",
  reply: z.object({ draft: counted, active: counted, archived: counted }),
});

export const packageColumns = [
  "id",
  "code",
  "name",
  "description",
  "kind",
  "group",
  "visibility",
  "sort",
  "status",
  "apps",
  "holders",
  "createdAt",
  "updatedAt",
] as const;

export const exportPackages = endpoint({
  method: "GET",
  path: "/packages/export",
  summary: "Take packages away as a file: CSV, or one JSON document per line",
  permission: "packages:read",
  query: exportQuery(packageFields, packageColumns),
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
