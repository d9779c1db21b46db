import { expect } from "@playwright/test";
import { test } from "../../fixtures/test.ts";

// @nightly: Links of the documentation are checked without a browser.

test("Help opens the documentation of the page, and Ctrl K finds its pages @nightly", async ({
  ownerPage: page,
}) => {
  await page.goto("/transaction/create");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page
    .locator(".side")
    .getByRole("button", { name: /^Account of/ })
    .click();
  const link = page.getByRole("link", { name: "Help for this page" });
  await expect(link).toHaveAttribute("href", "/help/guides/finance#record-a-sale");
  const [help] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await expect(help.getByRole("heading", { name: "Record a sale" })).toBeInViewport();
  await help.getByRole("link", { name: "Webhooks" }).first().click();
  await expect(help.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
  await help.close();

  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or jump to" });
  await field.fill("help dispute");
  const [dispute] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("option", { name: "Handle a dispute" }).click(),
  ]);
  await expect(dispute).toHaveURL(/\/help\/guides\/finance#handle-a-dispute$/);
  await expect(dispute.getByRole("heading", { name: "Handle a dispute" })).toBeInViewport();
});
