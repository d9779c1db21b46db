import { isCounted } from "@purser/contract/fields/values";
import type { Db } from "#platform/db/db.ts";
import { findUses, type Use } from "./counterQueries.ts";
import type { CheckedFeature, Moment } from "./factQueries.ts";
import { findPaidTimes } from "./paidPeriodQueries.ts";
import type { PaidTime } from "./paidWindows.ts";
import { type Window, windowAt } from "./windows.ts";

/** The window in which a feature is counted, and what was used of it. */
export type Counting = { window: Window; paid: PaidTime | null; use: Use | null };

/** How each of these features is counted for a customer. Past usage isn't stored. */
export const findCounting = async (
  db: Db,
  userId: string,
  features: readonly CheckedFeature[],
  { at, isPast, zone }: Moment & { zone: string },
) => {
  const counted = features.filter(isCounted);
  const paidTimes = await findPaidTimes(
    db,
    counted.map((feature) => ({ customer: userId, feature, at })),
  );
  const windows = counted.map((feature, place) => {
    const paid = paidTimes[place] ?? null;
    return { feature, paid, window: windowAt(feature, at, zone, paid) };
  });
  const uses = isPast
    ? []
    : await findUses(
        db,
        windows.map(({ feature, window }) => ({ customer: userId, feature, window, at })),
      );
  return new Map(
    windows.map(({ feature, ...own }, place): [string, Counting] => [
      feature.id,
      { ...own, use: uses[place] ?? null },
    ]),
  );
};

export const notCounted: Counting = { window: { start: null, end: null }, paid: null, use: null };
