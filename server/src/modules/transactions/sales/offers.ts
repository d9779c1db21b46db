import { refusalToSell } from "#modules/packages/rules.ts";
import {
  type ArchivedPart,
  findArchivedParts,
} from "#modules/packages/versions/archivedPartQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { fieldError, invalidAt, Problem, type Refusal, refuse } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import {
  type FoundOffer,
  findOffer,
  type Item,
  type Offer,
  type WantedOffer,
} from "./offerQueries.ts";
import type { Priced } from "./priceSale.ts";
import { hasBase } from "./saleQueries.ts";

const isOnSale = (found: FoundOffer): found is FoundOffer & Offer =>
  found.versionId !== null && found.priceId !== null;

/** Refuses a version with archived apps or features. Renewals continue with it. */
export const assertSellable = async (
  db: Db,
  { packageName, versionId }: Pick<Offer, "packageName" | "versionId">,
) => refuse(refusalToSell(packageName, await findArchivedParts(db, versionId)));

/** The offer of a package that can be sold. Refuses one with archived apps or features, among other things. */
export const offerOf = (
  offer: FoundOffer | undefined,
  archived: readonly ArchivedPart[],
): Offer => {
  if (!offer) throw invalidAt("/packageId", message("package_unknown", "Choose a package."));
  const { packageName, status, versionId } = offer;
  if (status !== "active" || versionId === null)
    throw new Problem(
      "wrong_state",
      message("package_not_on_sale", "{packageName} isn't on sale. Publish a version first.", {
        packageName,
      }),
    );
  refuse(refusalToSell(packageName, archived));
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

export const readOffer = async (db: Db, wanted: WantedOffer): Promise<Offer> => {
  const found = await findOffer(db, wanted);
  return offerOf(found, found?.versionId ? await findArchivedParts(db, found.versionId) : []);
};

/** Only a price per unit has a quantity. */
export const refusalOfQuantity = ({ offer, quantity }: Item, place: number): Refusal | null => {
  if (quantity === 1 || offer.perUnit) return null;
  const detail = message("quantity_not_offered", "{packageName} is sold once, not per unit.", {
    packageName: offer.packageName,
  });
  const pointer = place === 0 ? "/quantity" : `/addOns/${place - 1}/quantity`;
  return { code: "invalid", detail, errors: [fieldError(pointer, detail)] };
};

/** An add-on needs a base package, which may be sold together with it. */
export const refusalOfAddOns = async (
  db: Db,
  items: readonly Item[],
  { userId, at }: { userId: string; at: Date },
): Promise<Refusal | null> => {
  for (const { offer } of items) {
    if (offer.kind === "base") continue;
    const isSold = items.some(
      ({ offer: { kind, group } }) =>
        kind === "base" &&
        (offer.baseGroups.length === 0 || offer.baseGroups.includes(group ?? "")),
    );
    if (isSold || (await hasBase(db, { userId, groups: offer.baseGroups, at }))) continue;
    return {
      code: "wrong_state",
      detail: message(
        "add_on_without_base",
        "{packageName} is an add-on. Sell a base package to this customer first.",
        { packageName: offer.packageName },
      ),
    };
  }
  return null;
};

/** A code that doesn't apply stops the sale, because the customer expects its price. */
export const refusalOfCodes = ([rejected]: Priced["rejected"]): Refusal | null =>
  rejected
    ? {
        code: "wrong_state",
        detail: message(
          "promotion_code_rejected",
          "The code {code} doesn't apply. Remove it, or confirm the price without it.",
          { code: rejected.code },
        ),
      }
    : null;

export const unknownCode = (codes: readonly string[], unknown: string) =>
  invalidAt(
    `/codes/${codes.indexOf(unknown)}`,
    message("promotion_code_unknown", "No promotion has the code {code}.", { code: unknown }),
  );
