import { z } from "zod";
import { keyKinds } from "../apps/keys.ts";
import { keyScopes } from "../auth/keyScopes.ts";
import { answerReasons } from "../entitlements/explanation.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { code, plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { cursor, wholeNumber } from "../http/list.ts";

/** The last 60 minutes, 24 hours or 30 days. */
export const integrationPeriods = ["hour", "day", "month"] as const;
export type IntegrationPeriod = (typeof integrationPeriods)[number];

/** By which figure features are listed, the largest first. */
export const checkedFeatureSorts = ["denied", "checks", "latency"] as const;
export type CheckedFeatureSort = (typeof checkedFeatureSorts)[number];

/** How long checks and denials are kept. */
export const checksKeptDays = 30;

const checks = z.int();
const durationMs = z.number().nullable();

/** What was asked for: a feature of the app, a code that it doesn't have, all of its features, or further codes. */
const askedKinds = ["feature", "unknown", "list", "other"] as const;

const askedFeature = z.object({
  kind: z.enum(askedKinds),
  /** Empty for lists and further codes. */
  code: plain,
  /** Null unless the app has the feature. */
  name: plain.nullable(),
  checks,
  denied: checks,
  /** Customers who were denied. Null if the figures are of one key, which isn't known by customer. */
  customers: z.object({ count: z.int(), isMore: z.boolean() }).nullable(),
});

const periodOfChecks = { period: z.enum(integrationPeriods).default("day") };

const checksOfReason = z.object({ reason: z.enum(answerReasons), checks });

const askingKey = z.object({
  id,
  name: plain,
  kind: z.enum(keyKinds),
  scopes: z.array(z.enum(keyScopes)),
  prefix: plain,
  lastUsedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  checks,
  denied: checks,
});

/** The steps to connect an app, each with when it was done first. */
const setup = z.object({
  /** Active API keys. */
  keys: z.int(),
  firstCheckAt: instant.nullable(),
  firstDeniedAt: instant.nullable(),
  /** Features whose usage is counted. */
  countedFeatures: z.int(),
  /** The first day with usage, in the company's time zone. */
  firstUsageDay: plain.nullable(),
  /** Active webhook endpoints of the workspace. */
  webhookEndpoints: z.int(),
  /** When a receiver first confirmed an event about the app. */
  webhookConfirmedAt: instant.nullable(),
});

export const getAppIntegration = endpoint({
  method: "GET",
  path: "/apps/:id/integration",
  summary: "Retrieve an app's checks, denials, latency and setup steps",
  permission: "apps:read",
  params: record,
  query: z.strictObject({
    ...periodOfChecks,
    /** Only checks with this API key. */
    key: id.optional(),
  }),
  reply: z
    .object({
      period: z.enum(integrationPeriods),
      from: instant,
      /** Servers add what they counted every few seconds. */
      asOf: instant,
      checks,
      denied: checks,
      /** The busiest minute, or the busiest hour of 30 days. */
      peak: z.object({ at: instant, perSecond: z.number(), seconds: z.int() }).nullable(),
      /** In milliseconds, estimated from ranges. Null without checks. */
      latency: z.object({ p50: durationMs, p95: durationMs, p99: durationMs }),
      /** By minute, half an hour or day. The last one isn't over yet. */
      points: z.array(
        z.object({
          at: instant,
          checks,
          denied: checks,
          perSecond: z.number(),
          p50: durationMs,
          p99: durationMs,
        }),
      ),
      /** Denials by reason, the most frequent first. */
      reasons: z.array(checksOfReason),
      /** By denials, and then by checks. */
      features: z.array(askedFeature),
      /** Active keys, and those used in the period. */
      keys: z.array(askingKey),
      setup,
    })
    .meta({ id: "AppIntegration" }),
});

export const listCheckedFeatures = endpoint({
  method: "GET",
  path: "/apps/:id/integration/features",
  summary: "List the features that an app checked, with their denials and latency",
  permission: "apps:read",
  params: record,
  query: z.strictObject({
    ...periodOfChecks,
    /** Only checks with this API key. */
    key: id.optional(),
    sort: z.enum(checkedFeatureSorts).default("denied"),
    /** How many features to skip, from `next` of an earlier response. */
    after: wholeNumber(0, 999_999).optional(),
  }),
  reply: z
    .object({
      period: z.enum(integrationPeriods),
      from: instant,
      asOf: instant,
      /** Of all pages. */
      total: z.int(),
      items: z.array(
        z.object({
          kind: z.enum(askedKinds),
          code: plain,
          name: plain.nullable(),
          checks,
          denied: checks,
          perMinute: z.number(),
          /** In milliseconds, estimated from ranges. Null for checks that an earlier version counted. */
          latency: z.object({ p50: durationMs, p99: durationMs }),
          /** Denials by reason, the most frequent first. */
          reasons: z.array(checksOfReason),
        }),
      ),
      next: z.int().nullable(),
    })
    .meta({ id: "CheckedFeatures" }),
});

export const listAppDenials = endpoint({
  method: "GET",
  path: "/apps/:id/denials",
  summary: "List an app's denials for one reason by customer, feature and day",
  permission: "users:read",
  params: record,
  query: z.strictObject({
    ...periodOfChecks,
    reason: z.enum(answerReasons),
    /** Only the feature with this code. */
    feature: code.optional(),
    /** The page after that row, from `next` of an earlier response. */
    after: cursor.optional(),
  }),
  reply: z
    .object({
      /** Denials are counted by day in the company's time zone, so the period has whole days. */
      from: plain,
      to: plain,
      /** The latest day first. Only known customers and features that the app has. */
      items: z.array(
        z.object({
          user: z.object({ id, name: plain, email: plain }),
          feature: z.object({ id, code: plain, name: plain }),
          day: plain,
          count: z.int(),
          lastAt: instant,
        }),
      ),
      next: plain.nullable(),
    })
    .meta({ id: "AppDenials" }),
});

export const listDenials = endpoint({
  method: "GET",
  path: "/users/:id/denials",
  summary: "List what a customer was denied in the last 30 days",
  permission: "users:read",
  params: record,
  reply: z.object({
    /** By app, feature and reason, the latest first. */
    items: z.array(
      z
        .object({
          app: z.object({ id, name: plain, icon: plain }),
          feature: z.object({ id, code: plain, name: plain }),
          reason: z.enum(answerReasons),
          count: z.int(),
          lastAt: instant,
        })
        .meta({ id: "Denial" }),
    ),
  }),
});
