import { closeSubscriptions, type SubscriptionEnd } from "#modules/billing/subscriptionQueries.ts";
import { changeBalances } from "#modules/ledger/queries.ts";
import type { Db } from "#platform/db/db.ts";
import { insertEventsOf } from "../events/eventQueries.ts";
import { findOpenChargesOf, setCanceled } from "../renewalQueries.ts";
import { cancelOpenCharges } from "./endSubscription.ts";

/** As `endSubscription`, for many locked subscriptions that end by themselves. */
export const endSubscriptions = async (db: Db, ends: readonly SubscriptionEnd[]) => {
  if (ends.length === 0) return;
  await closeSubscriptions(db, ends);
  const evidence = "The subscription ended.";
  const endOf = new Map(ends.map(({ id, at }) => [id, at]));
  const open = (await findOpenChargesOf(db, [...endOf.keys()])).flatMap((charge) => {
    const at = endOf.get(charge.subscriptionId);
    return at ? [{ ...charge, at }] : [];
  });
  // Credits and redemptions are returned one by one, because few charges hold any.
  for (const { subscriptionId, at } of open.filter(({ holdsMore }) => holdsMore))
    await cancelOpenCharges(db, subscriptionId, { at, why: evidence });
  const special = new Set(open.flatMap((one) => (one.holdsMore ? [one.subscriptionId] : [])));
  const plain = open.filter(({ subscriptionId }) => !special.has(subscriptionId));
  if (plain.length === 0) return;
  const canceled = { type: "canceled", source: "system", sourceId: null, evidence } as const;
  await insertEventsOf(
    db,
    plain.map(({ id, at }) => ({ transactionId: id, at, ...canceled })),
  );
  await setCanceled(
    db,
    plain.map(({ id }) => id),
  );
  await changeBalances(
    db,
    plain.map(({ id, userId, currency, taken }) => ({
      userId,
      currency,
      amount: taken,
      kind: "payment returned" as const,
      transactionId: id,
    })),
  );
};
