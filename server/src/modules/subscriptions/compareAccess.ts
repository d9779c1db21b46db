import { rankOf, type Value, wordsOf } from "@purser/contract/fields/values";
import type { ComparedFeature } from "@purser/contract/subscriptions/endpoints";
import type { Db } from "#platform/db/db.ts";
import type { Subscription } from "../billing/subscriptionQueries.ts";
import type { Item } from "../transactions/sales/offerQueries.ts";
import { findVersionFeatures } from "../transactions/sales/saleQueries.ts";

type Feature = Awaited<ReturnType<typeof findVersionFeatures>>[number];

type Has = { one: Feature; value: Value };

/** A limit per unit is multiplied by the quantity. Features that are off count as missing. */
const readFeatures = async (db: Db, versionId: string, quantity: number) => {
  const features = (await findVersionFeatures(db, versionId)).map((one): Has => {
    const { value, perUnit } = one;
    return { one, value: perUnit && typeof value === "number" ? value * quantity : value };
  });
  return new Map(
    features
      .filter(({ one, value }) => rankOf(one, value) > 0)
      .map((feature) => [feature.one.id, feature]),
  );
};

const wordsFor = (has: Has | undefined) => (has ? wordsOf(has.one, has.value) : null);

const compared = ({ one: { app, feature } }: Has, before?: Has, after?: Has): ComparedFeature => ({
  app,
  feature,
  before: wordsFor(before),
  after: wordsFor(after),
});

/** The features that a customer gains, loses and has changed after a change. */
export const compareAccess = async (db: Db, own: Subscription, { offer, quantity }: Item) => {
  const before = await readFeatures(db, own.versionId, own.quantity);
  const after = await readFeatures(db, offer.versionId, quantity);
  const kept = [...before].flatMap(([id, old]) => {
    const next = after.get(id);
    return next && next.value !== old.value ? [compared(old, old, next)] : [];
  });
  return {
    gained: [...after].flatMap(([id, next]) =>
      before.has(id) ? [] : [compared(next, undefined, next)],
    ),
    lost: [...before].flatMap(([id, old]) => (after.has(id) ? [] : [compared(old, old)])),
    changed: kept,
  };
};
