import { z } from "zod";
import { id, instant, record } from "../fields/primitives.ts";
import { code, plain, text } from "../fields/text.ts";
import { combinings, featureKinds, value } from "../fields/values.ts";
import { endpoint } from "../http/endpoint.ts";
import { person } from "../packages/publishing.ts";
import { grantSources } from "./grants.ts";

/** Why somebody may use a feature, or may not. Sold apps may rely on these words. */
export const answerReasons = [
  "granted",
  "default",
  "over limit",
  "not granted",
  "used up",
  "suspended",
  "erased",
  "app inactive",
] as const;
export type AnswerReason = (typeof answerReasons)[number];

/** Why a grant counts for nothing at a moment. */
export const notCountedReasons = [
  "not begun",
  "ended",
  "shortened",
  "revoked",
  "moved",
  "superseded",
  "smaller",
  "suspended",
  "erased",
] as const;
export type NotCountedReason = (typeof notCountedReasons)[number];

const answer = {
  allowed: z.boolean(),
  reason: z.enum(answerReasons),
  /** Null where nothing may be used, whatever was given. */
  value: value.nullable(),
  /** How much of it there is; null where it is not counted, or without limit. */
  limit: z.number().nullable(),
  /** Null where it is not counted, and of the past, which keeps no counts. */
  used: z.number().nullable(),
  remaining: z.number().nullable(),
  /** When what was used is counted anew. */
  resetsAt: instant.nullable(),
};

const ofPackage = z.object({ id, name: plain, number: z.int() });

/** What a grant came from, as something to open. */
const cause = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("transaction"), id, number: plain, at: instant }),
  z.object({ kind: z.literal("staff"), id: id.nullable(), name: plain }),
  z.object({ kind: z.literal("trial"), subscriptionId: id }),
  z.object({ kind: z.literal("import"), name: plain }),
]);
export type Cause = z.output<typeof cause>;

/** One grant that has to do with the feature, counted or not. */
const line = z.object({
  grantId: id,
  source: z.enum(grantSources),
  package: ofPackage.nullable(),
  value,
  words: plain,
  cause,
  /** What the person who gave it said. */
  reason: plain.nullable(),
  startsAt: instant,
  endsAt: instant.nullable(),
  /** When the subscription behind it is paid for again. */
  renewsAt: instant.nullable(),
  isCounted: z.boolean(),
  /** Why it is not counted: as a word, and as a sentence. */
  notCounted: z
    .object({
      code: z.enum(notCountedReasons),
      sentence: plain,
      /** Who brought that about, and when. */
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
    combining: z.enum(combinings),
    enforcement: z.enum(["hard", "soft"]),
  }),
  app: z.object({ id, code: plain, name: plain, icon: plain }),
  ...answer,
  /** The value in words. */
  words: plain,
  /** When the value changes, as things are now. */
  until: z.object({ at: instant, isRenewal: z.boolean() }).nullable(),
  /** Every grant that has to do with it, those that count first, then the newest. */
  lines: z.array(line),
  /** How many more, older than those, count for nothing. */
  olderLines: z.int(),
  /** The feature's value without any grant, in words. */
  defaultLabels: plain,
  /** How it was reckoned, in one sentence. */
  rule: plain,
  /** Packages on sale now that would give more. */
  needs: z.array(z.object({ package: ofPackage, words: plain })),
});
export type Explained = z.output<typeof explained>;

export const getEntitlements = endpoint({
  method: "GET",
  path: "/users/:id/entitlements",
  summary: "Say what a person may use, or might at a past moment, and why",
  permission: "users:read",
  params: record,
  query: z.strictObject({ at: instant.optional() }),
  reply: z.object({
    person: person.extend({ status: z.enum(["invited", "active", "suspended", "erased"]) }),
    at: instant,
    /** Whether it is what was known at an earlier moment. */
    isPast: z.boolean(),
    /** The record that this one became part of, and those that became part of this one. */
    mergedInto: person.nullable(),
    mergedFrom: z.array(person),
    items: z.array(explained),
  }),
});

const behind = z.object({
  id,
  source: z.enum(grantSources),
  package: plain.nullable(),
  value,
  endsAt: instant.nullable(),
});

const checked = z
  .object({
    user: z.object({ id }),
    feature: z.object({ code: plain, kind: z.enum(featureKinds) }),
    ...answer,
    /** The grants that it is made of. */
    grants: z.array(behind),
    asOf: instant,
  })
  .meta({ id: "Check" });
export type Check = z.output<typeof checked>;

/** Whoever the sold app means: its own id for the person, ours, or the address. */
const user = text({ min: 1, max: 254 });

export const checkFeature = endpoint({
  method: "GET",
  path: "/check",
  summary: "Tell a sold app whether somebody may use one of its features now, and how much is left",
  permission: "app key",
  query: z.strictObject({ user, feature: code }),
  reply: checked,
  refusals: ["not_found"],
});

export const checkFeatures = endpoint({
  method: "GET",
  path: "/check/all",
  summary: "Tell a sold app of all its features whether somebody may use them now",
  permission: "app key",
  query: z.strictObject({ user }),
  reply: z.object({ items: z.array(checked), asOf: instant }),
  refusals: ["not_found"],
});

export const askAsApp = endpoint({
  method: "GET",
  path: "/users/:id/check",
  summary: "Show what a sold app is answered about a person, word for word",
  permission: "users:read",
  params: record,
  query: z.strictObject({ app: id, feature: code }),
  reply: z.object({
    /** The call as a line for a terminal; the key's place is left open. */
    command: plain,
    answer: checked,
  }),
});
