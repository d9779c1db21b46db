import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import {
  anyTick,
  momentOf,
  nameWorld,
  storeWorld,
  type World,
  worlds,
} from "../testing/arbitraryHistory.testing.ts";
import { type Expected, expectedOf } from "../testing/oracle.testing.ts";
import { explain } from "./explain.ts";

const { owner, platform } = await testProduct();

/** How many people are asked about at some moment; the nightly size is the figure of the specification. */
const answers = sized({ gate: 600, nightly: 10_000 });
const peoplePerWorld = 20;
const momentsPerPerson = 5;
const numRuns = Math.ceil(answers / (peoplePerWorld * momentsPerPerson));

const moments = fc.array(fc.record({ tick: anyTick, isPast: fc.boolean() }), {
  minLength: momentsPerPerson,
  maxLength: momentsPerPerson,
});

/** What the product answers, in the oracle's words. */
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
            lines.map(({ grantId, notCounted }) => [grantId, notCounted?.code ?? "counts"]),
          ),
        },
      ]),
  );
};

test(
  `what somebody may use, and why, is what the rules say, of ${numRuns * peoplePerWorld * momentsPerPerson} people and moments`,
  async () => {
    const client = await owner.connect();
    onTestFinished(() => client.release());
    await fc.assert(
      fc.asyncProperty(worlds, moments, async (generated, asked) => {
        const world = nameWorld(generated);
        await owner.query("truncate features, apps cascade");
        await storeWorld(client, world);
        const asks = world.people.flatMap((person) =>
          asked.map(async (moment) =>
            expect(await answered(world, person.id, moment), JSON.stringify(moment)).toEqual(
              expectedOf(world, person, moment),
            ),
          ),
        );
        await Promise.all(asks);
      }),
      { numRuns, endOnFailure: true },
    );
  },
  patiently(600_000),
);
