import type { Value } from "@purser/contract/fields/values";
import { previewImpact } from "@purser/contract/packages/publishing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { testProduct } from "#testing.ts";
import type { Feature } from "../entitle.ts";
import { catalogs, insertCatalog } from "../testing/generated.testing.ts";
import {
  type Customer,
  changesOf,
  expectedImpact,
  nothing,
} from "../testing/impactModel.testing.ts";
import { emptyChange } from "../testing/testing.ts";
import type { World } from "./impact.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");

type Rows = Awaited<ReturnType<typeof readRows>>;

/** All stored rows that the impact depends on. */
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
      customer: string;
      version: string | null;
      feature: string;
      value: Value;
      starts: Date;
      ends: Date;
    }>(
      `select user_id as customer, version_id as version, feature_id as feature, value, starts_at as starts,
         ends_at as ends from grants where user_id = any ($1)`,
      userIds,
    ),
    uses: await read<{ customer: string; feature: string; used: number; since: Date | number }>(
      `select user_id as customer, feature_id as feature, used::int, window_start as since
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
    migrated: new Set(own.filter(({ state }) => state !== "draft").map(({ id }) => id)),
    draft,
  };
};

/** The subscribers at that moment with all their grants. */
const subscribersOf = ({ own, grants, uses }: Rows, at: Date) => {
  const inForce = grants.filter(({ starts, ends }) => starts <= at && ends > at);
  const ofPackage = inForce.filter(({ version }) => own.some(({ id }) => id === version));
  const lastMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1);
  return [...new Set(ofPackage.map(({ customer }) => customer))].map((id) => {
    const theirs = inForce
      .filter(({ customer }) => customer === id)
      .map(({ version, feature, value }) => (version ? { version } : { feature, value }));
    const used = new Map<string, number>();
    for (const one of uses)
      if (
        one.customer === id &&
        (typeof one.since === "number" || one.since.getTime() >= lastMonth)
      )
        used.set(one.feature, Math.max(one.used, used.get(one.feature) ?? 0));
    return { id, grants: theirs, used };
  });
};

const affected = (
  world: World,
  customers: (Customer & { id: string })[],
  effect: "gains" | "loses",
) =>
  customers
    .filter((customer) => changesOf(world, customer).some((change) => change[effect]))
    .map(({ id }) => id);

test(
  "shows the impact that the stored rows give, customer by customer",
  async () => {
    const runs = fc.asyncProperty(catalogs, async (catalog) => {
      const { packageId, appIds, userIds, idOf } = await insertCatalog(owner, catalog);
      const rows = await readRows(packageId, appIds, userIds);
      const change = {
        removed: catalog.removed.map(idOf),
        cells: catalog.cells.map(([feature, value]) => [idOf(feature), value] as const),
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
      const customers = subscribersOf(rows, new Date(body.asOf));
      const { byFeature, ...sums } = expectedImpact(world, customers);
      expect({ subscribers: body.subscribers, gain: body.gain, lose: body.lose }).toEqual(sums);
      for (const [id, tally] of byFeature) {
        const { gain, lose, above } =
          body.effects.find(({ feature }) => feature.id === id) ?? nothing;
        expect({ gain, lose, above }, id).toEqual(tally);
      }
      for (const [shown, effect] of [
        [body.losing, "loses"],
        [body.gaining, "gains"],
      ] as const) {
        const expected = affected(world, customers, effect);
        expect(shown).toHaveLength(Math.min(5, expected.length));
        expect(expected).toEqual(expect.arrayContaining(shown.map(({ id }) => id)));
      }
    });
    await fc.assert(runs, { numRuns: 30, endOnFailure: true });
  },
  patiently(120_000),
);
