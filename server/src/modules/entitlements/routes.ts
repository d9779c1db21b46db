import { giveAccess, listHolders, revokeAccess } from "@purser/contract/entitlements/grants";
import { refusalOfValue, type Value } from "@purser/contract/fields/values";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { lockCustomer } from "./customerQueries.ts";
import {
  findGrant,
  findHeldOfGroup,
  findOffer,
  insertStaffGrant,
  lockFeature,
  lockGrant,
  lockOffer,
  revokeGrant,
} from "./queries.ts";
import {
  refusalBeside,
  refusalOfCustomer,
  refusalOfFeature,
  refusalOfPackage,
  refusalToRevoke,
} from "./rules.ts";
import { findSubscribers } from "./subscriberQueries.ts";

const readGrant = async (db: Db, id: string) => existing(await findGrant(db, id), "right");

type Period = { now: Date; endsAt: Date | null };

/** The version of a package that may be given to this person for that long. */
const packageFor = async (
  db: Db,
  person: { id: string; name: string },
  packageId: string,
  period: Period,
) => {
  const offer = existing(await lockOffer(db, packageId), "package");
  refuse(refusalOfPackage(offer));
  if (offer.group !== null)
    refuse(refusalBeside(person, offer, await findHeldOfGroup(db, person.id, offer, period)), [
      person.name,
    ]);
  return { packageId, versionId: offer.versionId ?? "" };
};

const featureFor = async (db: Db, featureId: string, value: Value) => {
  const feature = existing(await lockFeature(db, featureId), "feature");
  refuse(refusalOfFeature(feature));
  const complaint = refusalOfValue(feature, value);
  if (complaint !== null) throw invalidAt("/value", "unfit", complaint);
  return { featureId, value };
};

export const grantRoutes = (app: FastifyInstance) => {
  serve(app, listHolders, async ({ db, params: { id }, query, now }) => {
    existing(await findOffer(db, id), "package");
    return findSubscribers(db, { packageId: id, ...query, now });
  });

  serve(app, giveAccess, async ({ db, body, now, session }) => {
    const { packageId, featureId, value, endsAt, reason } = body;
    if (endsAt && endsAt <= now) throw invalidAt("/endsAt", "past", "must be later than now");
    const person = await lockCustomer(db, body);
    refuse(refusalOfCustomer(person), [person.name]);
    const right =
      packageId === undefined
        ? await featureFor(db, featureId ?? "", value ?? "")
        : await packageFor(db, person, packageId, { now, endsAt });
    const given = { now, endsAt, by: session.userId, reason };
    return readGrant(db, await insertStaffGrant(db, person.id, right, given));
  });

  serve(app, revokeAccess, async ({ db, params: { id }, now }) => {
    refuse(refusalToRevoke(existing(await lockGrant(db, id), "right"), now));
    await revokeGrant(db, id, now);
    return readGrant(db, id);
  });
};
