import { z } from "zod";
import { appStatus } from "../apps/fields.ts";
import { fallbacks } from "../features/fields.ts";
import { required } from "../fields/commonRules.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { code, plain } from "../fields/text.ts";
import { anchors, combinings, featureKinds, quantityMax, resets, value } from "../fields/values.ts";
import { endpoint } from "../http/endpoint.ts";
import { wholeNumber } from "../http/list.ts";
import { message } from "../messages/schema.ts";
import { userSummary } from "../packages/publishing.ts";
import { customerIdentifier } from "./customerTokens.ts";
import { grantSources } from "./grants.ts";

/** Why a customer can or can't use a feature. Sold apps rely on these values. */
export const answerReasons = [
  "granted",
  "default",
  "unlimited",
  "over soft limit",
  "unknown feature",
  "feature archived",
  "app inactive",
  "app suspended",
  "customer suspended",
  "customer erased",
  "not included",
  "not started",
  "expired",
  "revoked",
  "payment overdue",
  "paused",
  "limit reached",
  "amount exceeds remaining",
] as const;
export type AnswerReason = (typeof answerReasons)[number];

/** Why a grant doesn't apply at a moment. */
export const notAppliedReasons = [
  "not started",
  "ended",
  "shortened",
  "revoked",
  "transferred",
  "superseded",
  "smaller",
  "suspended",
  "erased",
  "app suspended",
] as const;
export type NotAppliedReason = (typeof notAppliedReasons)[number];

const answer = {
  allowed: z.boolean(),
  reason: z.enum(answerReasons),
  /** Null if the customer has no access at all. */
  value: value.nullable(),
  /** Null if it is not counted or unlimited. */
  limit: z.number().nullable(),
  /** Null if it is not counted, and in the past, for which use is not stored. */
  used: z.number().nullable(),
  remaining: z.number().nullable(),
  /** When the use resets. */
  resetsAt: instant.nullable(),
};

const ofPackage = z.object({ id, name: plain, number: z.int() });

/** The source of a grant, to link to. */
const cause = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("transaction"), id, number: plain, at: instant }),
  z.object({ kind: z.literal("team"), id: id.nullable(), name: plain }),
  z.object({ kind: z.literal("trial"), subscriptionId: id }),
  z.object({ kind: z.literal("import"), name: plain }),
]);
export type Cause = z.output<typeof cause>;

/** One grant of the feature, whether it applies or not. */
const line = z.object({
  grantId: id,
  source: z.enum(grantSources),
  package: ofPackage.nullable(),
  value,
  cause,
  /** The reason given by the team member who granted it. */
  reason: plain.nullable(),
  startsAt: instant,
  endsAt: instant.nullable(),
  /** When its subscription renews. */
  renewsAt: instant.nullable(),
  isApplied: z.boolean(),
  /** Why it doesn't apply, as a code and as a message. */
  notApplied: z
    .object({
      code: z.enum(notAppliedReasons),
      message,
      /** Who caused that, and when. */
      by: plain.nullable(),
      at: instant.nullable(),
    })
    .nullable(),
});
export type Line = z.output<typeof line>;

const explained = z.object({
  feature: z.object({
    id,
    code: plain,
    name: plain,
    kind: z.enum(featureKinds),
    unit: z.object({ one: plain, many: plain }).nullable(),
    reset: z.enum(resets).nullable(),
    anchor: z.enum(anchors),
    options: z.array(z.object({ code: plain, name: plain })),
    combining: z.enum(combinings),
    enforcement: z.enum(["hard", "soft"]),
  }),
  app: z.object({
    id,
    code: plain,
    name: plain,
    icon: plain,
    status: appStatus,
    suspendedAt: instant.nullable(),
  }),
  ...answer,
  /** When the counted period began. Null if it is not counted or never resets. */
  countedSince: instant.nullable(),
  /** The package whose subscription the counted period follows. Null if it follows the calendar. */
  countedWith: z.object({ package: plain }).nullable(),
  /** When the value changes next, as far as known. */
  until: z.object({ at: instant, isRenewal: z.boolean() }).nullable(),
  /** Grants of the feature: those that apply first, then the newest. */
  lines: z.array(line),
  /** The number of older grants that don't apply and are not listed. */
  olderLines: z.int(),
  defaultValue: value,
  /** How it was calculated. */
  rule: message,
  /** Packages on sale that would give more. */
  needs: z.array(z.object({ package: ofPackage, value })),
});
export type Explained = z.output<typeof explained>;

export const getEntitlements = endpoint({
  method: "GET",
  path: "/users/:id/entitlements",
  summary: "List a customer's entitlements, now or at a past time",
  permission: "users:read",
  params: record,
  query: z.strictObject({
    at: instant.optional(),
    /** Only this app. Without it, all apps of the company, or of very many those that the customer was granted. */
    app: id.optional(),
  }),
  reply: z.object({
    customer: userSummary.extend({ status: z.enum(["invited", "active", "suspended", "erased"]) }),
    at: instant,
    /** Whether it is calculated as of a past moment. */
    isPast: z.boolean(),
    /** The record that this one was merged into, and those merged into it. */
    mergedInto: userSummary.nullable(),
    mergedFrom: z.array(userSummary),
    items: z.array(explained),
    /** Whether the company has apps that aren't included. */
    hasOtherApps: z.boolean(),
  }),
});

const behind = z.object({
  id,
  source: z.enum(grantSources),
  package: plain.nullable(),
  value,
  endsAt: instant.nullable(),
});

export const checked = z
  .object({
    feature: z.object({ code: plain, kind: z.enum(featureKinds) }),
    ...answer,
    /** The grants that apply. */
    grants: z.array(behind),
    /** Whether more than the limit is denied or only reported. */
    enforcement: z.enum(["hard", "soft"]),
    /** What the app does if it has no answer. */
    fallback: z.enum(fallbacks),
    /** How long the app may keep the answer. */
    maxAgeSeconds: z.int(),
    /** How long it may keep the answer if Purser can't be reached. */
    staleIfErrorSeconds: z.int(),
    /** Grows with time. Send it as minVersion to get no older answer. */
    version: z.int(),
    /** Whether it is an older answer, because the database can't be reached. */
    isStale: z.boolean(),
    /** When it was read from the database. */
    asOf: instant,
  })
  .meta({ id: "Check" });
export type Check = z.output<typeof checked>;

/** As in a list of questions, in which a feature that the app doesn't have is denied like any other. */
export const answered = checked
  .extend({ feature: z.object({ code: plain, kind: z.enum(featureKinds).nullable() }) })
  .meta({ id: "AnsweredQuestion" });
export type Answered = z.output<typeof answered>;

/** Named in the request with a server key, or in the token with a publishable key. */
const user = customerIdentifier.optional();

const version = z.int().min(0);

/** The header Purser-Version of a change, so that the answer is no older than it. */
const minVersion = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional();

export const checkFeature = endpoint({
  method: "GET",
  path: "/check",
  summary: "Check whether a customer can use a feature",
  permission: "app key",
  publishable: true,
  query: z.strictObject({
    user,
    feature: code,
    /** How much the customer is about to use. By default 1. */
    amount: wholeNumber(1, quantityMax).default(1),
    minVersion,
  }),
  reply: checked,
  refusals: ["not_found"],
});

export const checkFeatures = endpoint({
  method: "GET",
  path: "/check/all",
  summary: "Check all features of the app for a customer",
  permission: "app key",
  publishable: true,
  query: z.strictObject({ user, minVersion }),
  reply: z.object({ items: z.array(checked), asOf: instant }),
});

/** How many questions a request may ask. */
export const questionsMax = 100;

export const checkQuestions = endpoint({
  method: "POST",
  path: "/checks",
  summary: "Check up to 100 features of any customers",
  permission: "app key",
  // Changes nothing.
  keyed: false,
  body: z.strictObject({
    questions: z
      .array(
        z.strictObject({
          user: customerIdentifier,
          feature: code,
          amount: z.int().min(1).max(quantityMax).default(1),
        }),
      )
      .min(1, required)
      .max(questionsMax),
    /** As of a version, like in the other checks. */
    minVersion: version.optional(),
  }),
  reply: z.object({
    /** In the order of the questions. */
    items: z.array(z.object({ user: plain, feature: plain, answer: answered })),
  }),
});

export const testCheck = endpoint({
  method: "GET",
  path: "/users/:id/check",
  summary: "Test an app's check for a customer",
  permission: "users:read",
  params: record,
  query: z.strictObject({
    app: id,
    feature: code,
    /** As the app would ask. */
    amount: wholeNumber(1, quantityMax).default(1),
  }),
  reply: z.object({
    /** The call as a shell command, without the key. */
    command: plain,
    answer: checked,
  }),
});
