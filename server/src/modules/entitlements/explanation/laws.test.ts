import type { Explained } from "@purser/contract/entitlements/explanation";
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
import { checkMany } from "./check.ts";
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
  const { items } = await explain(platform.db, userId, {
    at: momentOf(tick),
    isPast,
    zone: "UTC",
  });
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

type Moment = { tick: number; isPast: boolean };

const answerOf = <
  A extends Pick<Explained, "allowed" | "reason" | "value" | "limit" | "remaining">,
>({
  allowed,
  reason,
  value,
  limit,
  remaining,
}: A) => ({ allowed, reason, value, limit, remaining });

/** The answers that apps get at a moment, and the explanations that the team sees. */
const answersTwice = async (userId: string, { tick }: Moment) => {
  const at = momentOf(tick);
  const { items } = await explain(platform.db, userId, { at, isPast: false, zone: "UTC" });
  const byApp = Map.groupBy(items, ({ app }) => app.id);
  const checked = await Promise.all(
    [...byApp].map(async ([appId, own]) => {
      const questions = own.map(({ feature }) => ({ user: userId, feature: feature.code }));
      const answers = await checkMany(platform.db, { appId, at, zone: "UTC" }, questions);
      return answers.map((one) => one && answerOf(one.answer));
    }),
  );
  return { explained: [...byApp.values()].map((own) => own.map(answerOf)), checked };
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
          requested.map(async (moment) => {
            const text = JSON.stringify(moment);
            expect(await answered(world, customer.id, moment), text).toEqual(
              expectedOf(world, customer, moment),
            );
            const { explained, checked } = await answersTwice(customer.id, moment);
            expect(checked, text).toEqual(explained);
          }),
        );
        await Promise.all(comparisons);
      }),
      { numRuns, endOnFailure: true },
    );
  },
  patiently(600_000),
);
