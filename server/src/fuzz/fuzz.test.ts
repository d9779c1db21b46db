import { randomInt } from "node:crypto";
import { endpoints } from "@purser/contract/endpoints";
import { expect, test } from "vitest";
import { describeApi } from "#platform/http/reference/openapi.ts";
import { patiently } from "../patience.testing.ts";
import { sized } from "../runs.testing.ts";
import { measureSlowness } from "../slowness.testing.ts";
import { testProduct } from "../testing.ts";
import { readDocument } from "./document.ts";
import { fuzz } from "./fuzz.ts";
import { createWorld } from "./world/world.ts";

// The gate sends a few requests to each operation, and more until one succeeds. `npm run nightly -- fuzz` sends many more.
const requests = Number(process.env["FUZZ_REQUESTS"] ?? sized({ gate: 2, nightly: 200 }));
// The gate sends the same requests every time, so that it refuses no change for an old fault. The nightly level looks for new ones.
const seed = Number(process.env["FUZZ_SEED"] ?? sized({ gate: 1, nightly: randomInt(2 ** 31) }));

/** Operations that always fail here, most of them because they need a signature of an authenticator or a provider. */
const neverReached = new Set([
  ...["signInWithPasskey", "addPasskey", "startSso", "signInWithSso"],
  "receiveProviderEvent",
  // These need the exact number of matching rows, names of columns, or what only a worker makes (bulkJobs.test.ts).
  ...["startBulkApps", "startBulkFeatures", "startBulkPackages", "startBulkPromotions"],
  ...[
    "startBulkTransactions",
    "startBulkUsers",
    "startAppsExport",
    "startFeaturesExport",
    "startPackagesExport",
  ],
  ...["startPromotionsExport", "startTransactionsExport", "startUsersExport"],
  ...["undoListJob", "downloadListJob"],
]);

const world = await createWorld(await testProduct());

test(
  "T28 fuzzing every operation finds no 5xx, no undocumented status and no answer off its schema",
  async () => {
    const document = readDocument(describeApi(endpoints));
    const run = await fuzz({
      ...world,
      document,
      seed,
      requests,
      concurrency: 4,
      requestsUntilReached: sized({ gate: 60, nightly: 100 }),
      measureSlowness,
    });
    expect(run.violations, `Repeat with FUZZ_SEED=${seed}`).toEqual([]);

    // A fuzzer whose requests are always refused finds nothing, so most operations must succeed once.
    const all = Object.entries(run.answers).filter(([name]) => !neverReached.has(name));
    const refused = all.filter(
      ([, counts]) => !Object.keys(counts).some((status) => status < "300"),
    );
    expect(
      refused.length / all.length,
      `Repeat with FUZZ_SEED=${seed}. Always refused: ${JSON.stringify(Object.fromEntries(refused))}`,
    ).toBeLessThan(0.15);
  },
  patiently(600_000 * Math.max(1, requests / 100)),
);
