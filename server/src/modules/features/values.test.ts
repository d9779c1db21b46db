import {
  type FeatureKind,
  featureKinds,
  quantityMax,
  refusalOfValue,
  unlimited,
  type Value,
  value,
} from "@purser/contract/fields/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { owner } = await testProduct();

const words = ["unlimited", "on", "10", "true", "false", "null", "-1", "bronze", "a_b", "a%b"];
const codes = fc.oneof(
  fc.constantFrom(...words),
  fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,4}[a-z0-9]$/),
);
const quantities = fc.oneof(
  fc.integer({ min: 0, max: quantityMax }),
  fc.constantFrom(0, -0, 1, 10, quantityMax),
);
const texts = fc.oneof(
  codes,
  fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
  fc.constantFrom('"', "\\", '{"code": "on"}', "[]", "Unlimited", "unlimited ", "٣", "１"),
);

/** Any value that the contract accepts, for any feature. */
const cases = fc.record({
  kind: fc.constantFrom(...featureKinds),
  options: fc.uniqueArray(fc.record({ code: codes, name: texts }), {
    maxLength: 5,
    selector: ({ code }) => code,
  }),
  given: fc
    .oneof<fc.Arbitrary<Value>[]>(fc.boolean(), quantities, codes, texts, fc.constant(unlimited))
    .map((one) => value.safeParse(one).data)
    .filter((one) => one !== undefined),
});
type Case = { kind: FeatureKind; options: { code: string; name: string }[]; given: Value };

const fitsAll = async (all: Case[]) => {
  const { rows } = await owner.query<{ fits: boolean }>(
    `select value_fits(kind, options, value) as fits
     from unnest($1::text[], $2::jsonb[], $3::jsonb[]) with ordinality as made (kind, options, value, place)
     order by place`,
    [
      all.map(({ kind }) => kind),
      all.map(({ options }) => JSON.stringify(options)),
      all.map(({ given }) => JSON.stringify(given)),
    ],
  );
  return rows.map(({ fits }) => fits);
};

test("contract and database accept the same values of a feature", async () => {
  const all = fc.sample(cases, 5000);
  const expected = all.map((one) => refusalOfValue(one, one.given) === null);
  // Both accepted and refused values must occur.
  for (const kind of featureKinds)
    expect(new Set(expected.filter((_, index) => all[index]?.kind === kind)).size).toBe(2);
  const actual = await fitsAll(all);
  const disagreeing = all.filter((_, index) => actual[index] !== expected[index]);
  expect(disagreeing).toEqual([]);
});

test.each(["-1", "1.5", "1e15", "1000000000000000", "null", "[]", '{"code": "on"}', '" 1"'])(
  "the database also refuses %s, which the contract never accepts",
  async (json) => {
    for (const kind of featureKinds) {
      const { rows } = await owner.query(
        `select value_fits($1, '[{"code": "on", "name": "On"}]', $2::jsonb) as fits`,
        [kind, json],
      );
      expect([kind, rows[0].fits ?? false]).toEqual([kind, false]);
    }
  },
);
