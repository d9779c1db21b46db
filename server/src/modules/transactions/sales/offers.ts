import type { Db } from "#platform/db/db.ts";
import { invalidAt, Problem } from "#platform/http/problem.ts";
import { type FoundOffer, findOffer, type Offer, type WantedOffer } from "./offerQueries.ts";

const isOnSale = (found: FoundOffer): found is FoundOffer & Offer =>
  found.versionId !== null && found.priceId !== null;

export const readOffer = async (db: Db, wanted: WantedOffer): Promise<Offer> => {
  const offer = await findOffer(db, wanted);
  if (!offer) throw invalidAt("/packageId", "unknown", "must be the id of a package");
  const { packageName, status, versionId } = offer;
  if (status !== "active" || versionId === null)
    throw new Problem(
      "wrong_state",
      `${packageName} is not on sale. Publish a version of it first.`,
    );
  if (!isOnSale(offer))
    throw invalidAt(
      "/currency",
      "not offered",
      `and the interval must be ones that ${packageName} is offered in`,
    );
  return offer;
};

export const unknownCode = (codes: readonly string[], unknown: string) =>
  invalidAt(
    `/codes/${codes.indexOf(unknown)}`,
    "unknown",
    `must be a code of a promotion; ${unknown} is none`,
  );
