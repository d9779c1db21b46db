import { z } from "zod";
import { id, instant, record, version } from "../fields/primitives.ts";
import { plain, text, token } from "../fields/text.ts";
import { actionBody } from "../http/actions.ts";
import { endpoint } from "../http/endpoint.ts";
import { packageReply } from "./fields.ts";
import { matrixChange } from "./matrix.ts";

/** How the holders of older versions come to a published one. */
export const rolloutModes = ["new buyers", "now", "renewal", "date"] as const;
export type RolloutMode = (typeof rolloutModes)[number];

export const person = z.object({ id, name: plain, email: plain });

const effect = z.object({
  feature: z.object({ id, code: plain, name: plain, app: plain }),
  /** On sale and in the draft, each in words; null where it is not part of it. */
  before: plain.nullable(),
  after: plain.nullable(),
  /** People who would have more of it, and less, than they have now from everything they hold. */
  gain: z.int(),
  lose: z.int(),
  /** Of those who lose, people who already use more than they would have. */
  above: z.int(),
});

/** What moving every holder to the draft would do, at that moment. */
export const impact = z
  .object({
    asOf: instant,
    /** Stands for all of this and for the draft: publishing names it. */
    hash: plain,
    /** People who hold another version of the package. */
    holders: z.int(),
    gain: z.int(),
    lose: z.int(),
    effects: z.array(effect),
    /** The renewals that would be at another price, by currency; never summed across currencies. */
    renewals: z.array(
      z.object({
        currency: plain,
        /** Subscriptions that renew in it, and how many of them at another price. */
        renewals: z.int(),
        changed: z.int(),
        /** In minor units, over those whose price changes. */
        before: z.int(),
        after: z.int(),
        /** Subscriptions whose interval the draft no longer offers: they keep their price. */
        withoutPrice: z.int(),
      }),
    ),
    /** When the last of today's periods ends. */
    lastRenewal: instant.nullable(),
    losers: z.array(person),
    gainers: z.array(person),
    /** Drafts that publishing makes active. */
    activates: z.object({ apps: z.array(plain), features: z.array(plain) }),
    /** Why it cannot be published as it is. */
    obstacles: z.array(plain),
  })
  .meta({ id: "Impact" });
export type Impact = z.output<typeof impact>;

export const previewImpact = endpoint({
  method: "POST",
  path: "/packages/:id/impact",
  summary: "Say what the draft, with these changes, would do to the holders; nothing is stored",
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
  path: "/packages/:id/impact/people",
  summary:
    "Take away everybody whom the stored draft gives more or less, with what changes, as a file",
  permission: "packages:read",
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
  summary: "Publish the draft, now or at a time, bound to the impact that was shown",
  permission: "packages:write",
  approval: "price",
  params: record,
  body: z
    .strictObject({
      draftId: id,
      /** Why, for everybody who reads the versions later. */
      note,
      rollout: z.enum(rolloutModes).default("new buyers"),
      /** When holders move, with the rollout `date`. */
      rolloutAt: instant.nullable().default(null),
      /** When it goes on sale; without it, at once. */
      publishAt: instant.nullable().default(null),
      /** The hash of the impact that was shown. */
      impact: token(/^[0-9a-f]{32}$/, "must be the hash of an impact"),
    })
    .refine(({ rollout, rolloutAt }) => (rollout === "date") === (rolloutAt !== null), {
      path: ["rolloutAt"],
      error: "says when holders move, with the rollout from a date only",
    }),
  reply: packageReply,
  refusals: ["wrong_state", "impact_changed"],
});

export const unschedulePackage = endpoint({
  method: "POST",
  path: "/packages/:id/unschedule",
  summary: "Make a scheduled version a draft again",
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
    holders: z.int(),
    /** Of them, who has the version now, who gets it at the renewal, and who stays because nothing renews. */
    moved: z.int(),
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
  summary: "List the rollouts of a package, newest first",
  permission: "packages:read",
  params: record,
  reply: z.object({ items: z.array(rollout) }),
});

export const pauseRollout = endpoint({
  method: "POST",
  path: "/rollouts/:id/pause",
  summary: "Pause a rollout after the people it is moving",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: rollout,
  refusals: ["wrong_state"],
});

export const resumeRollout = endpoint({
  method: "POST",
  path: "/rollouts/:id/resume",
  summary: "Let a paused rollout go on",
  permission: "packages:write",
  params: record,
  body: actionBody,
  reply: rollout,
  refusals: ["wrong_state"],
});

export const listRolloutMoves = endpoint({
  method: "GET",
  path: "/rollouts/:id/moves",
  summary: "List who was moved by a rollout, and from which version",
  permission: "packages:read",
  params: record,
  query: z.strictObject({ after: id.optional() }),
  reply: z.object({
    items: z.array(
      z.object({
        grantId: id,
        person,
        from: z.int(),
        outcome: z.enum(["moved", "at renewal", "stays"]),
        effectiveAt: instant.nullable(),
      }),
    ),
    next: id.nullable(),
  }),
});

export const exportRolloutMoves = endpoint({
  method: "GET",
  path: "/rollouts/:id/report",
  summary: "Take away who was moved by a rollout as a file",
  permission: "packages:read",
  params: record,
  query: z.strictObject({ format: z.enum(["csv", "jsonl"]).default("csv") }),
  reply: plain,
  file: true,
});
