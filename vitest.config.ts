import { defineConfig } from "vitest/config";
import { testTimes } from "./scripts/testTimes.ts";
import { isNightly } from "./server/src/runs.testing.ts";
import { measureSlowness } from "./server/src/slowness.testing.ts";
import { messages } from "./web/messagesPlugin.ts";

const slowness = await measureSlowness();
const timeoutMs = (isNightly ? 3_600_000 : 60_000) * slowness;

export default defineConfig({
  plugins: [messages()],
  test: {
    reporters: [testTimes, "default", ["json", { outputFile: "test-results/unit.json" }]],
    globalSetup: "server/src/platform/db/testTemplate.ts",
    include: [
      "bench/src/**/*.test.ts",
      "contract/src/**/*.test.ts",
      "client/src/**/*.test.ts",
      "server/src/**/*.test.ts",
      "web/src/**/*.test.ts",
    ],
    // Each file has a database of its own; two at a time is what two cores carry.
    maxWorkers: 2,
    // Importing the product again for every file took half of the run. Files share what is imported,
    // so a test keeps its state in its database, its product and its own variables.
    isolate: false,
    // Tests multiply their own deadlines by it too (`patiently`).
    provide: { slowness },
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});
