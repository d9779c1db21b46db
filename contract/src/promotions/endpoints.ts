import { z } from "zod";
import { readShape, writeShape } from "../fields/declarations.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endDateGiven } from "../http/endDateGiven.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
import { previewBulk, startBulk, startExport } from "../http/listJobs.ts";
import { rule } from "../messages/rules.ts";
import { activityPage, activityQuery } from "../workspace/audit.ts";
import {
  type PromotionStatus,
  promotionColumns,
  promotionFields,
  promotionListFields,
  promotionStatuses,
} from "./fields.ts";

const details = z.strictObject(writeShape(promotionFields));
export type PromotionDetails = z.output<typeof details>;

type Complaint = [path: (string | number)[], message: string];

const repeats = (list: readonly string[], path: string, message: string): Complaint[] =>
  list.flatMap((one, place): Complaint[] =>
    list.indexOf(one) < place ? [[[path, place], message]] : [],
  );

type Dependent = {
  field: keyof PromotionDetails;
  isNeeded: (given: PromotionDetails) => boolean;
  missing: string;
  unsupported: string;
};

/** Fields that some promotions require and others can't have. */
const dependents: readonly Dependent[] = [
  {
    field: "basisPoints",
    isNeeded: ({ kind }) => kind === "percent",
    missing: rule("percentage_required", "Enter a percentage."),
    unsupported: rule(
      "percentage_unsupported",
      "Only percentage discounts have a percentage. Remove it.",
    ),
  },
  {
    field: "trialDays",
    isNeeded: ({ kind }) => kind === "trial",
    missing: rule("trial_days_required", "Enter the number of days."),
    unsupported: rule(
      "trial_days_unsupported",
      "Only free trial extensions have trial days. Remove them.",
    ),
  },
  {
    field: "featureId",
    isNeeded: ({ kind }) => kind === "feature",
    missing: rule("promotion_feature_required", "Choose a feature."),
    unsupported: rule(
      "promotion_feature_unsupported",
      "Only feature promotions have a feature. Remove it.",
    ),
  },
  {
    field: "value",
    isNeeded: ({ kind }) => kind === "feature",
    missing: rule("feature_value_required", "Enter a value for the feature."),
    unsupported: rule(
      "feature_value_unsupported",
      "Only feature promotions have a value. Remove it.",
    ),
  },
  {
    field: "periods",
    isNeeded: ({ duration }) => duration === "periods",
    missing: rule("periods_required", "Enter the number of payments."),
    unsupported: rule(
      "periods_unsupported",
      "Only discounts on several payments have a number of payments. Remove it.",
    ),
  },
];

const dependentErrors = (given: PromotionDetails) =>
  dependents.flatMap(({ field, isNeeded, missing, unsupported }): Complaint[] => {
    if (isNeeded(given)) return given[field] === null ? [[[field], missing]] : [];
    return given[field] === null ? [] : [[[field], unsupported]];
  });

const repeatErrors = ({ amounts, packageIds }: PromotionDetails) => [
  ...repeats(
    amounts.map((one) => one.currency),
    "amounts",
    rule("currency_repeated", "This currency is already listed."),
  ),
  ...repeats(packageIds, "packageIds", rule("package_repeated", "This package is already listed.")),
];

/** Rules across fields. */
const validationMessages = (given: PromotionDetails): Complaint[] => {
  const { kind, startsAt, endsAt } = given;
  const hasOff = given.amounts.some(({ off }) => off !== null);
  const isListed = given.audience === "listed";
  const found: [field: string, message: string | false][] = [
    [
      "featureDays",
      kind !== "feature" &&
        given.featureDays !== null &&
        rule(
          "feature_days_unsupported",
          "Only feature promotions have a feature duration. Remove it.",
        ),
    ],
    [
      "amounts",
      kind === "fixed" &&
        !hasOff &&
        rule("amounts_required", "Enter a discount in at least one currency."),
    ],
    [
      "amounts",
      kind !== "fixed" &&
        hasOff &&
        rule("amounts_unsupported", "Only fixed-amount discounts have an amount off. Remove it."),
    ],
    [
      "endsAt",
      startsAt !== null &&
        endsAt !== null &&
        startsAt >= endsAt &&
        rule("end_before_start", "Choose an end date after the start date."),
    ],
    [
      "customers",
      isListed && given.customers.length === 0 && rule("customers_required", "Add a customer."),
    ],
    [
      "customers",
      !isListed &&
        given.customers.length > 0 &&
        rule(
          "customers_unsupported",
          "This promotion isn't limited to selected customers. Remove the email addresses.",
        ),
    ],
    [
      "code",
      !given.requiresCode &&
        given.code !== null &&
        rule("code_unsupported", "This promotion applies automatically. Remove the code."),
    ],
  ];
  return [
    ...dependentErrors(given),
    ...found.flatMap(([field, message]): Complaint[] => (message ? [[[field], message]] : [])),
    ...repeatErrors(given),
  ];
};

const coherent = (given: PromotionDetails, context: z.RefinementCtx) => {
  for (const [path, message] of validationMessages(given))
    context.addIssue({ code: "custom", path, message });
};

export const promotionDetails = details.extend({ reason: reason.optional() }).superRefine(coherent);

export const promotionReply = z.object(readShape(promotionFields)).meta({ id: "Promotion" });
export type Promotion = z.output<typeof promotionReply>;

export const listPromotions = endpoint({
  method: "GET",
  path: "/promotions",
  summary: "List promotions",
  permission: "promotions:read",
  query: listQuery(promotionListFields),
  reply: pageOf(promotionReply),
});

export const countPromotions = endpoint({
  method: "GET",
  path: "/promotions/counts",
  summary: "Count promotions by status",
  permission: "promotions:read",
  reply: z.object(
    Object.fromEntries(promotionStatuses.map((status) => [status, rowCount])) as Record<
      PromotionStatus,
      typeof rowCount
    >,
  ),
});

export const exportPromotions = endpoint({
  method: "GET",
  path: "/promotions/export",
  summary: "Export promotions as CSV or JSON lines",
  permission: "promotions:export",
  proof: "recent",
  query: exportQuery(promotionListFields, promotionColumns),
  reply: plain,
  file: true,
});

export const startPromotionsExport = startExport("promotions", exportPromotions);

const bulkJobActions = ["pause", "resume", "extend", "archive", "restore"] as const;

export const previewBulkPromotions = previewBulk(
  "promotions",
  promotionListFields,
  bulkJobActions,
  endDateGiven,
);
export const startBulkPromotions = startBulk(
  "promotions",
  promotionListFields,
  bulkJobActions,
  endDateGiven,
);

export const getPromotion = endpoint({
  method: "GET",
  path: "/promotions/:id",
  summary: "Retrieve a promotion",
  permission: "promotions:read",
  params: record,
  reply: promotionReply,
});

export const getPromotionCustomers = endpoint({
  method: "GET",
  path: "/promotions/:id/customers",
  summary: "List the eligible customers of a promotion",
  permission: "promotions:read",
  params: record,
  reply: z.object({ items: z.array(plain) }),
});

export const createPromotion = endpoint({
  method: "POST",
  path: "/promotions",
  summary: "Create a promotion",
  permission: "promotions:write",
  body: promotionDetails,
  reply: promotionReply,
  status: 201,
  refusals: ["taken", "not_found", "wrong_state"],
});

export const changePromotion = endpoint({
  method: "PUT",
  path: "/promotions/:id",
  summary: "Update a promotion",
  permission: "promotions:write",
  params: record,
  body: promotionDetails,
  reply: promotionReply,
  versioned: true,
  approval: "price",
  refusals: ["taken", "frozen", "wrong_state"],
});

const acting = (path: `/promotions/:id/${string}`, summary: string) =>
  endpoint({
    method: "POST",
    path,
    summary,
    permission: "promotions:write",
    params: record,
    body: actionBody,
    reply: promotionReply,
    versioned: true,
    refusals: ["wrong_state"],
  });

export const publishPromotion = endpoint({
  ...acting("/promotions/:id/publish", "Publish a promotion"),
  approval: "price",
});
export const pausePromotion = acting("/promotions/:id/pause", "Pause a promotion");
export const resumePromotion = acting("/promotions/:id/resume", "Resume a promotion");
export const archivePromotion = acting("/promotions/:id/archive", "Archive a promotion");
export const restorePromotion = acting(
  "/promotions/:id/restore",
  "Restore an archived promotion as paused",
);

const endDate = actionBody.extend({ endsAt: instant });

export const extendPromotion = endpoint({
  ...acting("/promotions/:id/extend", "Set a later end date of a promotion"),
  body: endDate,
  approval: "price",
});
/** Undoes an extension. The date can be in the past, if the promotion had ended. */
export const shortenPromotion = endpoint({
  ...acting("/promotions/:id/shorten", "Set an earlier end date of a promotion"),
  body: endDate,
});

export const deletePromotion = endpoint({
  method: "DELETE",
  path: "/promotions/:id",
  summary: "Delete a draft promotion",
  permission: "promotions:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});

export const getPromotionActivity = endpoint({
  method: "GET",
  path: "/promotions/:id/activity",
  summary: "List a promotion's activity",
  permission: "promotions:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});

/** Promotions in the same period, for the timeline of the form. */
export const listOverlapping = endpoint({
  method: "GET",
  path: "/promotions/overlapping",
  summary: "List promotions in a period",
  permission: "promotions:read",
  query: z.strictObject({ from: instant, to: instant, except: id.optional() }),
  reply: z.object({
    items: z.array(
      z.object({
        id,
        name: plain,
        code: plain.nullable(),
        status: z.enum(promotionStatuses),
        startsAt: instant.nullable(),
        endsAt: instant.nullable(),
      }),
    ),
  }),
});

/** Redemptions, discounts and revenue by currency; never added up across currencies. */
export const getPromotionResults = endpoint({
  method: "GET",
  path: "/promotions/:id/results",
  summary: "Retrieve the results of a promotion",
  permission: "promotions:read",
  params: record,
  reply: z.object({
    redemptions: z.int(),
    customers: z.int(),
    returned: z.int(),
    /** If there are too many, only the newest are counted: those since this time. Otherwise null. */
    countedSince: instant.nullable(),
    byCurrency: z.array(
      z.object({ currency: plain, redemptions: z.int(), given: z.int(), revenue: z.int() }),
    ),
  }),
});
