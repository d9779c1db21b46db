import { z } from "zod";
import { appStatuses } from "../apps/fields.ts";
import { featureStatuses } from "../features/fields.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { combinings, featureKinds, resets, value } from "../fields/values.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { brief, packageReply } from "./fields.ts";
import { shownPrice } from "./prices.ts";

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
    /** Current subscribers. */
    subscribers: z.int(),
    createdAt: instant,
  })
  .meta({ id: "PackageVersion" });

export const listVersions = endpoint({
  method: "GET",
  path: "/packages/:id/versions",
  summary: "List a package's versions",
  permission: "packages:read",
  params: record,
  reply: z.object({ items: z.array(packageVersion) }),
});

/** A version with its content, for comparing versions. */
export const versionContents = packageVersion
  .extend({
    contents: z.array(
      shownApp.extend({
        features: z.array(shownFeature.extend({ value: value.nullable(), perUnit: z.boolean() })),
      }),
    ),
  })
  .meta({ id: "PackageVersionContents" });
export type VersionContents = z.output<typeof versionContents>;

export const getVersion = endpoint({
  method: "GET",
  path: "/packages/:id/versions/:number",
  summary: "Retrieve a package version",
  permission: "packages:read",
  params: record.extend({
    number: plain.regex(
      /^[1-9]\d{0,8}$/,
      rule("version_number_invalid", "Enter a version number."),
    ),
  }),
  reply: versionContents,
});

export const startDraft = endpoint({
  method: "POST",
  path: "/packages/:id/draft",
  summary: "Create a draft from a package version",
  permission: "packages:write",
  params: record,
  body: z.strictObject({
    from: z
      .int()
      .positive()
      .max(1_000_000, rule("version_number_invalid", "Enter a version number."))
      .optional(),
    reason: reason.optional(),
  }),
  reply: packageReply,
  status: 201,
  refusals: ["wrong_state"],
});

export const discardDraft = endpoint({
  method: "POST",
  path: "/packages/:id/draft/discard",
  summary: "Discard a package's draft",
  permission: "packages:write",
  params: record,
  body: z.strictObject({ draftId: id, reason: reason.optional() }),
  reply: packageReply,
  refusals: ["wrong_state"],
});

export const retireVersion = endpoint({
  method: "POST",
  path: "/packages/:id/retire",
  summary: "Take a package off sale",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: packageReply,
  versioned: true,
  refusals: ["wrong_state"],
});
