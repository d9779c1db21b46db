import { expect } from "@playwright/test";
import { uniqueCode } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, wcag } from "../../pages/accessibility.ts";

// @nightly: Stored preferences are tested over HTTP.

test("A view is saved with a name, available after signing in elsewhere, renamed and removed @nightly", async ({
  owner: _,
  page,
}) => {
  const word = uniqueCode("view");
  await makeApp(page, { name: `Kept ${word}`, code: word });
  await page.goto(`/apps?q=${word}&sort=-name`);
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  await expect(dialog.getByLabel("View name")).toBeFocused();
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await page.keyboard.type("Mine, backwards");
  await page.keyboard.press("Enter");
  const kept = views.getByRole("link", { name: "Mine, backwards" });
  await expect(kept).toHaveAttribute("aria-current", "page");

  await page.goto("/apps");
  await kept.click();
  await expect(page).toHaveURL(`/apps?q=${word}&sort=-name`);
  await expect(page.getByRole("row").filter({ hasText: `Kept ${word}` })).toBeVisible();

  await views.getByRole("button", { name: "Edit view Mine, backwards" }).click();
  await page.getByLabel("View name").fill("Backwards");
  await page.getByRole("button", { name: "Rename view" }).click();
  await page.reload();
  await expect(views.getByRole("link", { name: "Backwards" })).toHaveAttribute(
    "aria-current",
    "page",
  );

  await views.getByRole("button", { name: "Edit view Backwards" }).click();
  await page.getByRole("button", { name: "Delete view" }).click();
  await expect(page.getByText("View deleted")).toBeVisible();
  await expect(views.getByRole("link", { name: "Backwards" })).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(views.getByRole("link", { name: "Backwards" })).toBeVisible();
});
