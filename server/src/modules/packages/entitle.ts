import { combined, rankOf, type Shape, type Value } from "@purser/contract/fields/values";

/** What an entitlement is calculated from: how values compare, and the default value. */
export type Feature = Shape & { id: string; defaultValue: Value };

/** Combines the values; without any, the default value applies. */
export const entitledTo = (feature: Feature, values: readonly Value[]): Value => {
  const [first, ...rest] = values;
  return first === undefined ? feature.defaultValue : combined(feature, [first, ...rest]);
};

/** Positive if the customer gets more, negative if less. */
export const comparison = (feature: Feature, before: Value, after: Value) => {
  const [low, high] = [rankOf(feature, before), rankOf(feature, after)];
  return low === high ? 0 : high - low;
};
