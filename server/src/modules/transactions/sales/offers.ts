import { refusalToSell } from "#modules/packages/rules.ts";
import { findArchivedParts } from "#modules/packages/versions/archivedPartQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { type FoundOffer, findOffer, type Offer, type WantedOffer } from "./offerQueries.ts";

const isOnSale = (found: FoundOffer): found is FoundOffer & Offer =>
  found.versionId !== null && found.priceId !== null;

/** Refuses a version with archived apps or features. Renewals continue with it. */
export const assertSellable = async (
  db: Db,
  { packageName, versionId }: Pick<Offer, "packageName" | "versionId">,
) => refuse(refusalToSell(packageName, await findArchivedParts(db, versionId)));

export const readOffer = async (db: Db, wanted: WantedOffer): Promise<Offer> => {
  const offer = await findOffer(db, wanted);
  if (!offer) throw invalidAt("/packageId", message("package_unknown", "Choose a package."));
  const { packageName, status, versionId } = offer;
  if (status !== "active" || versionId === null)
    throw new Problem(
      "wrong_state",
      message("package_not_on_sale", "{packageName} isn't on sale. Publish a version first.", {
        packageName,
      }),
    );
  await assertSellable(db, { packageName, versionId });
  if (!isOnSale(offer))
    throw invalidAt(
      "/currency",
      message(
        "price_not_offered",
        "{packageName} has no price in this currency and billing period. Choose another one.",
        { packageName },
      ),
    );
  return offer;
};

export const unknownCode = (codes: readonly string[], unknown: string) =>
  invalidAt(
    `/codes/${codes.indexOf(unknown)}`,
    message("promotion_code_unknown", "No promotion has the code {code}.", { code: unknown }),
  );
