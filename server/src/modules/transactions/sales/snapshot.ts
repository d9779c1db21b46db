import { wordsOf } from "@purser/contract/fields/values";
import type { Snapshot } from "@purser/contract/transactions/endpoints";
import type { Db } from "#platform/db/db.ts";
import type { Item } from "./offerQueries.ts";
import type { Priced } from "./priceSale.ts";
import { findVersionFeatures } from "./saleQueries.ts";

/** Features with their values as text. */
export const snapshotFeatures = (
  features: Awaited<ReturnType<typeof findVersionFeatures>>,
  quantity: number,
): Snapshot["features"] =>
  features.map(({ app, icon, feature, value, perUnit, id: _, ...shape }) => ({
    app,
    icon,
    feature,
    words: wordsOf(shape, perUnit && typeof value === "number" ? value * quantity : value),
  }));

type Terms = Pick<Priced, "redemptions"> &
  Partial<Pick<Priced, "rejected"> & Pick<Snapshot, "trialDays">>;

/** Names, values and prices at the time of the sale. They stay readable after the catalog changes. */
export const snapshotOf = (
  { offer, quantity }: Item,
  features: Parameters<typeof snapshotFeatures>[0],
  { redemptions, rejected = [], trialDays = 0 }: Terms,
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

export const takeSnapshot = async (db: Db, item: Item, terms: Terms) =>
  snapshotOf(item, await findVersionFeatures(db, item.offer.versionId), terms);
