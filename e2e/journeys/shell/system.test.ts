import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { test } from "../../fixtures/test.ts";

test("System downloads diagnostics, and instances fit on a phone", async ({ ownerPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/system");
  const instances = page.getByRole("region", { name: "Instances" });
  await expect(instances.getByText("Ready").first()).toBeVisible();
  expect(await instances.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download diagnostics" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("diagnostics.json");
  const written = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(written).toMatchObject({ version: expect.any(String), failedJobs: expect.any(Array) });
});
