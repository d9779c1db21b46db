import { defineConfig } from "@playwright/test";

/** Which tests run: the gate's selection, all of them, or one part of `npm run nightly`. */
const selections = {
  gate: { grepInvert: /@nightly/ },
  all: {},
  speed: { grep: /@speed/ },
  releases: { grep: /@releases/ },
};
const selection = process.env["E2E"] ?? "gate";
if (!Object.hasOwn(selections, selection))
  throw new Error(`E2E is ${selection}. Use one of ${Object.keys(selections).join(", ")}.`);

export default defineConfig({
  ...selections[selection as keyof typeof selections],
  testDir: "journeys",
  globalSetup: "./globalSetup.ts",
  outputDir: "test-results",
  fullyParallel: true,
  // Each worker has the whole product to itself; two are what two cores carry.
  workers: 2,
  // One slow moment of a shared machine must not refuse a change; what needed it is listed as flaky, and is a bug.
  retries: process.env["CI"] ? 1 : 0,
  reporter: [
    ["list"],
    ["json", { outputFile: "../test-results/browser.json" }],
    ["./durationReporter.ts"],
  ],
  // A shared machine may be slow; what is right is right at once, so waiting longer hides nothing.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
