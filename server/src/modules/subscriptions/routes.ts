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
import { refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { zoneOf } from "#platform/settings.ts";
import { accessEndOf } from "../billing/gracePeriod.ts";
import {
  endSubscriptionGrants,
  endTransferredGrants,
  insertGrant,
} from "../billing/grantQueries.ts";
import { addDays, resumedAt } from "../billing/periods.ts";
import { endSubscription, updateSubscription } from "../billing/subscriptionQueries.ts";
import { readRecord } from "../entitlements/customerQueries.ts";
import { grantLastingFeatures } from "../transactions/sales/promotedFeatures.ts";
import { findShownOf, readForUpdate, readShown } from "./queries.ts";
import {
  refusalToCancel,
  refusalToExtend,
  refusalToKeep,
  refusalToPause,
  refusalToResume,
} from "./rules.ts";

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
      const { shown } = await readForUpdate(db, id);
      refuse(refusalToCancel(assertVersion(shown, subscriptionReply), when));
      if (when === "period end") await updateSubscription(db, id, { status: "ending" });
      else await endSubscription(db, id, { at: now, revokedAt: now });
      return readShown(db, id);
    },
  );

  serve(app, keepSubscription, async ({ db, params: { id }, assertVersion }) => {
    const { shown } = await readForUpdate(db, id);
    refuse(refusalToKeep(assertVersion(shown, subscriptionReply)));
    const status = shown.status === "ending" ? "active" : shown.status;
    await updateSubscription(db, id, { status, changeVersionId: null, changePriceId: null });
    return readShown(db, id);
  });

  serve(app, extendSubscription, async ({ db, params: { id }, body, session, assertVersion }) => {
    const { shown, own } = await readForUpdate(db, id);
    refuse(refusalToExtend(assertVersion(shown, subscriptionReply)));
    const zone = await findZone(db);
    const periodEnd = addDays(own.periodEnd, body.days, zone);
    const accessUntil = addDays(own.accessUntil, body.days, zone);
    const added = { startsAt: own.accessUntil, endsAt: accessUntil };
    await insertGrant(db, {
      userId: own.userId,
      packageId: own.packageId,
      versionId: own.versionId,
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

  serve(app, pauseSubscription, async ({ db, params: { id }, now, assertVersion }) => {
    const { shown } = await readForUpdate(db, id);
    refuse(refusalToPause(assertVersion(shown, subscriptionReply)));
    await endSubscriptionGrants(db, id, { at: now });
    await updateSubscription(db, id, { status: "paused", pausedAt: now });
    return readShown(db, id);
  });

  serve(app, resumeSubscription, async ({ db, params: { id }, now, assertVersion }) => {
    const { shown, own } = await readForUpdate(db, id);
    refuse(refusalToResume(assertVersion(shown, subscriptionReply)));
    const moved = resumedAt(own, now);
    const accessUntil = await accessEndOf(db, moved.periodEnd, await findZone(db));
    const left = { sourceId: `resumed ${id}`, startsAt: now, endsAt: accessUntil };
    const grant = { userId: own.userId, packageId: own.packageId, versionId: own.versionId };
    await endTransferredGrants(db, own, { at: now });
    await insertGrant(db, { ...grant, ...left, subscriptionId: id, source: "transaction" });
    await grantLastingFeatures(db, own, left);
    await updateSubscription(db, id, { status: "active", ...moved, accessUntil });
    return readShown(db, id);
  });
};
