import { accessEndOf } from "#modules/billing/gracePeriod.ts";
import {
  endSubscriptionGrants,
  endTransferredGrants,
  insertGrant,
} from "#modules/billing/grantQueries.ts";
import {
  endPause,
  insertSubscription,
  type Subscription,
  updateSubscription,
} from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { setLinePeriod } from "../lines/lineQueries.ts";
import { continuePromotions } from "./continuing.ts";
import { endSubscription } from "./endSubscription.ts";
import type { Item } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import { grantLastingFeatures, grantPromotedFeatures } from "./promotedFeatures.ts";
import { setSubscription } from "./saleQueries.ts";

type SoldLine = Item & { lineId: string };

type PaidLine = SoldLine & { transactionId: string; userId: string; plan: Plan; zone: string };

const startSubscription = async (db: Db, line: PaidLine) => {
  const { transactionId, lineId, userId, offer, quantity, plan, zone } = line;
  const { period, anchor } = plan;
  if (!period) throw new Error("The plan of a subscription has no period.");
  const { packageId, group, versionId, priceId } = offer;
  const accessUntil = await accessEndOf(db, period.end, zone);
  const subscriptionId = await insertSubscription(db, {
    userId,
    packageId,
    group,
    versionId,
    priceId,
    quantity,
    status: "active",
    anchor,
    periodStart: period.start,
    periodEnd: period.end,
    accessUntil,
  });
  // A transferred grant would end with the other customer's next payment, so their own replaces it.
  await endTransferredGrants(db, { userId, packageId }, { at: period.start });
  await insertGrant(db, {
    userId,
    packageId,
    versionId,
    quantity,
    lineId,
    subscriptionId,
    source: "transaction",
    sourceId: transactionId,
    startsAt: period.start,
    endsAt: accessUntil,
    // A sale recorded late may start before an earlier subscription to the package ended.
    isAfterOthers: true,
  });
  return subscriptionId;
};

/** The next period starts where the last one ends, even if it is paid late. */
const addPeriod = async (db: Db, line: PaidLine, { id, periodNumber }: Subscription) => {
  const { transactionId, lineId, userId, offer, quantity, plan, zone } = line;
  const { period, anchor, resumesAt } = plan;
  if (!period) throw new Error("The plan of a subscription has no period.");
  const { packageId, versionId, priceId } = offer;
  const accessUntil = await accessEndOf(db, period.end, zone);
  await endSubscriptionGrants(db, id, { at: period.start });
  const grant = { userId, packageId, versionId, quantity, lineId, subscriptionId: id };
  // The rest of the paused period comes first.
  if (resumesAt) {
    const left = { sourceId: `resumed ${id}`, startsAt: resumesAt, endsAt: period.start };
    await endPause(db, id, resumesAt);
    await insertGrant(db, { ...grant, ...left, source: "transaction" });
    await grantLastingFeatures(db, { id, userId }, left);
  }
  await insertGrant(db, {
    ...grant,
    source: "transaction",
    sourceId: transactionId,
    startsAt: period.start,
    endsAt: accessUntil,
    // An earlier subscription to the package may have ended after this period began.
    isAfterOthers: true,
  });
  await updateSubscription(db, id, {
    versionId,
    priceId,
    quantity,
    status: "active",
    // Periods after a pause are counted from another moment.
    anchor,
    periodNumber: periodNumber + 1,
    nextVersionId: null,
    periodStart: period.start,
    periodEnd: period.end,
    accessUntil,
  });
  return id;
};

/** Ends the current subscription and starts one to another package of its group. */
const changePackage = async (db: Db, line: PaidLine, current: Subscription) => {
  const at = line.plan.period?.start ?? line.plan.anchor;
  await endSubscription(db, current.id, { at, exceptId: line.transactionId });
  const id = await startSubscription(db, line);
  await continuePromotions(db, { fromId: current.id, toId: id, offer: line.offer });
  return id;
};

/** Another quantity of the same package, for the rest of the period. */
const changeQuantity = async (db: Db, line: PaidLine, { id, accessUntil }: Subscription) => {
  const { transactionId, lineId, userId, offer, quantity, plan } = line;
  const startsAt = plan.period?.start ?? plan.anchor;
  await endSubscriptionGrants(db, id, { at: startsAt });
  const { packageId, versionId, priceId } = offer;
  await insertGrant(db, {
    userId,
    packageId,
    versionId,
    quantity,
    lineId,
    subscriptionId: id,
    source: "transaction",
    sourceId: transactionId,
    startsAt,
    endsAt: accessUntil,
  });
  await grantLastingFeatures(
    db,
    { id, userId },
    { sourceId: transactionId, startsAt, endsAt: accessUntil },
  );
  await updateSubscription(db, id, { versionId, priceId, quantity });
  return id;
};

const grantLine = async (db: Db, line: PaidLine) => {
  const { transactionId, lineId, userId, offer, quantity, plan } = line;
  const { current, makes } = plan;
  if (makes === "grant") {
    const { packageId, versionId } = offer;
    const grant = { userId, packageId, versionId, quantity, lineId, subscriptionId: null };
    const source = { source: "transaction" as const, sourceId: transactionId };
    await insertGrant(db, { ...grant, ...source, startsAt: plan.anchor, endsAt: null });
    return null;
  }
  const subscriptionId =
    makes === "period" && current
      ? await addPeriod(db, line, current)
      : makes === "change" && current
        ? await changePackage(db, line, current)
        : makes === "quantity" && current
          ? await changeQuantity(db, line, current)
          : await startSubscription(db, line);
  await setLinePeriod(db, lineId, { subscriptionId, period: plan.paid });
  return subscriptionId;
};

type PaidSale = {
  transactionId: string;
  userId: string;
  sold: readonly SoldLine[];
  /** One for each line. */
  plans: readonly Plan[];
  zone: string;
};

/**
 * Turns each line of a paid sale into a new subscription, the next period of one, or a grant without an end.
 * Returns the subscription of the first line.
 */
export const grantSale = async (db: Db, { transactionId, userId, sold, plans, zone }: PaidSale) => {
  const subscriptionIds = [];
  for (const [place, line] of sold.entries()) {
    const plan = plans[place] as Plan;
    subscriptionIds.push(await grantLine(db, { ...line, transactionId, userId, plan, zone }));
  }
  const [subscriptionId = null] = subscriptionIds;
  const plan = plans[0] as Plan;
  await grantPromotedFeatures(db, { transactionId, userId, plan, zone }, subscriptionId);
  if (subscriptionId !== null)
    await setSubscription(db, transactionId, { subscriptionId, period: plan.period });
  return subscriptionId;
};
