import { formatMoney } from "@purser/contract/fields/money";
import { type Value, wordsOf } from "@purser/contract/fields/values";
import { type Package, packageReply } from "@purser/contract/packages/fields";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import type { Price } from "@purser/contract/packages/prices";
import {
  exportImpact,
  exportRolloutMoves,
  type Impact,
  impact as impactReply,
  listRolloutMoves,
  listRollouts,
  pauseRollout,
  previewImpact,
  publishPackage,
  resumeRollout,
  unschedulePackage,
} from "@purser/contract/packages/publishing";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveFile } from "#platform/lists/export.ts";
import { customersStatement, type PersonRow } from "./holderGroups.ts";
import { changesFor } from "./impact.ts";
import { publishScheduled, rollOut } from "./jobs.ts";
import { draftWith, findImpact, questionOf, unchanged } from "./preview.ts";
import { publishVersion, scheduleDraft, unscheduleVersion } from "./publish.ts";
import { findLastOnSale } from "./queries.ts";
import {
  findMoves,
  findRollout,
  findRollouts,
  lockRollout,
  movesStatement,
  setRolloutStatus,
} from "./rollouts.ts";
import { readLocked, readPackage } from "./routes.ts";
import { refusalOfDraft, samePrices, sameTerms } from "./rules.ts";
import { findValues, findVersion, findVersionApps } from "./versions.ts";

const noDraft = () =>
  new Problem("wrong_state", "The package has no draft. Start one to see what it would change.");

/** What is on sale, to tell the draft from it. */
const baseOf = async (db: Db, stored: Package, now: Date) => {
  if (!stored.onSale) return null;
  const { id, number } = stored.onSale;
  const version = await findVersion(db, { packageId: stored.id, number, now });
  const apps = await findVersionApps(db, [id]);
  return {
    apps: apps.map((app) => app.id).sort(),
    values: (await findValues(db, [id])).get(id) ?? new Map<string, Value>(),
    sameTerms: version !== undefined && sameTerms(version, stored),
  };
};

const impactOf = async (db: Db, stored: Package, change: MatrixChange, now: Date) => {
  if (!stored.draft) throw noDraft();
  const draft = await draftWith(db, stored, change);
  return findImpact(db, stored, { draft, base: await baseOf(db, stored, now), now });
};

const personRow = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  feature: z.string(),
  app: z.string(),
  before: z.string(),
  after: z.string(),
  effect: z.enum(["gain", "lose"]),
});

const moveRow = z.object({
  userId: z.uuid(),
  email: z.string(),
  name: z.string(),
  from: z.int(),
  outcome: z.enum(["moved", "at renewal", "stays"]),
  effectiveAt: z.date().nullable(),
});

export const impactRoutes = (app: FastifyInstance) => {
  serve(app, previewImpact, async ({ db, params: { id }, body, now }) =>
    impactOf(db, await readPackage(db, id), body, now),
  );

  serveFile(app, exportImpact, "impact", async ({ db, params: { id }, query, now }) => {
    const stored = await readPackage(db, id);
    if (!stored.draft) throw noDraft();
    const draft = await draftWith(db, stored, unchanged);
    const { features, world, population } = await questionOf(db, stored, draft, now);
    const byId = new Map(features.map((feature) => [feature.id, feature]));
    const read = ({ versions, extras, ...person }: PersonRow) =>
      changesFor(world, { versions, extras, people: 1 }).flatMap((change) => {
        const feature = byId.get(change.featureId);
        const effect = change.direction > 0 ? ("gain" as const) : ("lose" as const);
        if (!feature || (query.effect !== "any" && query.effect !== effect)) return [];
        const [before, after] = [change.before, change.after].map((one) => wordsOf(feature, one));
        return [{ ...person, feature: feature.name, app: feature.app, before, after, effect }];
      });
    return {
      ...customersStatement(population),
      columns: Object.keys(personRow.shape),
      row: personRow,
      read,
    };
  });
};

type Publishing = Pick<
  z.output<typeof publishPackage.body>,
  "note" | "rollout" | "rolloutAt" | "publishAt"
>;

const assertTimes = ({ publishAt, rolloutAt }: Publishing, now: Date) => {
  if (publishAt && publishAt <= now)
    throw invalidAt("/publishAt", "past", "must be later than now");
  if (rolloutAt && rolloutAt <= (publishAt ?? now))
    throw invalidAt("/rolloutAt", "past", "must be later than the publishing");
};

/** Nobody publishes what they have not seen: the impact at this moment must be the one that was shown. */
const assertShown = (current: Impact, hashSeen: string) => {
  const [obstacle] = current.obstacles;
  if (obstacle) throw new Problem("wrong_state", obstacle);
  if (current.hash !== hashSeen)
    throw new Problem(
      "impact_changed",
      "The draft or its holders changed since you looked. Look at what it changes now, then publish.",
      { current: z.encode(impactReply, current) },
    );
};

/** "12.00 EUR month, 120.00 EUR every 12 months". */
const priceLabels = (prices: readonly Price[]) =>
  prices
    .map(({ amount, currency, interval, intervalCount }) => {
      const often = intervalCount === 1 ? interval : `every ${intervalCount} ${interval}s`;
      return `${formatMoney(amount, currency)} ${often}`;
    })
    .sort()
    .join(", ") || "none";

const rolloutLabels = ({ rollout, rolloutAt }: Publishing) => {
  switch (rollout) {
    case "new buyers":
      return "none of them, only new buyers get it";
    case "now":
      return "all of them as soon as it is on sale";
    case "renewal":
      return "each at the next renewal";
    case "date":
      return `all of them from ${rolloutAt?.toISOString()}`;
  }
};

type Version = NonNullable<Awaited<ReturnType<typeof findVersion>>>;

type Change = { before: Version | undefined; next: Version | undefined };

/**
 * What is or was last on sale and what is scheduled to follow, if somebody who buys would pay another price. Nobody is
 * asked again at the time of a schedule: what it changes back is seen by whoever approves this.
 */
const findPriceChange = async (db: Db, stored: Package, now: Date): Promise<Change | null> => {
  const read = (number: number | undefined) =>
    number === undefined ? undefined : findVersion(db, { packageId: stored.id, number, now });
  const before = await read(await findLastOnSale(db, stored.id));
  const next = await read(stored.scheduled?.number);
  const known = before ?? next;
  return known && !samePrices(known, stored) ? { before, next } : null;
};

const publishForSecond = (
  { id, name, draft, prices, trialDays }: Package,
  { holders, lose, hash }: Impact,
  { before, next, ...how }: Publishing & Change,
) => ({
  entity: "packages",
  recordId: id,
  summary: `Publish version ${draft?.number} of ${name} with other prices`,
  facts: [
    {
      label: before && before.state !== "on sale" ? "Prices last on sale" : "Prices on sale",
      value: priceLabels(before?.prices ?? []),
    },
    { label: "Prices from then on", value: priceLabels(prices) },
    ...(before && before.trialDays !== trialDays
      ? [{ label: "Trial days", value: `${trialDays} instead of ${before.trialDays}` }]
      : []),
    { label: "Holders today", value: String(holders) },
    { label: "Holders move", value: rolloutLabels(how) },
    ...(how.rollout === "new buyers" ? [] : [{ label: "Have less then", value: String(lose) }]),
    { label: "Goes on sale", value: how.publishAt?.toISOString() ?? "once approved" },
    ...(next
      ? [
          {
            label: "Scheduled after it",
            value: `version ${next.number} at ${next.publishAt?.toISOString()}: ${priceLabels(next.prices)}`,
          },
        ]
      : []),
    { label: "Note", value: how.note },
  ],
  basis: { hash },
});

export const publishRoutes = (app: FastifyInstance) => {
  serve(app, publishPackage, async (call) => {
    const { db, params, body, now, session, enqueue, requireApproval } = call;
    const { id } = params;
    const { draftId, note, rollout: mode, rolloutAt, publishAt } = body;
    const stored = await readLocked(db, id);
    refuse(refusalOfDraft(stored, draftId));
    assertTimes(body, now);
    const impact = await impactOf(db, stored, unchanged, now);
    assertShown(impact, body.impact);
    const change = await findPriceChange(db, stored, now);
    if (change)
      await requireApproval("price", publishForSecond(stored, impact, { ...body, ...change }));
    const plan = { mode, at: rolloutAt?.toISOString() ?? null };
    const by = session.userId;
    if (publishAt) {
      if (stored.scheduled)
        throw new Problem(
          "wrong_state",
          `Version ${stored.scheduled.number} is already scheduled. Take it off the schedule first.`,
        );
      await scheduleDraft(db, draftId, { note, plan, by, at: publishAt });
      await enqueue(publishScheduled, { versionId: draftId }, publishAt);
    } else {
      const rollout = await publishVersion(db, stored, draftId, { note, plan, by, now });
      if (rollout) await enqueue(rollOut, { rolloutId: rollout.id }, rollout.startsAt);
    }
    return readPackage(db, id);
  });

  serve(app, unschedulePackage, async ({ db, params: { id }, assertVersion }) => {
    const { scheduled, draft } = assertVersion(await readLocked(db, id), packageReply);
    if (!scheduled) throw new Problem("wrong_state", "No version of this package is scheduled.");
    if (draft)
      throw new Problem(
        "wrong_state",
        `Version ${draft.number} is a draft already, and there can be only one. Discard it first.`,
      );
    await unscheduleVersion(db, scheduled.id);
    return readPackage(db, id);
  });
};

export const rolloutRoutes = (app: FastifyInstance) => {
  const readRollout = async (db: Db, id: string) => existing(await findRollout(db, id), "rollout");

  serve(app, listRollouts, async ({ db, params: { id } }) => {
    await readPackage(db, id);
    return { items: await findRollouts(db, id) };
  });

  serve(app, pauseRollout, async ({ db, params: { id } }) => {
    const { status } = existing(await lockRollout(db, id), "rollout");
    if (status !== "waiting" && status !== "running")
      throw new Problem("wrong_state", `Only a rollout under way can be paused. It is ${status}.`);
    await setRolloutStatus(db, id, "paused");
    return readRollout(db, id);
  });

  serve(app, resumeRollout, async ({ db, params: { id }, enqueue }) => {
    const { status, startsAt } = existing(await lockRollout(db, id), "rollout");
    if (status !== "paused")
      throw new Problem("wrong_state", `Only a paused rollout can go on. This one is ${status}.`);
    await setRolloutStatus(db, id, "waiting");
    await enqueue(rollOut, { rolloutId: id }, startsAt);
    return readRollout(db, id);
  });

  serve(app, listRolloutMoves, async ({ db, params: { id }, query: { after } }) => {
    await readRollout(db, id);
    return findMoves(db, id, after);
  });

  serveFile(app, exportRolloutMoves, "rollout", async ({ db, params: { id } }) => {
    await readRollout(db, id);
    return {
      ...movesStatement(id),
      columns: Object.keys(moveRow.shape),
      row: moveRow,
    };
  });
};
