import { existsSync } from "node:fs";
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

// The shell has no windows of its own, which take as much time as the pages.
const shell = "/usr/bin/chromium-headless-shell";
const chromium = existsSync(shell) ? shell : "/usr/bin/chromium";

export default defineConfig({
  ...selections[selection as keyof typeof selections],
  testDir: "journeys",
  globalSetup: "./globalSetup.ts",
  outputDir: "test-results",
  fullyParallel: true,
  // Each worker has its own product. Two fit on two cores.
  workers: 2,
  // A slow moment of the machine must not fail a change. A test that needed a retry is listed as flaky, which is a bug.
  retries: process.env["CI"] ? 1 : 0,
  reporter: [
    ["list"],
    ["json", { outputFile: "../test-results/browser.json" }],
    ["./durationReporter.ts"],
  ],
  // The machine may be slow. A longer timeout hides nothing, because assertions pass as soon as they hold.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: "chromium",
    // An action that waits in vain names its element, instead of the test's end.
    actionTimeout: 30_000,
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? chromium,
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
