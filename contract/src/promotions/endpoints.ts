import { z } from "zod";
import { readShape, writeShape } from "../fields/declarations.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, reason } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { exportQuery, listQuery, pageOf, rowCount } from "../http/list.ts";
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

/** Rules across fields. */
const validationMessages = (given: PromotionDetails): Complaint[] => {
  const { kind, startsAt, endsAt } = given;
  const complaints: Complaint[] = [];
  const need = (isNeeded: boolean, field: keyof PromotionDetails, message: string) => {
    if (isNeeded !== (given[field] !== null)) complaints.push([[field], message]);
  };
  need(kind === "percent", "basisPoints", "belongs to a percentage, which needs it");
  need(kind === "trial", "trialDays", "belongs to free time, which needs it");
  need(kind === "feature", "featureId", "belongs to a feature that is given, which needs it");
  need(kind === "feature", "value", "says how much of the feature is given");
  need(given.duration === "periods", "periods", "says for how many periods");
  if (kind !== "feature" && given.featureDays !== null)
    complaints.push([["featureDays"], "belong to a feature that is given"]);
  if (kind === "fixed" && !given.amounts.some(({ off }) => off !== null))
    complaints.push([["amounts"], "needs what is taken off in one currency at least"]);
  if (kind !== "fixed" && given.amounts.some(({ off }) => off !== null))
    complaints.push([["amounts"], "take something off only where the discount is a fixed amount"]);
  if (startsAt && endsAt && startsAt >= endsAt)
    complaints.push([["endsAt"], "must be later than the start"]);
  if ((given.audience === "listed") !== given.people.length > 0)
    complaints.push([["people"], "are named where it is for listed people, and only there"]);
  if (!given.needsCode && given.code !== null)
    complaints.push([["code"], "is not asked for: the promotion applies by itself"]);
  return [
    ...complaints,
    ...repeats(
      given.amounts.map((one) => one.currency),
      "amounts",
      "has this currency already",
    ),
    ...repeats(given.packageIds, "packageIds", "is there already"),
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
  summary: "Take promotions away as a file: CSV, or one JSON document per line",
  permission: "promotions:read",
  query: exportQuery(promotionListFields, promotionColumns),
  reply: plain,
  file: true,
});

export const getPromotion = endpoint({
  method: "GET",
  path: "/promotions/:id",
  summary: "Read a promotion",
  permission: "promotions:read",
  params: record,
  reply: promotionReply,
});

export const getPromotionPeople = endpoint({
  method: "GET",
  path: "/promotions/:id/people",
  summary: "List the addresses of those whom a promotion is for",
  permission: "promotions:read",
  params: record,
  reply: z.object({ items: z.array(plain) }),
});

export const createPromotion = endpoint({
  method: "POST",
  path: "/promotions",
  summary: "Create a promotion as a draft that nobody can use yet",
  permission: "promotions:write",
  body: promotionDetails,
  reply: promotionReply,
  status: 201,
  refusals: ["taken", "not_found", "wrong_state"],
});

export const changePromotion = endpoint({
  method: "PUT",
  path: "/promotions/:id",
  summary: "Change a promotion; once used, only its name, end, priority and higher limits",
  permission: "promotions:write",
  params: record,
  body: promotionDetails,
  reply: promotionReply,
  versioned: true,
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

export const publishPromotion = acting(
  "/promotions/:id/publish",
  "Let buyers use a promotion, within its time and limits",
);
export const pausePromotion = acting(
  "/promotions/:id/pause",
  "Let nobody use a promotion until it is resumed; what was given stays",
);
export const resumePromotion = acting("/promotions/:id/resume", "Let a promotion be used again");
export const archivePromotion = acting(
  "/promotions/:id/archive",
  "Archive a promotion: nobody can use it; what was given stays",
);
export const restorePromotion = acting(
  "/promotions/:id/restore",
  "Bring an archived promotion back, paused",
);

export const deletePromotion = endpoint({
  method: "DELETE",
  path: "/promotions/:id",
  summary: "Delete a draft",
  permission: "promotions:write",
  params: record,
  versioned: true,
  refusals: ["in_use", "wrong_state"],
});

export const getPromotionActivity = endpoint({
  method: "GET",
  path: "/promotions/:id/activity",
  summary: "List what happened to a promotion, newest first",
  permission: "promotions:read",
  params: record,
  query: activityQuery,
  reply: activityPage,
});

/** Promotions in the same period, for the timeline of the form. */
export const listOverlapping = endpoint({
  method: "GET",
  path: "/promotions/overlapping",
  summary: "List the promotions of a time, those that may be used beside another in it",
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
  summary: "Say what a promotion has cost and brought",
  permission: "promotions:read",
  params: record,
  reply: z.object({
    uses: z.int(),
    people: z.int(),
    returned: z.int(),
    byCurrency: z.array(
      z.object({ currency: plain, uses: z.int(), given: z.int(), revenue: z.int() }),
    ),
  }),
});
