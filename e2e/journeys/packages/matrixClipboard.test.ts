import { expect, type Page } from "@playwright/test";
import { changeDraft, makeMatrix, valuesOf } from "../../data/packages.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { cellOf, grid, openMatrix, watchSaves } from "../../pages/matrix.ts";
import { enterGrid, five, unsaved } from "./matrixGrid.ts";

// @nightly: The gate covers moving, typing and saving; this is a detail of the same sheet.

const pasteText = async (page: Page, text: string) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await page.keyboard.press("Control+v");
};

test("MX3 A pasted column sets its cells and is undone in one step @nightly", async ({
  ownerPage: page,
}) => {
  const { pack } = await makeMatrix(page, ["limit", "limit", "limit", "limit", "limit", "limit"]);
  await openMatrix(page, pack);
  await enterGrid(page);
  await pasteText(page, "1\n2\n3\n4\n5\nno limit\n");
  await expect(toast(page, "6 cells set")).toBeVisible();
  await unsaved(page, 6);
  await expect(cellOf(page, { name: "F5 limit" })).toContainText("5");
  await expect(cellOf(page, { name: "F6 limit" })).toContainText("Unlimited");
  await page.keyboard.press("Control+z");
  await expect(page.getByText("unsaved change")).toHaveCount(0);
  await page.keyboard.press("Control+Shift+z");
  await unsaved(page, 6);
  // Invalid values and values beyond the column are reported.
  await page.keyboard.press("Control+z");
  await pasteText(page, "1\t2\nmany\n3");
  await expect(toast(page, "2 cells set, 2 skipped")).toBeVisible();
});

test("MX3 A selection is copied in spreadsheet format @nightly", async ({ ownerPage: page }) => {
  const { app, features, pack } = await makeMatrix(page, ["limit", "switch"]);
  const [seats] = features;
  await changeDraft(page, pack, {
    cells: [{ featureId: seats?.id ?? "", value: 1500, was: null }],
  });
  await openMatrix(page, pack);
  await enterGrid(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Shift+ArrowDown");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("Control+c");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    features
      .map(({ code }, place) => `${app.code}.${code}\t${place === 0 ? "1500" : ""}`)
      .join("\n"),
  );
});

test("MX4 A selection of five cells is filled with the first value @nightly", async ({
  ownerPage: page,
}) => {
  const { features, pack } = await makeMatrix(page, five);
  const saves = watchSaves(page);
  await openMatrix(page, pack);
  await enterGrid(page);
  await page.keyboard.type("40");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  for (let times = 0; times < 4; times += 1) await page.keyboard.press("Shift+ArrowDown");
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveCount(5);
  await page.keyboard.press("Control+d");
  await unsaved(page, 5);
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  expect(saves).toHaveLength(1);
  expect(await valuesOf(page, pack)).toEqual(
    Object.fromEntries(features.map(({ id }) => [id, 40])),
  );
});
