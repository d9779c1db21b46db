import type { Snapshot } from "@purser/contract/transactions/endpoints";
import type { Db } from "#platform/db/db.ts";
import { type Period, periodAt } from "#platform/periods.ts";
import { payWith } from "../../billing/credits.ts";
import type { Subscription } from "../../billing/subscriptionQueries.ts";
import { lockBalances } from "../../ledger/queries.ts";
import { priceOfPeriod } from "../../promotions/pricing/pricing.ts";
import { findRedeemedOf } from "../../promotions/pricing/queries.ts";
import { findManyTaxations } from "../../taxes/queries.ts";
import {
  findManySoldAt,
  type Item,
  type Offer,
  type SoldAt,
} from "../../transactions/sales/offerQueries.ts";
import { rhythmOf } from "../../transactions/sales/plan.ts";
import { amountOf, taxLines, totalsOf } from "../../transactions/sales/priceSale.ts";
import { countPaymentsOf, findFeaturesOfVersions } from "../../transactions/sales/saleQueries.ts";
import { snapshotOf } from "../../transactions/sales/snapshot.ts";
import { findSamePrices } from "./dueQueries.ts";

export type When = { now: Date; zone: string };

const keyOf = ({ versionId, priceId }: SoldAt) => `${versionId} ${priceId}`;

/** A planned change first, then the version of a rollout, else the current version and price. */
const choicesOf = (subscription: Subscription, samePriceId: string | undefined): SoldAt[] => {
  const { versionId, priceId, nextVersionId, changeVersionId, changePriceId } = subscription;
  return [
    ...(changeVersionId !== null && changePriceId !== null
      ? [{ versionId: changeVersionId, priceId: changePriceId }]
      : []),
    // A version without this interval is sold at the old price.
    ...(nextVersionId === null
      ? []
      : [{ versionId: nextVersionId, priceId: samePriceId ?? priceId }]),
    { versionId, priceId },
  ];
};

/** What each subscription is renewed with, in their order. */
const findItems = async (db: Db, subscriptions: readonly Subscription[]): Promise<Item[]> => {
  const moved = subscriptions.filter(({ nextVersionId }) => nextVersionId !== null);
  const samePrices = await findSamePrices(
    db,
    moved.map(({ id }) => id),
  );
  const choices = subscriptions.map((one) => choicesOf(one, samePrices.get(one.id)));
  const wanted = new Map(choices.flat().map((choice) => [keyOf(choice), choice]));
  const found = await findManySoldAt(db, [...wanted.values()]);
  const offers = new Map(found.map((offer) => [keyOf(offer), offer]));
  return subscriptions.map(({ id, quantity, changeQuantity }, place) => {
    const offer = (choices[place] ?? [])
      .map((choice) => offers.get(keyOf(choice)))
      .find((one) => one !== undefined);
    if (!offer) throw new Error(`The price of subscription ${id} was not found.`);
    return { offer, quantity: offer.perUnit ? (changeQuantity ?? quantity) : 1 };
  });
};

/** Counted from the anchor, or from the end of the period if the interval changes. */
const nextPeriod = (
  { anchor, interval, intervalCount, periodNumber, periodEnd }: Subscription,
  offer: Offer,
  zone: string,
): Period => {
  const next = rhythmOf(offer, periodEnd, zone);
  if (!next) throw new Error("A one-time purchase never renews.");
  const isSame = interval === offer.interval && intervalCount === offer.intervalCount;
  return isSame ? periodAt({ ...next, anchor }, periodNumber + 1) : periodAt(next, 0);
};

/** Discounts of the subscriptions that still last, with the tax of today. */
const priceRenewals = async (
  db: Db,
  subscriptions: readonly Subscription[],
  { items, now, zone }: When & { items: readonly Item[] },
) => {
  const ids = subscriptions.map(({ id }) => id);
  const redeemedOf = await findRedeemedOf(db, ids);
  const payments = await countPaymentsOf(db, ids);
  const sales = subscriptions.flatMap(({ userId }, place) => {
    const item = items[place];
    return item ? [{ item, userId, ...item.offer }] : [];
  });
  const taxations = await findManyTaxations(db, sales, { at: now, zone });
  return subscriptions.map(({ id }, place) => {
    const item = items[place];
    const taxation = taxations[place];
    if (!item || !taxation) throw new Error(`The tax of subscription ${id} was not found.`);
    const line = { ...item.offer, amount: amountOf(item), trialDays: 0 };
    const priced = priceOfPeriod(
      { lines: [line], redeemed: redeemedOf(id) },
      1 + (payments.get(id) ?? 0),
    );
    const { isIncluded, facts } = taxation;
    const lines = taxLines([item], priced.lines, { isIncluded, facts: [facts] }, null);
    return { lines, isTaxIncluded: isIncluded };
  });
};

const findSnapshots = async (db: Db, items: readonly Item[]) => {
  const versionIds = [...new Set(items.map(({ offer }) => offer.versionId))];
  const features = await findFeaturesOfVersions(db, versionIds);
  const taken = new Map<string, Snapshot>();
  return items.map((item) => {
    const key = `${keyOf(item.offer)} ${item.quantity}`;
    const known = taken.get(key);
    if (known) return known;
    const own = features.get(item.offer.versionId) ?? [];
    const snapshot = snapshotOf(item, own, { redemptions: [] });
    taken.set(key, snapshot);
    return snapshot;
  });
};

/** The prices of the next periods, without the balances of the customers. A provider that bills them uses no balance. */
export const draftRenewals = async (
  db: Db,
  subscriptions: readonly Subscription[],
  { now, zone }: When,
) => {
  const items = await findItems(db, subscriptions);
  const prices = await priceRenewals(db, subscriptions, { items, now, zone });
  const snapshots = await findSnapshots(db, items);
  return subscriptions.map((subscription, place) => {
    const { id, userId, billedBy } = subscription;
    const [item, priced, snapshot] = [items[place], prices[place], snapshots[place]];
    if (!item || !priced || !snapshot) throw new Error(`The price of ${id} was not found.`);
    const { packageId, versionId, priceId, currency } = item.offer;
    const { start, end } = nextPeriod(subscription, item.offer, zone);
    return {
      usesBalance: billedBy === null,
      packageName: item.offer.packageName,
      lines: priced.lines,
      renewal: {
        subscriptionId: id,
        userId,
        packageId,
        versionId,
        priceId,
        currency,
        ...totalsOf(priced.lines),
        taxIncluded: priced.isTaxIncluded,
        occurredAt: now,
        periodStart: start,
        periodEnd: end,
        snapshot,
      },
    };
  });
};

/**
 * The payments of the next periods, for locked subscriptions of different customers. Locks their balances. A provider
 * that bills the renewals charges the full amount.
 */
export const planRenewals = async (db: Db, subscriptions: readonly Subscription[], when: When) => {
  const drafts = await draftRenewals(db, subscriptions, when);
  const charged = drafts.filter(({ usesBalance }) => usesBalance);
  const balances = new Map(
    (
      await lockBalances(
        db,
        charged.map(({ renewal }) => renewal),
      )
    ).map(({ userId, amount }) => [userId, amount]),
  );
  return drafts.map(({ usesBalance, lines, renewal }) => {
    const balance = usesBalance ? (balances.get(renewal.userId) ?? 0) : 0;
    const { fromBalance, due } = payWith(renewal.total, { credited: 0, balance });
    return { lines, due, renewal: { ...renewal, balanceAmount: fromBalance } };
  });
};
