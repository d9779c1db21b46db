import { expect } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { test } from "../../fixtures/test.ts";

// @nightly: The gate looks at the narrowest width; settings and permissions are covered over HTTP.

test("An owner changes workspace settings, and every page and the history show it @nightly", async ({
  startWorkspace,
}) => {
  const { page } = await startWorkspace();
  await page.goto("/settings");
  await page.getByLabel("Company name").fill("Harbour & Sons");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByRole("combobox", { name: "Currencies" }).fill("PLN");
  await page.getByRole("option", { name: "PLN" }).click();
  await page.getByRole("checkbox", { name: "Refund above the limit" }).check();
  const limits = page.getByRole("group", { name: "Refund limits" });
  await limits.getByRole("button", { name: "Add limit" }).click();
  await page.getByRole("textbox", { name: "Limit in PLN" }).fill("200");
  await page.getByRole("textbox", { name: "Grace period" }).fill("100");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("alert")).toContainText("Enter at most 90.");
  await expect(page.getByRole("textbox", { name: "Grace period" })).toBeFocused();
  await page.getByRole("textbox", { name: "Grace period" }).fill("3");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(page.getByRole("banner").getByText("Harbour & Sons").first()).toBeVisible();
  await expect(page).toHaveTitle("Settings · Harbour & Sons");
  await expect(page.getByRole("main")).toContainText("Settings changed");

  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Harbour & Sons").first()).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("textbox", { name: "Limit in PLN" })).toHaveValue("200.00");
  expect(await callApi(page, { path: "/settings" })).toMatchObject({
    timeZone: "Asia/Tokyo",
    currencies: ["PLN"],
    graceDays: 3,
  });
});

test("A role that can't change settings can read them, or sees the missing permission @nightly", async ({
  signInAs,
}) => {
  const admin = await signInAs("admin", "Ada Admin");
  await admin.goto("/settings");
  await expect(admin.getByText("Only owners can edit settings")).toBeVisible();
  await expect(admin.getByRole("button", { name: "Save settings" })).toBeHidden();
  const viewer = await signInAs("viewer", "Vera Viewer");
  await expect(viewer.getByRole("link", { name: "Settings" })).toBeHidden();
  await viewer.goto("/settings");
  await expect(viewer.getByRole("main")).toContainText(
    "Ask an owner for the permission View settings.",
  );
});

for (const width of [1440, 768, 390])
  test(`Settings and tax rates have a gutter and fit into ${width} pixels${width === 390 ? "" : " @nightly"}`, async ({
    ownerPage: page,
  }) => {
    await callApi(page, {
      method: "POST",
      path: "/tax-rates",
      body: {
        country: "IS",
        region: `Region ${width}`,
        name: `Value added tax ${width}`,
        category: "standard",
        basisPoints: 2400,
        validFrom: "2026-01-01",
      },
    });
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/settings");
    const rates = page.getByRole("heading", { level: 2, name: "Tax rates" });
    await expect(rates).toBeVisible();
    await expect(page.getByText(`Value added tax ${width}`).first()).toBeVisible();
    const main = (await page.getByRole("main").boundingBox()) ?? { x: 0, width: 0 };
    for (const part of [
      rates,
      page.getByRole("heading", { level: 2, name: "Activity" }),
      page.getByText("Company", { exact: true }),
    ]) {
      const place = await part.boundingBox();
      expect(Math.round((place?.x ?? 0) - main.x)).toBe(width < 768 ? 16 : 24);
    }
    const add = await page.getByRole("button", { name: "Add tax rate" }).boundingBox();
    expect((add?.x ?? 0) + (add?.width ?? 0)).toBeLessThanOrEqual(main.x + main.width - 16);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBe(0);
  });
