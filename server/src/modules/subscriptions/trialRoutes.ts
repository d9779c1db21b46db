import { startTrial } from "@purser/contract/subscriptions/endpoints";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { addDays } from "#platform/periods.ts";
import { zoneOf } from "#platform/settings.ts";
import { accessEndOf } from "../billing/gracePeriod.ts";
import { insertGrant } from "../billing/grantQueries.ts";
import { insertSubscription } from "../billing/subscriptionQueries.ts";
import { identityOf, lockCustomerFor } from "../entitlements/customerQueries.ts";
import { approveAccess } from "../entitlements/grantApproval.ts";
import { refusalOfCustomer } from "../entitlements/rules.ts";
import type { Offer } from "../transactions/sales/offerQueries.ts";
import { readOffer, refusalOfAddOns } from "../transactions/sales/offers.ts";
import { findEarlierPackage, readShown } from "./queries.ts";
import { refusalToTry } from "./rules.ts";

/** Starts the free trial of an offer. Returns the subscription. */
export const beginTrial = async (
  db: Db,
  { userId, offer }: { userId: string; offer: Offer },
  { now, zone }: { now: Date; zone: string },
) => {
  const { packageId, versionId, priceId, group, trialDays } = offer;
  const end = addDays(now, trialDays, zone);
  const accessUntil = await accessEndOf(db, end, zone);
  // Paid periods are counted from the end of the trial.
  const id = await insertSubscription(db, {
    userId,
    packageId,
    group,
    versionId,
    priceId,
    status: "trialing",
    anchor: end,
    periodNumber: -1,
    periodStart: now,
    periodEnd: end,
    accessUntil,
  });
  await insertGrant(db, {
    userId,
    packageId,
    versionId,
    subscriptionId: id,
    source: "trial",
    sourceId: id,
    startsAt: now,
    endsAt: accessUntil,
  });
  return id;
};

export const trialRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(
    app,
    startTrial,
    async ({ db, body: { user, email, ...asked }, now, session, requireApproval }) => {
      const customer = await lockCustomerFor(
        db,
        session,
        await identityOf(db, { user, email }, session),
      );
      refuse(refusalOfCustomer(customer), [customer.name]);
      const offer = await readOffer(db, asked);
      const { packageId, group, interval } = offer;
      const userId = customer.id;
      refuse(await refusalOfAddOns(db, [{ offer, quantity: 1 }], { userId, at: now }));
      refuse(refusalToTry(offer, await findEarlierPackage(db, { userId, packageId, group })));
      if (interval === "once")
        throw invalidAt(
          "/interval",
          message(
            "interval_not_recurring",
            "Choose a price that renews. One-time prices have no trial.",
          ),
        );
      const zone = await findZone(db);
      const end = addDays(now, offer.trialDays, zone);
      const given = {
        packageId,
        endsAt: end,
        what: `Start a trial of ${offer.packageName}`,
        reason: "Trial",
      };
      await approveAccess(db, customer, given, { role: session.role, now, requireApproval });
      const id = await beginTrial(db, { userId, offer }, { now, zone });
      return readShown(db, id);
    },
  );
};
