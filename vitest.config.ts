import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "test-results/unit.json" }]],
    globalSetup: "server/src/platform/db/testTemplate.ts",
    include: ["contract/src/**/*.test.ts", "server/src/**/*.test.ts", "web/src/**/*.test.ts"],
    // Each file has a database of its own; two at a time is what two cores carry.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
