import type { Package } from "@purser/contract/packages/fields";
import { offerOf, type VersionPrice } from "@purser/contract/packages/prices";
import { findEntriesOfRequests } from "#platform/audit/actions/actionQueries.ts";
import type { Entry } from "#platform/audit/activity.ts";
import type { DraftRevert } from "#platform/audit/revert.ts";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import { findPackage } from "../queries.ts";
import { refusalToStart } from "../rules.ts";
import { pairsIn } from "./history.ts";
import { findVersions } from "./versionQueries.ts";

/** A price that publishing changed, added or removed. */
type PriceChange = {
  offer: string;
  before: VersionPrice | null;
  after: VersionPrice | null;
};

type Prices = readonly VersionPrice[];

const isSame = (one: VersionPrice | null, other: VersionPrice | null) =>
  one?.amount === other?.amount && one?.perUnit === other?.perUnit;

const priceOf = (prices: Prices, offer: string) =>
  prices.find((price) => offerOf(price) === offer) ?? null;

const priceChanges = (before: Prices, after: Prices): PriceChange[] =>
  [...new Set([...before, ...after].map(offerOf))]
    .map((offer) => ({ offer, before: priceOf(before, offer), after: priceOf(after, offer) }))
    .filter((change) => !isSame(change.before, change.after));

/** Today's prices with the changed ones as they were before. */
const withFormerPrices = (prices: Prices, changes: readonly PriceChange[]) => [
  ...prices.filter((price) => changes.every(({ offer }) => offer !== offerOf(price))),
  ...changes.flatMap(({ before }) => before ?? []),
];

const changedSince = (prices: Prices, changes: readonly PriceChange[]) => {
  if (changes.every(({ offer, before }) => isSame(priceOf(prices, offer), before)))
    return message("revert_done", "This change was already reverted.");
  return changes.every(({ offer, after }) => isSame(priceOf(prices, offer), after))
    ? null
    : message(
        "revert_price_changed",
        "These prices were changed again later. Revert the later change first.",
      );
};

const refusalOf = (stored: Package, changes: readonly PriceChange[]) => {
  const { scheduled } = stored;
  if (scheduled)
    return message("package_scheduled", "Version {number} is scheduled. Unschedule it first.", {
      number: scheduled.number,
    });
  return refusalToStart(stored)?.detail ?? changedSince(stored.prices, changes);
};

/** Shown as in the history, where a price for one unit is an object. */
const shownPrice = (price: VersionPrice | null) => {
  if (!price) return null;
  const { amount, perUnit } = price;
  return perUnit ? { amount, perUnit } : amount;
};

/** Reverts the prices that this entry published. Null if it published none. */
export const planPriceRevert = async (
  db: Db,
  entry: Entry,
  now: Date,
): Promise<DraftRevert | null> => {
  const { requestId, recordId, after } = entry;
  if (!requestId || after?.["state"] !== "on sale") return null;
  const packageId = String(after["package_id"]);
  const entries = await findEntriesOfRequests(db, [requestId], 200);
  const pair = pairsIn(entries).find(({ nextId }) => nextId === recordId);
  const stored = await findPackage(db, packageId);
  if (!pair || !stored) return null;
  const versions = await findVersions(db, packageId, now);
  const pricesOf = (wanted: string) => versions.find(({ id }) => id === wanted)?.prices ?? [];
  const changes = priceChanges(pricesOf(pair.lastId), pricesOf(pair.nextId));
  if (changes.length === 0) return null;
  const refusal = refusalOf(stored, changes);
  if (refusal) return { refusal };
  return {
    sets: changes.map((change) => ({
      field: change.offer,
      from: shownPrice(change.after),
      to: shownPrice(change.before),
    })),
    values: { prices: withFormerPrices(stored.prices, changes) },
    review: `/package/publish/${packageId}`,
  };
};
