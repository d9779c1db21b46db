import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import {
  anyTick,
  momentOf,
  nameWorld,
  type World,
  worlds,
} from "../testing/arbitraryHistory.testing.ts";
import { type Expected, expectedOf } from "../testing/oracle.testing.ts";
import { storeWorld } from "../testing/storeWorld.testing.ts";
import { explain } from "./explain.ts";

const { owner, platform } = await testProduct();

/** How many entitlements are compared. The nightly number is required by the specification. */
const answers = sized({ gate: 600, nightly: 10_000 });
const customersPerWorld = 20;
const momentsPerCustomer = 5;
const numRuns = Math.ceil(answers / (customersPerWorld * momentsPerCustomer));

const moments = fc.array(fc.record({ tick: anyTick, isPast: fc.boolean() }), {
  minLength: momentsPerCustomer,
  maxLength: momentsPerCustomer,
});

/** The product's answer in the format of the oracle. */
const answered = async (
  world: World,
  userId: string,
  { tick, isPast }: { tick: number; isPast: boolean },
) => {
  const { items } = await explain(platform.db, userId, { at: momentOf(tick), isPast });
  const own = new Set(world.features.map(({ id }) => id));
  return new Map<string, Expected>(
    items
      .filter(({ feature }) => own.has(feature.id))
      .map(({ feature, value, lines }) => [
        feature.id,
        {
          value,
          reasons: Object.fromEntries(
            lines.map(({ grantId, notApplied }) => [grantId, notApplied?.code ?? "counts"]),
          ),
        },
      ]),
  );
};

test(
  `explains entitlements as the rules say, for ${numRuns * customersPerWorld * momentsPerCustomer} customers and moments`,
  async () => {
    const client = await owner.connect();
    onTestFinished(() => client.release());
    await fc.assert(
      fc.asyncProperty(worlds, moments, async (generated, requested) => {
        const world = nameWorld(generated);
        await owner.query("truncate features, apps cascade");
        await storeWorld(client, world);
        const comparisons = world.customers.flatMap((customer) =>
          requested.map(async (moment) =>
            expect(await answered(world, customer.id, moment), JSON.stringify(moment)).toEqual(
              expectedOf(world, customer, moment),
            ),
          ),
        );
        await Promise.all(comparisons);
      }),
      { numRuns, endOnFailure: true },
    );
  },
  patiently(600_000),
);
