import { quantityMax, type Value } from "@purser/contract/fields/values";
import type { Feature } from "../entitle.ts";
import type { World } from "../impact/impact.ts";
import type { Grant } from "./generated.testing.ts";

// The impact calculated customer by customer, as simply as possible. The product's calculation is compared
// with it, so it shares no code with it.

const amountOf = ({ kind, options }: Feature, value: Value) => {
  if (kind === "switch") return value === true ? 1 : 0;
  if (kind === "choice") return options.findIndex(({ code }) => code === value);
  return value === "unlimited" ? Number.POSITIVE_INFINITY : Number(value);
};

const amountFrom = (feature: Feature, values: readonly Value[]) => {
  if (values.length === 0) return amountOf(feature, feature.defaultValue);
  const amounts = values.map((value) => amountOf(feature, value));
  if (feature.combining === "largest") return Math.max(...amounts);
  const sum = amounts.reduce((one, other) => one + other, 0);
  return sum > quantityMax ? Number.POSITIVE_INFINITY : sum;
};

export type Customer = { grants: readonly Grant[]; used?: ReadonlyMap<string, number> };

const valueFrom = (grant: Grant, featureId: string, versions: World["versions"]) => {
  if ("version" in grant) return versions.get(grant.version)?.get(featureId);
  return grant.feature === featureId ? grant.value : undefined;
};

export const changesOf = ({ features, versions, migrated, draft }: World, { grants }: Customer) => {
  const later = new Map([...versions].map(([id, held]) => [id, migrated.has(id) ? draft : held]));
  return features.map((feature) => {
    const amountIn = (all: World["versions"]) =>
      amountFrom(
        feature,
        grants
          .map((grant) => valueFrom(grant, feature.id, all))
          .filter((value) => value !== undefined),
      );
    const [before, after] = [amountIn(versions), amountIn(later)];
    return { feature, before, after, gains: after > before, loses: after < before };
  });
};

export const nothing = { gain: 0, lose: 0, above: 0 };

export const expectedImpact = (world: World, customers: readonly Customer[]) => {
  const all = customers.map((customer) => ({ ...customer, changes: changesOf(world, customer) }));
  const tallyOf = (id: string) => {
    const changed = all.flatMap(({ changes, used }) =>
      changes
        .filter(({ feature }) => feature.id === id)
        .map((change) => ({ ...change, used: used?.get(id) ?? 0 })),
    );
    return {
      gain: changed.filter(({ gains }) => gains).length,
      lose: changed.filter(({ loses }) => loses).length,
      above: changed.filter(({ loses, used, after }) => loses && used > after).length,
    };
  };
  return {
    subscribers: customers.length,
    gain: all.filter(({ changes }) => changes.some(({ gains }) => gains)).length,
    lose: all.filter(({ changes }) => changes.some(({ loses }) => loses)).length,
    byFeature: new Map(world.features.map(({ id }) => [id, tallyOf(id)])),
  };
};
