import fc from "fast-check";
import { expect, test } from "vitest";
import { all, anyFeature, anyValuesOf } from "../testing/arbitraries.ts";
import {
  featureIds,
  type Grant,
  grantOf,
  otherIds,
  ownIds,
  valueFor,
} from "../testing/generated.testing.ts";
import { expectedImpact, nothing } from "../testing/impactModel.testing.ts";
import { sumUp, type World } from "./impact.ts";

/** Features, versions of the package and of others, a draft, and customers with any of them. */
const worlds = all(featureIds.map(anyFeature)).chain((features) => {
  const grants = fc.oneof(grantOf(ownIds), grantOf(otherIds), valueFor(features));
  return fc.record({
    features: fc.constant(features),
    values: all([...ownIds, ...otherIds].map(() => anyValuesOf(features))),
    draft: anyValuesOf(features),
    customers: fc.array(fc.array(grants, { maxLength: 5 }), { maxLength: 12 }),
  });
});

/** Like the database, groups customers with equal grants. */
const groupsOf = (customers: readonly (readonly Grant[])[]) => {
  const held = customers.map((grants) => ({
    versions: grants.flatMap((grant) => ("version" in grant ? [grant.version] : [])).toSorted(),
    extras: grants.flatMap((grant) =>
      "feature" in grant ? [{ featureId: grant.feature, value: grant.value }] : [],
    ),
  }));
  return Map.groupBy(held, (one) => JSON.stringify(one))
    .values()
    .map((same) => ({ versions: [], extras: [], ...same[0], customers: same.length }))
    .toArray();
};

test("calculates the same impact as the sum over all customers", () => {
  fc.assert(
    fc.property(worlds, ({ features, values, draft, customers }) => {
      const versions = new Map(
        [...ownIds, ...otherIds].map((id, place) => [id, values[place] ?? new Map()]),
      );
      const world: World = { features, versions, migrated: new Set(ownIds), draft };
      const expected = expectedImpact(
        world,
        customers.map((grants) => ({ grants })),
      );
      const { byFeature, ...sums } = sumUp(world, groupsOf(customers));
      const { byFeature: expectedByFeature, ...expectedSums } = expected;
      expect(sums).toEqual(expectedSums);
      for (const { id } of features) {
        const { above: _, ...tally } = expectedByFeature.get(id) ?? nothing;
        expect(byFeature.get(id) ?? { gain: 0, lose: 0 }, id).toEqual(tally);
      }
    }),
    { numRuns: 2000 },
  );
});
