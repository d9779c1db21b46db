import { formatMoney } from "@purser/contract/fields/amounts";
import type { Package } from "@purser/contract/packages/fields";
import type { VersionPrice } from "@purser/contract/packages/prices";
import type { Impact, publishPackage } from "@purser/contract/packages/publishing";
import type { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { findLastOnSale } from "../queries.ts";
import { samePrices } from "../rules.ts";
import { findVersion } from "../versions/versionQueries.ts";

export type Publishing = Pick<
  z.output<typeof publishPackage.body>,
  "note" | "rollout" | "rolloutAt" | "publishAt"
>;

/** "12.00 EUR per month, 120.00 EUR every 12 months". */
const priceLabels = (prices: readonly VersionPrice[]) =>
  prices
    .map(({ amount, currency, interval, intervalCount, perUnit }) => {
      const often = intervalCount === 1 ? `per ${interval}` : `every ${intervalCount} ${interval}s`;
      return `${formatMoney(amount, currency)} ${often}${perUnit ? " and unit" : ""}`;
    })
    .sort()
    .join(", ") || "None";

const rolloutLabels = ({ rollout, rolloutAt }: Publishing) => {
  switch (rollout) {
    case "new buyers":
      return "New buyers only";
    case "now":
      return "All subscribers, when published";
    case "renewal":
      return "Each subscriber at the next renewal";
    case "date":
      return `All subscribers on ${rolloutAt?.toISOString()}`;
  }
};

type Version = NonNullable<Awaited<ReturnType<typeof findVersion>>>;

type Change = { before: Version | undefined; next: Version | undefined };

/**
 * The versions that were last on sale and are scheduled next, if prices for new buyers would change or their trial
 * would be longer, which gives the package away for that time. The scheduled one is included because it is published later without another approval. The first prices of a package
 * count too; otherwise a copy of a package would be sold at any price.
 */
export const findPriceChange = async (
  db: Db,
  stored: Package,
  now: Date,
): Promise<Change | null> => {
  const read = (number: number | undefined) =>
    number === undefined ? undefined : findVersion(db, { packageId: stored.id, number, now });
  const before = await read(await findLastOnSale(db, stored.id));
  const next = await read(stored.scheduled?.number);
  const known = before ?? next;
  const isKept = known && samePrices(known, stored) && stored.trialDays <= known.trialDays;
  return isKept ? null : { before, next };
};

const newsOf = (known: Version | undefined, prices: VersionPrice[]) => {
  if (!known) return "its first prices";
  return samePrices(known, { prices }) ? "a longer trial" : "new prices";
};

export const priceChangeApproval = (
  { id, name, draft, prices, trialDays }: Package,
  { subscribers, lose, hash }: Impact,
  { before, next, ...how }: Publishing & Change,
) => ({
  entity: "packages",
  recordId: id,
  summary: `Publish version ${draft?.number} of ${name} with ${newsOf(before ?? next, prices)}`,
  facts: [
    {
      label: before && before.state !== "on sale" ? "Last prices on sale" : "Current prices",
      value: priceLabels(before?.prices ?? []),
    },
    { label: "New prices", value: priceLabels(prices) },
    ...(before && before.trialDays !== trialDays
      ? [{ label: "Trial days", value: `${trialDays} (currently ${before.trialDays})` }]
      : []),
    { label: "Subscribers", value: String(subscribers) },
    { label: "Migration", value: rolloutLabels(how) },
    ...(how.rollout === "new buyers"
      ? []
      : [{ label: "Subscribers who lose something", value: String(lose) }]),
    { label: "Publication", value: how.publishAt?.toISOString() ?? "When approved" },
    ...(next
      ? [
          {
            label: "Scheduled next",
            value: `Version ${next.number} on ${next.publishAt?.toISOString()}, ${priceLabels(next.prices)}`,
          },
        ]
      : []),
    { label: "Note", value: how.note },
  ],
  basis: { hash },
});
