import { combined, rankOf, type Shape, type Value } from "@purser/contract/fields/values";

/** What decides of a feature: how its values compare, and the answer without any grant. */
export type Feature = Shape & { id: string; defaultValue: Value };

/** The value that all of these give together; without one, the feature's default. */
export const entitledTo = (feature: Feature, values: readonly Value[]): Value => {
  const [first, ...rest] = values;
  return first === undefined ? feature.defaultValue : combined(feature, [first, ...rest]);
};

/** Above 0 is more, below 0 is less, 0 is the same. */
export const comparison = (feature: Feature, before: Value, after: Value) => {
  const [low, high] = [rankOf(feature, before), rankOf(feature, after)];
  return low === high ? 0 : high - low;
};
