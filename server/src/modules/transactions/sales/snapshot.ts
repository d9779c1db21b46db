import { wordsOf } from "@purser/contract/fields/values";
import type { Snapshot } from "@purser/contract/transactions/endpoints";
import type { Db } from "#platform/db/db.ts";
import type { Offer } from "./offerQueries.ts";
import type { Priced } from "./priceSale.ts";
import { findVersionFeatures } from "./saleQueries.ts";

/** Names, values and prices at the time of the sale. They stay readable after the catalog changes. */
export const takeSnapshot = async (
  db: Db,
  offer: Offer,
  {
    redemptions,
    credit = null,
    trialDays = 0,
  }: Pick<Priced, "redemptions"> & Partial<Pick<Snapshot, "credit" | "trialDays">>,
): Promise<Snapshot> => ({
  credit,
  trialDays,
  package: offer.packageName,
  version: offer.version,
  interval: offer.interval,
  intervalCount: offer.intervalCount,
  price: offer.amount,
  promotions: redemptions.map(({ promotion, code, amount }) => ({
    promotionId: promotion.id,
    name: promotion.name,
    code,
    amount,
  })),
  features: (await findVersionFeatures(db, offer.versionId)).map(
    ({ app, icon, feature, value, ...shape }) => ({
      app,
      icon,
      feature,
      words: wordsOf(shape, value),
    }),
  ),
});
