import { z } from "zod";
import { activityPage, activityQuery } from "./audit.ts";
import { id, instant, record, version } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { exportQuery, type Fields, listQuery, pageOf, total } from "./list.ts";
import { amount, currency } from "./money.ts";
import { intervals } from "./packages.ts";
import { email, plain, reason, text } from "./text.ts";
import { value } from "./values.ts";

export const promotionKinds = ["percent", "fixed", "trial", "feature"] as const;
export const promotionStatuses = [
  "draft",
  "scheduled",
  "running",
  "paused",
  "used up",
  "ended",
  "archived",
] as const;
export type PromotionStatus = (typeof promotionStatuses)[number];
export const audiences = ["anyone", "new", "existing", "listed", "first purchase"] as const;
export const durations = ["once", "periods", "for ever"] as const;
export const levels = ["line", "order"] as const;
export const stackings = ["exclusive", "stackable"] as const;

const positive = amount.min(1, "must be more than 0");

/** What a promotion says of money in one currency. */
const amounts = z.strictObject({
  currency,
  /** What a fixed one takes off. */
  off: positive.nullable().default(null),
  /** The least that has to be bought. */
  minimum: positive.nullable().default(null),
  /** The most that one use takes off. */
  cap: positive.nullable().default(null),
  /** The most that all uses take off. */
  budget: positive.nullable().default(null),
});

export const count = z
  .int()
  .min(1, "must be at least 1")
  .max(1_000_000_000, "is more than can be counted");

const details = z.strictObject({
  /** Seen by staff alone; buyers see the code. */
  name: text({ min: 1, max: 120 }),
  kind: z.enum(promotionKinds),
  /** Hundredths of a percent, of a percentage. */
  basisPoints: z
    .int()
    .min(1, "must be at least 0.01 %")
    .max(10_000, "must be at most 100 %")
    .nullable()
    .default(null),
  trialDays: z
    .int()
    .min(1, "must be at least 1")
    .max(730, "must be at most 730")
    .nullable()
    .default(null),
  featureId: id.nullable().default(null),
  value: value.nullable().default(null),
  /** How long the feature is given; without it, as long as what was bought. */
  featureDays: z.int().min(1).max(3650, "must be at most 3,650").nullable().default(null),
  level: z.enum(levels).default("line"),
  duration: z.enum(durations).default("once"),
  periods: z
    .int()
    .min(1, "must be at least 1")
    .max(120, "must be at most 120")
    .nullable()
    .default(null),
  startsAt: instant.nullable().default(null),
  endsAt: instant.nullable().default(null),
  maxUses: count.nullable().default(null),
  maxUsesPerUser: count.nullable().default(null),
  amounts: z.array(amounts).max(50).default([]),
  audience: z.enum(audiences).default("anyone"),
  /** Those who may use it, where it is for listed people. */
  people: z.array(email).max(1000).default([]),
  /** Which packages it counts for; none is all. */
  packageIds: z.array(id).max(200).default([]),
  intervals: z.array(z.enum(intervals)).max(intervals.length).default([]),
  stacking: z.enum(stackings).default("exclusive"),
  priority: z.int().min(-1000).max(1000).default(0),
  needsCode: z.boolean().default(true),
  /** One code that everybody uses; many are made apart. */
  code: text({ max: 60 }).nullable().default(null),
  /** Whether a full refund gives the use back. */
  returnsUse: z.boolean().default(false),
});
export type PromotionDetails = z.output<typeof details>;

type Complaint = [path: (string | number)[], message: string];

const repeats = (list: readonly string[], path: string, message: string): Complaint[] =>
  list.flatMap((one, place): Complaint[] =>
    list.indexOf(one) < place ? [[[path, place], message]] : [],
  );

/** What the fields say of one another. */
const complaintsOf = (given: PromotionDetails): Complaint[] => {
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
  for (const [path, message] of complaintsOf(given))
    context.addIssue({ code: "custom", path, message });
};

/** What somebody may write. */
export const promotionDetails = details.extend({ reason: reason.optional() }).superRefine(coherent);

const shownAmounts = amounts.extend({
  off: positive.nullable(),
  minimum: positive.nullable(),
  cap: positive.nullable(),
  budget: positive.nullable(),
  /** What was taken off so far. */
  given: amount,
});

const named = z.object({ id, name: plain });

export const promotionReply = z
  .object({
    id,
    name: plain,
    status: z.enum(promotionStatuses),
    kind: z.enum(promotionKinds),
    basisPoints: z.int().nullable(),
    trialDays: z.int().nullable(),
    feature: named.extend({ app: plain }).nullable(),
    value: value.nullable(),
    featureDays: z.int().nullable(),
    level: z.enum(levels),
    duration: z.enum(durations),
    periods: z.int().nullable(),
    startsAt: instant.nullable(),
    endsAt: instant.nullable(),
    maxUses: z.int().nullable(),
    maxUsesPerUser: z.int().nullable(),
    amounts: z.array(shownAmounts),
    audience: z.enum(audiences),
    people: z.int(),
    packages: z.array(named),
    intervals: z.array(z.enum(intervals)),
    stacking: z.enum(stackings),
    priority: z.int(),
    needsCode: z.boolean(),
    /** The one that everybody uses; null where there is none but those made apart. */
    code: plain.nullable(),
    codes: z.int(),
    returnsUse: z.boolean(),
    uses: z.int(),
    /** Once somebody used it, value, targets and audience stay. */
    isLocked: z.boolean(),
    version,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Promotion" });
export type Promotion = z.output<typeof promotionReply>;

export const promotionFields = {
  name: { kind: "text", sort: true },
  kind: { kind: "choice", options: promotionKinds },
  status: { kind: "choice", options: promotionStatuses },
  package: { kind: "relation" },
  uses: { kind: "number", sort: true },
  createdAt: { kind: "instant", sort: true },
  updatedAt: { kind: "instant", sort: true },
} as const satisfies Fields;

const act = z.strictObject({ reason: reason.optional() });
const counted = total.unwrap();

export const listPromotions = endpoint({
  method: "GET",
  path: "/promotions",
  summary: "List promotions",
  permission: "promotions:read",
  query: listQuery(promotionFields),
  reply: pageOf(promotionReply),
});

export const countPromotions = endpoint({
  method: "GET",
  path: "/promotions/counts",
  summary: "Count promotions by status",
  permission: "promotions:read",
  reply: z.object(
    Object.fromEntries(promotionStatuses.map((status) => [status, counted])) as Record<
      PromotionStatus,
      typeof counted
    >,
  ),
});

export const promotionColumns = [
  "id",
  "name",
  "status",
  "kind",
  "basisPoints",
  "trialDays",
  "duration",
  "startsAt",
  "endsAt",
  "uses",
  "maxUses",
  "code",
  "createdAt",
  "updatedAt",
] as const;

export const exportPromotions = endpoint({
  method: "GET",
  path: "/promotions/export",
  summary: "Take promotions away as a file: CSV, or one JSON document per line",
  permission: "promotions:read",
  query: exportQuery(promotionFields, promotionColumns),
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
    body: act,
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

/** Who else runs in the same time: what the form draws beside its own. */
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

/** Uses, money given away and money brought in, by currency; never summed across currencies. */
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
