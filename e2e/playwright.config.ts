import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "journeys",
  outputDir: "test-results",
  fullyParallel: true,
  // Each worker has the whole product to itself; two are what two cores carry.
  workers: 2,
  reporter: "list",
  timeout: 60_000,
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
