import fc from "fast-check";
import { expect, test } from "vitest";
import { ledgerRules, verifyRule } from "#modules/ledger/verifyQueries.ts";
import { isNightly, sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { playerOf, settableClock } from "./http/playScenario.testing.ts";
import { anyScenario } from "./http/scenarios.testing.ts";
import { openShop } from "./http/shop.testing.ts";

const clock = settableClock();
const product = await testProduct({ clock });
const play = playerOf(product, await openShop(product), clock);

test("after every request, postings, credits and balances are what the oracle says", async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      await play(scenario);
    }),
    // Shrinking would take longer than the test may. The error tells the whole story anyway.
    {
      numRuns: sized({ gate: 30, nightly: 2000 }),
      // The gate plays the same histories every time. The nightly level looks for new ones.
      ...(!isNightly && { seed: 1 }),
      endOnFailure: true,
    },
  );
  for (const rule of Object.keys(ledgerRules))
    expect(await verifyRule(product.platform.db, rule), rule).toEqual({ count: 0, rows: [] });
});
