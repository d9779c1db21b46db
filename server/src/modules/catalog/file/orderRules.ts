import { platforms } from "@purser/contract/apps/fields";
import type { Catalog } from "@purser/contract/catalog/catalog";
import type { Value } from "@purser/contract/fields/values";
import { intervals, type VersionPrice } from "@purser/contract/packages/prices";

/** Compares as JSON, because a file can't express any other difference. */
export const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one) === JSON.stringify(other);

// Compares code units and not by locale, so that every machine writes the same file.
const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
export const byCode = (one: { code: string }, other: { code: string }) =>
  compare(one.code, other.code);

export const platformsInOrder = (given: Catalog["apps"][number]["platforms"]) =>
  platforms.filter((platform) => given.includes(platform));

export const pricesInOrder = (prices: readonly VersionPrice[]) =>
  prices.toSorted(
    (one, other) =>
      compare(one.currency, other.currency) ||
      intervals.indexOf(one.interval) - intervals.indexOf(other.interval) ||
      one.intervalCount - other.intervalCount,
  );

const keysInOrder = <T>(record: Record<string, T>) =>
  Object.entries(record).toSorted(([one], [other]) => compare(one, other));

const contentsInOrder = (apps: Record<string, Record<string, Value>>) =>
  Object.fromEntries(
    keysInOrder(apps).map(([code, values]) => [code, Object.fromEntries(keysInOrder(values))]),
  );

const perUnitInOrder = (perUnit: Record<string, string[]>) =>
  Object.fromEntries(
    keysInOrder(perUnit)
      .filter(([, features]) => features.length > 0)
      .map(([code, features]) => [code, features.toSorted(compare)]),
  );

/** Sorts a catalog into its canonical order. Options keep theirs, because it has a meaning (lowest first). */
export const inOrder = ({ version, apps, packages }: Catalog): Catalog => ({
  version,
  apps: apps.toSorted(byCode).map((app) => ({
    ...app,
    platforms: platformsInOrder(app.platforms),
    features: app.features.toSorted(byCode),
  })),
  packages: packages.toSorted(byCode).map((one) => ({
    ...one,
    prices: pricesInOrder(one.prices),
    apps: contentsInOrder(one.apps),
    perUnit: perUnitInOrder(one.perUnit),
  })),
});
