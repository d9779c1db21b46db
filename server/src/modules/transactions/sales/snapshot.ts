import { wordsOf } from "@purser/contract/fields/values";
import type { Snapshot } from "@purser/contract/transactions/endpoints";
import type { Item } from "./offerQueries.ts";
import type { Priced } from "./priceSale.ts";
import type { VersionFeature } from "./saleQueries.ts";

/** Features with their values as text. */
export const snapshotFeatures = (
  features: readonly VersionFeature[],
  quantity: number,
): Snapshot["features"] =>
  features.map(({ app, icon, feature, value, perUnit, id: _, ...shape }) => ({
    app,
    icon,
    feature,
    words: wordsOf(shape, perUnit && typeof value === "number" ? value * quantity : value),
  }));

type Details = Pick<Priced, "redemptions"> &
  Partial<Pick<Priced, "rejected"> & Pick<Snapshot, "trialDays">>;

/** Names, values and prices at the time of the sale. They stay readable after the catalog changes. */
export const snapshotOf = (
  { offer, quantity }: Item,
  features: readonly VersionFeature[],
  { redemptions, rejected = [], trialDays = 0 }: Details,
): Snapshot => ({
  credit: null,
  rejectedCodes: rejected.map(({ code }) => code),
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
  features: snapshotFeatures(features, quantity),
});
