import { grantAccess, listSubscribers, revokeAccess } from "@purser/contract/entitlements/grants";
import { refusalOfValue, type Value } from "@purser/contract/fields/values";
import type { FastifyInstance } from "fastify";
import { refusalToSell } from "#modules/packages/rules.ts";
import { findArchivedParts } from "#modules/packages/versions/archivedPartQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message, ruleMessage } from "#platform/messages.ts";
import { lockCustomerFor } from "./customerQueries.ts";
import { approveAccess } from "./grantApproval.ts";
import {
  findGrant,
  findOffer,
  findOtherOfGroup,
  insertManualGrant,
  lockFeature,
  lockGrant,
  lockOffer,
  revokeGrant,
} from "./queries.ts";
import {
  refusalOfCustomer,
  refusalOfFeature,
  refusalOfPackage,
  refusalOfSecondPackage,
  refusalToRevoke,
} from "./rules.ts";
import { findSubscribers } from "./subscriberQueries.ts";

const readGrant = async (db: Db, id: string) => existing(await findGrant(db, id), "grant");

type Period = { now: Date; endsAt: Date | null };

/** The version of a package to grant to this customer. */
const packageFor = async (
  db: Db,
  customer: { id: string; name: string },
  packageId: string,
  period: Period,
) => {
  const offer = existing(await lockOffer(db, packageId), "package");
  refuse(refusalOfPackage(offer));
  const versionId = offer.versionId ?? "";
  refuse(refusalToSell(offer.name, await findArchivedParts(db, versionId)));
  if (offer.group !== null)
    refuse(
      refusalOfSecondPackage(
        customer,
        offer,
        await findOtherOfGroup(db, customer.id, offer, period),
      ),
      [customer.name],
    );
  return { name: offer.name, packageId, versionId };
};

const featureFor = async (db: Db, featureId: string, value: Value) => {
  const feature = existing(await lockFeature(db, featureId), "feature");
  refuse(refusalOfFeature(feature));
  const complaint = refusalOfValue(feature, value);
  if (complaint !== null) throw invalidAt("/value", ruleMessage(complaint));
  return { name: feature.name, featureId, value };
};

export const grantRoutes = (app: FastifyInstance) => {
  serve(app, listSubscribers, async ({ db, params: { id }, query, now }) => {
    existing(await findOffer(db, id), "package");
    return findSubscribers(db, { packageId: id, ...query, now });
  });

  serve(app, grantAccess, async ({ db, body, now, session, requireApproval }) => {
    const { packageId, featureId, value, endsAt, reason } = body;
    if (endsAt && endsAt <= now)
      throw invalidAt("/endsAt", message("date_past", "Choose a date and time in the future."));
    const customer = await lockCustomerFor(db, session, body);
    refuse(refusalOfCustomer(customer), [customer.name]);
    const { name, ...granted } =
      packageId === undefined
        ? await featureFor(db, featureId ?? "", value ?? "")
        : await packageFor(db, customer, packageId, { now, endsAt });
    const given = { packageId, endsAt, reason, what: `Grant ${name}` };
    await approveAccess(db, customer, given, { role: session.role, now, requireApproval });
    const details = { now, endsAt, by: session.userId, reason };
    return readGrant(db, await insertManualGrant(db, customer.id, granted, details));
  });

  serve(app, revokeAccess, async ({ db, params: { id }, now }) => {
    refuse(refusalToRevoke(existing(await lockGrant(db, id), "grant"), now));
    await revokeGrant(db, id, now);
    return readGrant(db, id);
  });
};
