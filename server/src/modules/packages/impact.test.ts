import { quantityMax, type Value } from "@purser/contract/fields/values";
import { previewImpact } from "@purser/contract/packages/publishing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { testProduct } from "../../testing.ts";
import type { Feature } from "./entitle.ts";
import { sumUp, type World } from "./impact.ts";
import { all, anyFeature, anyValuesOf } from "./testing/arbitraries.ts";
import {
  catalogues,
  featureIds,
  insertCatalogue,
  otherIds,
  ownIds,
  type Right,
  rightTo,
  valueFor,
} from "./testing/generated.testing.ts";
import { emptyChange } from "./testing/testing.ts";

// Impact, reckoned person by person and as simply as can be. The product's way of counting is held
// against it, so it shares nothing with it but the words.

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

type Person = { rights: readonly Right[]; used?: ReadonlyMap<string, number> };

/** What one right gives of a feature. */
const valueFrom = (right: Right, featureId: string, versions: World["versions"]) => {
  if ("version" in right) return versions.get(right.version)?.get(featureId);
  return right.feature === featureId ? right.value : undefined;
};

const changesOf = ({ features, versions, moved, draft }: World, { rights }: Person) => {
  const later = new Map([...versions].map(([id, held]) => [id, moved.has(id) ? draft : held]));
  return features.map((feature) => {
    const amountIn = (all: World["versions"]) =>
      amountFrom(
        feature,
        rights
          .map((right) => valueFrom(right, feature.id, all))
          .filter((value) => value !== undefined),
      );
    const [before, after] = [amountIn(versions), amountIn(later)];
    return { feature, before, after, gains: after > before, loses: after < before };
  });
};

const nothing = { gain: 0, lose: 0, above: 0 };

const reckon = (world: World, people: readonly Person[]) => {
  const all = people.map((person) => ({ ...person, changes: changesOf(world, person) }));
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
    holders: people.length,
    gain: all.filter(({ changes }) => changes.some(({ gains }) => gains)).length,
    lose: all.filter(({ changes }) => changes.some(({ loses }) => loses)).length,
    byFeature: new Map(world.features.map(({ id }) => [id, tallyOf(id)])),
  };
};

// The sums themselves.

/** Features, versions of the package and of others, a draft, and people with any of them. */
const worlds = all(featureIds.map(anyFeature)).chain((features) => {
  const rights = fc.oneof(rightTo(ownIds), rightTo(otherIds), valueFor(features));
  return fc.record({
    features: fc.constant(features),
    values: all([...ownIds, ...otherIds].map(() => anyValuesOf(features))),
    draft: anyValuesOf(features),
    people: fc.array(fc.array(rights, { maxLength: 5 }), { maxLength: 12 }),
  });
});

/** As the database gives them: people who hold the same are one group. */
const groupsOf = (people: readonly (readonly Right[])[]) => {
  const held = people.map((rights) => ({
    versions: rights.flatMap((right) => ("version" in right ? [right.version] : [])).toSorted(),
    extras: rights.flatMap((right) =>
      "feature" in right ? [{ featureId: right.feature, value: right.value }] : [],
    ),
  }));
  return Map.groupBy(held, (one) => JSON.stringify(one))
    .values()
    .map((same) => ({ versions: [], extras: [], ...same[0], people: same.length }))
    .toArray();
};

test("the impact is the sum of what changes for each person, whatever they hold", () => {
  fc.assert(
    fc.property(worlds, ({ features, values, draft, people }) => {
      const versions = new Map(
        [...ownIds, ...otherIds].map((id, place) => [id, values[place] ?? new Map()]),
      );
      const world: World = { features, versions, moved: new Set(ownIds), draft };
      const expected = reckon(
        world,
        people.map((rights) => ({ rights })),
      );
      const { byFeature, ...sums } = sumUp(world, groupsOf(people));
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

// The same on the database, from rows to the answer.

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");

type Rows = Awaited<ReturnType<typeof readRows>>;

/** Everything that decides, as it is stored. */
const readRows = async (
  packageId: string,
  appIds: readonly string[],
  userIds: readonly string[],
) => {
  const read = async <Row extends object>(text: string, values: unknown) =>
    (await owner.query<Row>(text, [values])).rows;
  return {
    features: await read<Feature & { appId: string }>(
      `select id, app_id as "appId", kind, combining, options, reset, null as unit, default_value as "defaultValue"
       from features where app_id = any ($1)`,
      appIds,
    ),
    own: await read<{ id: string; state: string }>(
      "select id, state from package_versions where package_id = $1",
      packageId,
    ),
    values: await read<{ version: string; feature: string; value: Value }>(
      "select version_id as version, feature_id as feature, value from version_values where app_id = any ($1)",
      appIds,
    ),
    grants: await read<{
      person: string;
      version: string | null;
      feature: string;
      value: Value;
      starts: Date;
      ends: Date;
    }>(
      `select user_id as person, version_id as version, feature_id as feature, value, starts_at as starts,
         ends_at as ends from grants where user_id = any ($1)`,
      userIds,
    ),
    uses: await read<{ person: string; feature: string; used: number; since: Date | number }>(
      `select user_id as person, feature_id as feature, used::int, window_start as since
       from feature_use where user_id = any ($1)`,
      userIds,
    ),
  };
};

type Change = { removed: readonly string[]; cells: readonly (readonly [string, Value])[] };

const worldOf = ({ features, own, values }: Rows, { removed, cells }: Change): World => {
  const versions = Map.groupBy(values, ({ version }) => version);
  const valuesIn = (id: string) =>
    new Map(versions.get(id)?.map(({ feature, value }) => [feature, value]));
  const draft = valuesIn(own.find(({ state }) => state === "draft")?.id ?? "");
  for (const { id, appId } of features) if (removed.includes(appId)) draft.delete(id);
  for (const [feature, value] of cells) draft.set(feature, value);
  return {
    features,
    versions: new Map(
      [...versions.keys(), ...own.map(({ id }) => id)].map((id) => [id, valuesIn(id)]),
    ),
    moved: new Set(own.filter(({ state }) => state !== "draft").map(({ id }) => id)),
    draft,
  };
};

/** Who holds the package at that moment, each with everything that they hold then. */
const holdersOf = ({ own, grants, uses }: Rows, at: Date) => {
  const inForce = grants.filter(({ starts, ends }) => starts <= at && ends > at);
  const ofPackage = inForce.filter(({ version }) => own.some(({ id }) => id === version));
  const lastMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1);
  return [...new Set(ofPackage.map(({ person }) => person))].map((id) => {
    const rights = inForce
      .filter(({ person }) => person === id)
      .map(({ version, feature, value }) => (version ? { version } : { feature, value }));
    const used = new Map<string, number>();
    for (const one of uses)
      if (one.person === id && (typeof one.since === "number" || one.since.getTime() >= lastMonth))
        used.set(one.feature, Math.max(one.used, used.get(one.feature) ?? 0));
    return { id, rights, used };
  });
};

const affected = (world: World, people: (Person & { id: string })[], effect: "gains" | "loses") =>
  people
    .filter((person) => changesOf(world, person).some((change) => change[effect]))
    .map(({ id }) => id);

test(
  "what is shown before publishing is what the rows say, person by person",
  async () => {
    const runs = fc.asyncProperty(catalogues, async (catalogue) => {
      const { packageId, appIds, userIds, idOf } = await insertCatalogue(owner, catalogue);
      const rows = await readRows(packageId, appIds, userIds);
      const change = {
        removed: catalogue.removed.map(idOf),
        cells: catalogue.cells.map(([feature, value]) => [idOf(feature), value] as const),
      };
      const { status, body } = await call(admin, previewImpact, {
        params: { id: packageId },
        body: {
          ...emptyChange,
          removeApps: change.removed,
          cells: change.cells.map(([featureId, value]) => ({ featureId, value, was: null })),
        },
      });
      expect(status).toBe(200);
      const world = worldOf(rows, change);
      const people = holdersOf(rows, new Date(body.asOf));
      const { byFeature, ...sums } = reckon(world, people);
      expect({ holders: body.holders, gain: body.gain, lose: body.lose }).toEqual(sums);
      for (const [id, tally] of byFeature) {
        const { gain, lose, above } =
          body.effects.find(({ feature }) => feature.id === id) ?? nothing;
        expect({ gain, lose, above }, id).toEqual(tally);
      }
      for (const [shown, effect] of [
        [body.losers, "loses"],
        [body.gainers, "gains"],
      ] as const) {
        const expected = affected(world, people, effect);
        expect(shown).toHaveLength(Math.min(5, expected.length));
        expect(expected).toEqual(expect.arrayContaining(shown.map(({ id }) => id)));
      }
    });
    await fc.assert(runs, { numRuns: 30, endOnFailure: true });
  },
  patiently(120_000),
);
