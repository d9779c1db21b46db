import type { Value } from "@purser/contract/fields/values";
import { comparison, entitledTo, type Feature } from "../entitle.ts";

type Values = ReadonlyMap<string, Value>;

/** Customers with equal grants to versions and single features. */
export type Group = {
  /** The versions of all grants in force, one entry per grant. */
  versions: readonly string[];
  /** Values of single features, one entry per grant. */
  extras: readonly { featureId: string; value: Value }[];
  customers: number;
};

export type World = {
  features: readonly Feature[];
  /** The values of every version that a group has. */
  versions: ReadonlyMap<string, Values>;
  /** The versions of the package that the migration replaces. */
  migrated: ReadonlySet<string>;
  /** The values in the draft. */
  draft: Values;
};

type Change = { featureId: string; before: Value; after: Value; direction: number };

const valuesOf = (
  featureId: string,
  { versions, extras }: Group,
  valuesIn: (version: string) => Values | undefined,
) => [
  ...versions.flatMap((version) => valuesIn(version)?.get(featureId) ?? []),
  ...extras.filter((extra) => extra.featureId === featureId).map(({ value }) => value),
];

/**
 * What migrating a group to the draft changes, considering all their grants. Only features of which
 * they would have more or less are listed.
 */
export const changesFor = (world: World, group: Group): Change[] =>
  world.features.flatMap((feature) => {
    const before = entitledTo(
      feature,
      valuesOf(feature.id, group, (version) => world.versions.get(version)),
    );
    const after = entitledTo(
      feature,
      valuesOf(feature.id, group, (version) =>
        world.migrated.has(version) ? world.draft : world.versions.get(version),
      ),
    );
    const direction = comparison(feature, before, after);
    return direction === 0 ? [] : [{ featureId: feature.id, before, after, direction }];
  });

type Tally = { gain: number; lose: number };

export type Sums = Tally & { subscribers: number; byFeature: ReadonlyMap<string, Tally> };

/** Counts the customers who gain or lose, in total and by feature. */
export const sumUp = (world: World, groups: readonly Group[]): Sums => {
  const byFeature = new Map<string, Tally>();
  const sums = { subscribers: 0, gain: 0, lose: 0 };
  for (const group of groups) {
    const changes = changesFor(world, group);
    sums.subscribers += group.customers;
    if (changes.some(({ direction }) => direction > 0)) sums.gain += group.customers;
    if (changes.some(({ direction }) => direction < 0)) sums.lose += group.customers;
    for (const { featureId, direction } of changes) {
      const tally = byFeature.get(featureId) ?? { gain: 0, lose: 0 };
      if (direction > 0) tally.gain += group.customers;
      else tally.lose += group.customers;
      byFeature.set(featureId, tally);
    }
  }
  return { ...sums, byFeature };
};
