import {
  cancelSubscription,
  extendSubscription,
  getSubscription,
  keepSubscription,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
  subscriptionReply,
} from "@purser/contract/subscriptions/endpoints";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { addDays, resumedAt } from "#platform/periods.ts";
import { zoneOf } from "#platform/settings.ts";
import { accessEndOf } from "../billing/gracePeriod.ts";
import {
  endSubscriptionGrants,
  endTransferredGrants,
  insertGrant,
} from "../billing/grantQueries.ts";
import {
  endPause,
  type Subscription,
  startPause,
  updateSubscription,
} from "../billing/subscriptionQueries.ts";
import { readRecord } from "../entitlements/customerQueries.ts";
import { approveAccess } from "../entitlements/grantApproval.ts";
import { endSubscription, endWithPeriod } from "../transactions/sales/endSubscription.ts";
import { grantLastingFeatures } from "../transactions/sales/promotedFeatures.ts";
import { findFreeMs, findOrigin, findShownOf, readForUpdate, readShown } from "./queries.ts";
import {
  refusalToCancel,
  refusalToExtend,
  refusalToKeep,
  refusalToPause,
  refusalToResume,
} from "./rules.ts";

/** Undoes a scheduled cancellation: the grace period is back, in case the renewal is paid late. */
const keepRunning = async (db: Db, own: Subscription, zone: string) => {
  const { id, userId, packageId, versionId, quantity, periodEnd } = own;
  const accessUntil = await accessEndOf(db, periodEnd, zone);
  const grace = { sourceId: `kept ${id}`, startsAt: periodEnd, endsAt: accessUntil };
  const { isTrial, lineId } = await findOrigin(db, id);
  const grant = { userId, packageId, versionId, quantity, lineId, subscriptionId: id };
  if (accessUntil > periodEnd) {
    await insertGrant(db, { ...grant, ...grace, source: isTrial ? "trial" : "transaction" });
    await grantLastingFeatures(db, own, grace);
  }
  await updateSubscription(db, id, { status: isTrial ? "trialing" : "active", accessUntil });
};

/** The end that counts toward the limit: now, what was added free of charge before, and what is added. */
const freeUntil = async (db: Db, { id, accessUntil }: Subscription, next: Date, now: Date) =>
  new Date(now.getTime() + (await findFreeMs(db, id, now)) + (next.getTime() - +accessUntil));

export const subscriptionRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, listSubscriptions, async ({ db, params: { id }, session }) => {
    await readRecord(db, id, session);
    return { items: await findShownOf(db, id) };
  });

  serve(app, getSubscription, ({ db, params: { id } }) => readShown(db, id));

  serve(
    app,
    cancelSubscription,
    async ({ db, params: { id }, body: { when }, now, assertVersion }) => {
      const { shown, own } = await readForUpdate(db, id);
      refuse(refusalToCancel(assertVersion(shown, subscriptionReply), when));
      if (when === "period end") await endWithPeriod(db, own, now);
      else await endSubscription(db, id, { at: now, revokedAt: now });
      return readShown(db, id);
    },
  );

  serve(app, keepSubscription, async ({ db, params: { id }, assertVersion }) => {
    const { shown, own } = await readForUpdate(db, id);
    refuse(refusalToKeep(assertVersion(shown, subscriptionReply)));
    if (own.status === "ending") await keepRunning(db, own, await findZone(db));
    await updateSubscription(db, id, {
      changeVersionId: null,
      changePriceId: null,
      changeQuantity: null,
    });
    return readShown(db, id);
  });

  serve(app, extendSubscription, async (call) => {
    const { db, params, body, session, now, assertVersion, requireApproval } = call;
    const { id } = params;
    const { shown, own } = await readForUpdate(db, id);
    refuse(refusalToExtend(assertVersion(shown, subscriptionReply)));
    const zone = await findZone(db);
    const periodEnd = addDays(own.periodEnd, body.days, zone);
    const accessUntil = addDays(own.accessUntil, body.days, zone);
    const free = { packageId: own.packageId, endsAt: await freeUntil(db, own, accessUntil, now) };
    const what = `Extend ${own.packageName} by ${body.days} days`;
    const by = { role: session.role, now, requireApproval };
    await approveAccess(db, shown.user, { ...free, what, reason: body.reason }, by);
    const added = { startsAt: own.accessUntil, endsAt: accessUntil };
    await insertGrant(db, {
      userId: own.userId,
      packageId: own.packageId,
      versionId: own.versionId,
      quantity: own.quantity,
      ...added,
      subscriptionId: id,
      source: "manual",
      sourceId: session.userId,
      reason: body.reason,
    });
    await grantLastingFeatures(db, own, { sourceId: `extended ${id}`, ...added });
    // The new anchor makes the next period start at the extended end.
    await updateSubscription(db, id, {
      periodEnd,
      accessUntil,
      anchor: periodEnd,
      periodNumber: -1,
    });
    return readShown(db, id);
  });
};

/** Access stops, and so does the clock of the paid time. */
export const pause = async (db: Db, id: string, now: Date) => {
  await endSubscriptionGrants(db, id, { at: now });
  await startPause(db, id, now);
  await updateSubscription(db, id, { status: "paused", pausedAt: now });
};

/** Access continues for the time that was left. */
export const resume = async (
  db: Db,
  own: Subscription,
  { now, zone }: { now: Date; zone: string },
) => {
  const { id, userId, packageId, versionId, quantity } = own;
  const moved = resumedAt(own, now);
  const accessUntil = await accessEndOf(db, moved.periodEnd, zone);
  const left = { sourceId: `resumed ${id}`, startsAt: now, endsAt: accessUntil };
  const { lineId } = await findOrigin(db, id);
  const grant = { userId, packageId, versionId, quantity, lineId };
  await endPause(db, id, now);
  await endTransferredGrants(db, own, { at: now });
  await insertGrant(db, { ...grant, ...left, subscriptionId: id, source: "transaction" });
  await grantLastingFeatures(db, own, left);
  await updateSubscription(db, id, { status: "active", ...moved, accessUntil });
};

export const pauseRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, pauseSubscription, async ({ db, params: { id }, now, assertVersion }) => {
    const { shown } = await readForUpdate(db, id);
    refuse(refusalToPause(assertVersion(shown, subscriptionReply)));
    await pause(db, id, now);
    return readShown(db, id);
  });

  serve(app, resumeSubscription, async ({ db, params: { id }, now, assertVersion }) => {
    const { shown, own } = await readForUpdate(db, id);
    refuse(refusalToResume(assertVersion(shown, subscriptionReply)));
    await resume(db, own, { now, zone: await findZone(db) });
    return readShown(db, id);
  });
};
