import { z } from "zod";
import { id, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { packageReply } from "./fields.ts";
import { shownApp, shownFeature } from "./versions.ts";

const matrixFeature = shownFeature.extend({
  /** In the draft; null for the default value. */
  value: value.nullable(),
  /** Whether the value is multiplied by the quantity that was bought. */
  perUnit: z.boolean(),
  /** In the version on sale. */
  onSale: value.nullable(),
  onSalePerUnit: z.boolean(),
  /** In the other packages, in their order. */
  others: z.array(value.nullable()),
});

export const matrix = z
  .object({
    package: packageReply,
    /** Packages to compare with: the requested ones, or those below and above in the group. */
    others: z.array(z.object({ id, name: plain, number: z.int(), sort: z.int() })),
    apps: z.array(
      shownApp.extend({
        included: z.boolean(),
        onSale: z.boolean(),
        features: z.array(matrixFeature),
      }),
    ),
  })
  .meta({ id: "Matrix" });
export type Matrix = z.output<typeof matrix>;

const oneId = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

export const getMatrix = endpoint({
  method: "GET",
  path: "/packages/:id/matrix",
  summary: "Retrieve a package's apps and feature values",
  permission: "packages:read",
  params: record,
  query: z.strictObject({
    /** Up to 4 package ids, comma-separated. */
    with: plain
      .regex(
        new RegExp(`^${oneId}(,${oneId}){0,3}$`),
        rule("ids_invalid", "Send up to 4 comma-separated IDs."),
      )
      .optional(),
  }),
  reply: matrix,
});

export const cell = z.strictObject({
  featureId: id,
  /** Null for the default value. */
  value: value.nullable(),
  /** The value that the user saw. If the stored one differs, someone else changed it. */
  was: value.nullable(),
});
export type Cell = z.output<typeof cell>;

export const matrixChange = z.strictObject({
  /** Apps added and removed before the cells are set. */
  addApps: z.array(id).max(200).default([]),
  removeApps: z.array(id).max(200).default([]),
  cells: z
    .array(cell)
    .max(5000)
    .refine(
      (cells) => new Set(cells.map((one) => one.featureId)).size === cells.length,
      rule("feature_repeated", "Send each feature only once."),
    )
    .default([]),
  /** Limits and metered features whose value is now multiplied by the quantity, or no longer. */
  perUnit: z
    .array(z.strictObject({ featureId: id, perUnit: z.boolean() }))
    .max(5000)
    .default([]),
});
export type MatrixChange = z.output<typeof matrixChange>;

export const changeMatrix = endpoint({
  method: "POST",
  path: "/packages/:id/matrix",
  summary: "Update the apps and feature values of a draft",
  permission: "packages:write",
  params: record,
  body: matrixChange.extend({ draftId: id, reason: reason.optional() }),
  reply: matrix,
  bodyKbMax: 1024,
  refusals: ["cell_changed", "wrong_state"],
});
