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

test("System shows a failed verification of the audit log above everything else", async ({
  ownerPage: page,
  product: { database },
}) => {
  await database.query(
    `insert into audit_verifications (started_at, last_entry, last_seal, broken_what, broken_number)
     values (now(), 1, 1, 'an entry was altered', 1)`,
  );
  try {
    await page.goto("/system");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Audit log verification failed Entry 1 was altered.");
    const health = page.getByRole("list", { name: "Health" });
    await expect(health.getByText("Verification failed")).toBeVisible();
    const [bar, strip] = [await alert.boundingBox(), await health.boundingBox()];
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(strip?.y ?? 0);
    await alert.getByRole("link", { name: "Open history" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
  } finally {
    await database.query("delete from audit_verifications where broken_what is not null");
  }
});
