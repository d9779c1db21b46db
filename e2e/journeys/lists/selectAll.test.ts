import { expect } from "@playwright/test";
import { makeManyApps } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { expectAccessible } from "../../pages/accessibility.ts";
import {
  insertApp,
  listRegion,
  numberedNames,
  openList,
  rowNames,
  uniqueWord,
} from "../../pages/lists.ts";
import { selectedIn } from "./rows.ts";

test("LS4 All apps that match are archived by a job with a preview, progress and results, and Undo restores them", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 12);
  await insertApp(product, { name: `${word} draft`, status: "draft" });
  await openList(page, { q: word, sort: "name", size: "10" });
  await expect(rowNames(page)).toHaveText(numberedNames(word, 1, 10));
  await listRegion(page).getByRole("checkbox", { name: "Select all on this page" }).click();
  await page.getByRole("button", { name: "Select all 13 that match" }).click();
  await expect(page.getByText("All 13 apps that match are selected.")).toBeVisible();
  // Added after the selection, so the confirmation has another number.
  await insertApp(product, { name: `${word} later` });
  await selectedIn(page).getByRole("button", { name: "Archive" }).click();

  const changed = page.getByRole("dialog", { name: "Archive: 14 apps?" });
  await expect(changed.getByText("14 rows match now, 13 when you selected them.")).toBeVisible();
  await expect(changed.getByRole("row", { name: /^Changed/ })).toContainText(/13$/);
  await expectAccessible(page);
  await changed.getByRole("button", { name: "Archive: 13 apps" }).click();

  const archived = page.locator(".list-strip").filter({ hasText: "Archive" });
  await expect(archived).toContainText("13 changed and 1 failed");
  await expectAccessible(page);
  await archived.getByRole("button", { name: "View results" }).click();
  const results = page.getByRole("dialog", { name: "Results: Archive" });
  await expect(results.getByLabel("Result")).toHaveValue("failed");
  await expect(results.getByRole("row")).toHaveCount(2);
  await expect(results.getByRole("row").nth(1)).toContainText(`${word} draft`);
  await results.getByLabel("Result").selectOption("Changed");
  await expect(results.getByRole("row", { name: new RegExp(`${word} 0001`) })).toBeVisible();
  await results.getByRole("button", { name: "Close" }).last().click();

  await archived.getByRole("button", { name: "Undo" }).click();
  const undone = page.locator(".list-strip").filter({ hasText: "Undo: Restore" });
  await expect(undone).toContainText("13 changed");
  await expect(archived).toHaveCount(0);
  await undone.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.locator(".list-strip")).toHaveCount(0);
  const states = listRegion(page).getByRole("cell", { name: /^(Active|Archived|Draft)$/ });
  await expect(states).toHaveText(Array.from({ length: 10 }, () => "Active"));
});
