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

test("System shows how far behind each webhook endpoint is", async ({
  ownerPage: page,
  product: { database },
}) => {
  const { rows } = await database.query<{ id: string }>(
    `insert into webhook_endpoints (url, description, types, secret, status, failing_since)
     values ('https://example.com/late', 'Late receiver', '{entitlements.changed}', '', 'disabled', now() - interval '2 hours')
     returning id`,
  );
  const id = rows[0]?.id;
  await database.query(
    `insert into webhook_deliveries (endpoint_id, event_id, line, seq, type, created_at)
     select $1, uuid_v7(), uuid_v7(), 1, 'test', now() - hours * interval '1 hour' from generate_series(1, 3) hours`,
    [id],
  );
  try {
    await page.goto("/system");
    const row = page
      .getByRole("region", { name: "Webhook endpoints" })
      .getByRole("row", { name: "Late receiver" });
    await expect(row).toContainText("Disabled");
    await expect(row.getByRole("cell")).toHaveText(["3", "3 hours ago", "2 hours ago"]);
  } finally {
    await database.query("delete from webhook_deliveries where endpoint_id = $1", [id]);
    await database.query("delete from webhook_endpoints where id = $1", [id]);
  }
});
