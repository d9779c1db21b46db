import { z } from "zod";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, text, token } from "../fields/text.ts";
import { value } from "../fields/values.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { message } from "../messages/schema.ts";
import { packageReply } from "./fields.ts";
import { matrixChange } from "./matrix.ts";
import { shownFeature } from "./versions.ts";

/** How subscribers of older versions are migrated to a published one. */
export const rolloutModes = ["new buyers", "now", "renewal", "date"] as const;
export type RolloutMode = (typeof rolloutModes)[number];

export const userSummary = z.object({ id, name: plain, email: plain });

const effect = z.object({
  feature: shownFeature
    .pick({ id: true, code: true, name: true, kind: true, unit: true, reset: true, options: true })
    .extend({ app: plain }),
  /** Null if the version doesn't include it. */
  before: value.nullable(),
  after: value.nullable(),
  /** Customers who would have more or less of it, considering all their grants. */
  gain: z.int(),
  lose: z.int(),
  /** Of those who lose, customers who already use more than they would have. */
  above: z.int(),
  /** Whether the app reports the use of it, so that `above` tells who would notice. */
  isUseKnown: z.boolean(),
});

/** What migrating every subscriber to the draft would change now. */
export const impact = z
  .object({
    asOf: instant,
    /** Identifies this impact and the draft; sent when publishing. */
    hash: plain,
    /** Subscribers of other versions of the package. */
    subscribers: z.int(),
    /**
     * With more than 50,000 subscribers, they are added up by version without their other grants and use: at most so
     * many gain or lose. There are no samples then.
     */
    isAtMost: z.boolean(),
    gain: z.int(),
    lose: z.int(),
    effects: z.array(effect),
    /** Renewals whose price would change, by currency; never added up across currencies. */
    renewals: z.array(
      z.object({
        currency: plain,
        /** Subscriptions that renew in this currency, and how many of them at another price. */
        renewals: z.int(),
        changed: z.int(),
        /** In minor units, for those whose price changes. */
        before: z.int(),
        after: z.int(),
        /** Subscriptions whose interval is not in the draft, so they keep their price. */
        withoutPrice: z.int(),
        /** The change of monthly recurring revenue if all of them renew. */
        mrr: z.int(),
      }),
    ),
    /** When the last current period ends. */
    lastRenewal: instant.nullable(),
    losing: z.array(userSummary),
    gaining: z.array(userSummary),
    /** Drafts that publishing activates. */
    activates: z.object({ apps: z.array(plain), features: z.array(plain) }),
    /** Blocking issues. */
    blockingIssues: z.array(message),
    /** Whether publishing it requires approval. */
    requiresApproval: z.boolean(),
  })
  .meta({ id: "Impact" });
export type Impact = z.output<typeof impact>;

export const previewImpact = endpoint({
  method: "POST",
  path: "/packages/:id/impact",
  summary: "Preview how a draft affects subscribers",
  permission: "packages:read",
  params: record,
  body: matrixChange,
  reply: impact,
  keyed: false,
  bodyKbMax: 1024,
  refusals: ["wrong_state"],
});

export const exportImpact = endpoint({
  method: "GET",
  path: "/packages/:id/impact/customers",
  summary: "Export the customers affected by a draft",
  permission: "packages:export",
  proof: "recent",
  params: record,
  query: z.strictObject({
    format: z.enum(["csv", "jsonl"]).default("csv"),
    effect: z.enum(["lose", "gain", "any"]).default("any"),
  }),
  reply: plain,
  file: true,
  refusals: ["wrong_state"],
});

const note = text({ min: 1, max: 500 });

export const publishPackage = endpoint({
  method: "POST",
  path: "/packages/:id/publish",
  summary: "Publish or schedule a draft",
  permission: "packages:write",
  approval: "price",
  params: record,
  body: z
    .strictObject({
      draftId: id,
      /** Explains the version to the team. */
      note,
      rollout: z.enum(rolloutModes).default("new buyers"),
      /** When subscribers are migrated, for the rollout `date`. */
      rolloutAt: instant.nullable().default(null),
      /** When it goes on sale; immediately by default. */
      publishAt: instant.nullable().default(null),
      /** The hash of the impact that the user saw. */
      impact: token(
        /^[0-9a-f]{32}$/,
        rule("impact_hash_invalid", "Send the impact hash from the preview."),
      ),
    })
    .refine(({ rollout, rolloutAt }) => (rollout === "date") === (rolloutAt !== null), {
      path: ["rolloutAt"],
      error: rule(
        "rollout_date",
        "Choose a date to migrate subscribers, or choose another rollout.",
      ),
    }),
  reply: packageReply,
  refusals: ["wrong_state", "impact_changed"],
});

export const unschedulePackage = endpoint({
  method: "POST",
  path: "/packages/:id/unschedule",
  summary: "Cancel a scheduled publication",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: packageReply,
  versioned: true,
  refusals: ["wrong_state"],
});

export const rolloutStatuses = ["waiting", "running", "paused", "done"] as const;

const rollout = z
  .object({
    id,
    packageId: id,
    number: z.int(),
    mode: z.enum(["now", "renewal", "date"]),
    status: z.enum(rolloutStatuses),
    startsAt: instant,
    subscribers: z.int(),
    /** How many were migrated, will be at renewal, or keep their version because nothing renews. */
    migrated: z.int(),
    planned: z.int(),
    kept: z.int(),
    finishedAt: instant.nullable(),
    version,
    createdAt: instant,
  })
  .meta({ id: "Rollout" });
export type Rollout = z.output<typeof rollout>;

export const listRollouts = endpoint({
  method: "GET",
  path: "/packages/:id/rollouts",
  summary: "List a package's rollouts",
  permission: "packages:read",
  params: record,
  reply: z.object({ items: z.array(rollout) }),
});

export const pauseRollout = endpoint({
  method: "POST",
  path: "/rollouts/:id/pause",
  summary: "Pause a rollout",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: rollout,
  refusals: ["wrong_state"],
});

export const resumeRollout = endpoint({
  method: "POST",
  path: "/rollouts/:id/resume",
  summary: "Resume a rollout",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: rollout,
  refusals: ["wrong_state"],
});

export const listRolloutMigrations = endpoint({
  method: "GET",
  path: "/rollouts/:id/migrations",
  summary: "List the customers migrated by a rollout",
  permission: "packages:read",
  params: record,
  query: z.strictObject({ after: id.optional() }),
  reply: z.object({
    items: z.array(
      z.object({
        grantId: id,
        customer: userSummary,
        from: z.int(),
        outcome: z.enum(["migrated", "at renewal", "kept"]),
        effectiveAt: instant.nullable(),
      }),
    ),
    next: id.nullable(),
  }),
});

export const exportRolloutMigrations = endpoint({
  method: "GET",
  path: "/rollouts/:id/report",
  summary: "Export the customers migrated by a rollout",
  permission: "packages:export",
  proof: "recent",
  params: record,
  query: z.strictObject({ format: z.enum(["csv", "jsonl"]).default("csv") }),
  reply: plain,
  file: true,
});
