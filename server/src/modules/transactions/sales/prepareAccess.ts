import { accessEndAfter } from "#modules/billing/gracePeriod.ts";
import {
  endSubscriptionGrants,
  endTransferredGrants,
  type GrantRow,
} from "#modules/billing/grantQueries.ts";
import {
  endPause,
  type Subscription,
  updateSubscription,
} from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { endSubscription } from "./endSubscription.ts";
import type { Item } from "./offerQueries.ts";
import type { Plan } from "./plan.ts";
import { findLastingFeatures } from "./saleQueries.ts";
import type { Access } from "./writeSaleQueries.ts";

/** What access depends on besides the plan. */
type Terms = {
  userId: string;
  zone: string;
  graceDays: number;
  hasTransferredGrants: boolean;
  /** The sale, if it is stored already. */
  transactionId: string | null;
};

type PaidLine = Item & Terms & { plan: Plan };

const periodOf = ({ plan: { period } }: PaidLine) => {
  if (!period) throw new Error("The plan of a subscription has no period.");
  return period;
};

const soldOf = ({ offer: { packageId, versionId }, quantity }: PaidLine) => ({
  packageId,
  versionId,
  quantity,
  source: "transaction" as const,
});

const startSubscription = async (db: Db, line: PaidLine): Promise<Access> => {
  const { userId, offer, quantity, plan, zone, graceDays } = line;
  const period = periodOf(line);
  const { packageId, group, versionId, priceId } = offer;
  const accessUntil = accessEndAfter(period.end, graceDays, zone);
  // A transferred grant would end with the other customer's next payment, so their own replaces it.
  if (line.hasTransferredGrants)
    await endTransferredGrants(db, { userId, packageId }, { at: period.start });
  const grant: GrantRow = {
    ...soldOf(line),
    startsAt: period.start,
    endsAt: accessUntil,
    // A sale recorded late may start before an earlier subscription to the package ended.
    isAfterOthers: true,
    isOfSubscription: true,
  };
  return {
    continuedId: null,
    starts: {
      packageId,
      group,
      versionId,
      priceId,
      quantity,
      status: "active",
      anchor: plan.anchor,
      periodStart: period.start,
      periodEnd: period.end,
      accessUntil,
    },
    grants: [grant],
    paid: plan.paid,
  };
};

const lastingGrants = async (
  db: Db,
  subscriptionId: string,
  period: Pick<GrantRow, "startsAt" | "endsAt"> & { sourceId?: string },
): Promise<GrantRow[]> =>
  (await findLastingFeatures(db, subscriptionId)).map(({ featureId, value }) => ({
    ...period,
    featureId,
    value,
    source: "promotion",
    isOfSubscription: true,
  }));

/** The next period starts where the last one ends, even if it is paid late. */
const addPeriod = async (
  db: Db,
  line: PaidLine,
  { id, periodNumber }: Subscription,
): Promise<Access> => {
  const { offer, quantity, plan, zone, graceDays } = line;
  const { anchor, resumesAt, paid } = plan;
  const period = periodOf(line);
  const { versionId, priceId } = offer;
  const accessUntil = accessEndAfter(period.end, graceDays, zone);
  await endSubscriptionGrants(db, id, { at: period.start });
  const grant = { ...soldOf(line), isOfSubscription: true };
  const grants: GrantRow[] = [];
  // The rest of the paused period comes first.
  if (resumesAt) {
    const left = { sourceId: `resumed ${id}`, startsAt: resumesAt, endsAt: period.start };
    await endPause(db, id, resumesAt);
    grants.push({ ...grant, ...left }, ...(await lastingGrants(db, id, left)));
  }
  grants.push({
    ...grant,
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
  return { continuedId: id, starts: null, grants, paid };
};

/** Ends the current subscription and starts one to another package of its group. */
const changePackage = async (db: Db, line: PaidLine, current: Subscription) => {
  const at = line.plan.period?.start ?? line.plan.anchor;
  await endSubscription(db, current.id, { at, exceptId: line.transactionId });
  return startSubscription(db, line);
};

/** Another quantity of the same package, for the rest of the period. */
const changeQuantity = async (
  db: Db,
  line: PaidLine,
  { id, accessUntil }: Subscription,
): Promise<Access> => {
  const { offer, quantity, plan } = line;
  const { versionId, priceId } = offer;
  const period = { startsAt: plan.period?.start ?? plan.anchor, endsAt: accessUntil };
  await endSubscriptionGrants(db, id, { at: period.startsAt });
  const lasting = await lastingGrants(db, id, period);
  await updateSubscription(db, id, { versionId, priceId, quantity });
  return {
    continuedId: id,
    starts: null,
    grants: [{ ...soldOf(line), ...period, isOfSubscription: true }, ...lasting],
    paid: plan.paid,
  };
};

/**
 * What a line of a paid sale gives: a new subscription, the next period of one, or a grant without an end. Ends what
 * it replaces. The rest is written with the sale.
 */
export const prepareAccess = async (db: Db, line: PaidLine): Promise<Access> => {
  const { plan } = line;
  const { current, makes } = plan;
  if (makes === "grant") {
    const grant = { ...soldOf(line), startsAt: plan.anchor, endsAt: null, isOfSubscription: false };
    return { continuedId: null, starts: null, grants: [grant], paid: null };
  }
  if (makes === "period" && current) return addPeriod(db, line, current);
  if (makes === "change" && current) return changePackage(db, line, current);
  if (makes === "quantity" && current) return changeQuantity(db, line, current);
  return startSubscription(db, line);
};
