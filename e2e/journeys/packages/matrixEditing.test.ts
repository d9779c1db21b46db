import { expect } from "@playwright/test";
import { changeDraft, makeMatrix, makePackage, publish, valuesOf } from "../../data/packages.ts";
import { test } from "../../fixtures/test.ts";
import { mismatchedNames } from "../../pages/accessibility.ts";
import { toast } from "../../pages/forms.ts";
import { cellOf, grid, openMatrix, watchSaves } from "../../pages/matrix.ts";
import { enterGrid, five, unsaved } from "./matrixGrid.ts";

// @nightly: The gate covers moving, typing and saving; this is a detail of the same sheet.

test("S2.19 S2.32 The page shows the package's apps and links back to the package", async ({
  ownerPage: page,
}) => {
  const { app, pack } = await makeMatrix(page, ["limit"], { name: "PaymentTimeline" });
  const asked = page.waitForRequest((request) =>
    request.url().includes(`/apps/${pack.id}/_payload`),
  );
  await openMatrix(page, pack);
  await asked;
  await expect(page.getByRole("heading", { level: 1 })).toContainText("PaymentTimeline");
  await expect(page.getByText("Draft of version 1", { exact: true })).toBeVisible();
  await expect(grid(page).getByRole("rowheader", { name: app.name })).toBeVisible();
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(crumbs.getByRole("link", { name: "PaymentTimeline" })).toHaveAttribute(
    "href",
    `/package/view/${pack.id}`,
  );
  await expect(crumbs.getByRole("link", { name: "Packages" })).toHaveAttribute("href", "/package");
});

test("S2.19 Without a session the page redirects to sign-in, and an unknown package isn't found @nightly", async ({
  page,
  sharedOwner,
}) => {
  const id = "01920000-0000-7000-8000-000000000000";
  await page.goto(`/package/apps/${id}`);
  await expect(page).toHaveURL(new RegExp(`/login\\?redirect=.*${id}`));
  await page.context().addCookies(sharedOwner.state.cookies);
  await page.goto(`/package/apps/${id}`);
  await expect(page.getByText(`No record has the ID ${id}`)).toBeVisible();
});

test("MX1 Tab enters one cell, arrow keys move, Tab leaves, and only one cell is in the tab order @nightly", async ({
  ownerPage: page,
}) => {
  const { features, pack } = await makeMatrix(page, ["limit", "switch", "choice"]);
  await openMatrix(page, pack);
  const stops = grid(page).locator(
    '[tabindex="0"], a:not([tabindex]), button:not([tabindex]), select:not([tabindex]), input:not([tabindex])',
  );
  await expect(stops).toHaveCount(1);
  await enterGrid(page);
  const [first, second] = features;
  if (!first || !second) throw new Error("There are features.");
  await expect(cellOf(page, first)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(cellOf(page, second)).toBeFocused();
  await expect(stops).toHaveCount(1);
  await page.keyboard.press("ArrowLeft");
  await expect(grid(page).getByRole("rowheader", { name: second.name })).toBeFocused();
  await page.keyboard.press("Control+Home");
  await expect(grid(page).getByRole("rowheader", { name: "Darkroom" })).toBeFocused();
  // An app's row unfolds like a branch, and its acts are reached by arrows.
  await page.keyboard.press("ArrowLeft");
  await expect(grid(page).getByRole("row", { name: "Darkroom" })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(grid(page).getByRole("link", { name: "Open app Darkroom" })).toBeFocused();
  await page.keyboard.press("Tab");
  expect(await grid(page).evaluate((table) => table.contains(document.activeElement))).toBe(false);
});

test("MX2 Typing a number and Enter sets the value, moves down and counts one change", async ({
  ownerPage: page,
}) => {
  const { features, pack } = await makeMatrix(page, five);
  await openMatrix(page, pack);
  await enterGrid(page);
  await page.keyboard.type("25");
  await page.keyboard.press("Enter");
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("25");
  await expect(cellOf(page, { name: "F2 limit" })).toBeFocused();
  await unsaved(page, 1);
  await expect(grid(page).getByText("1 changed")).toBeVisible();
  // Escape cancels the edit, Tab applies it and moves on.
  await page.keyboard.type("9");
  await page.keyboard.press("Escape");
  await expect(cellOf(page, { name: "F2 limit" })).toBeFocused();
  await unsaved(page, 1);
  await page.keyboard.press("F2");
  await page.keyboard.type("7");
  await page.keyboard.press("Shift+Tab");
  await expect(grid(page).getByRole("rowheader", { name: "F2 limit" })).toBeFocused();
  await unsaved(page, 2);
  expect(features).toHaveLength(5);
});

test("MX5 Delete resets a value to its default, which is saved as null @nightly", async ({
  ownerPage: page,
}) => {
  const { features, pack } = await makeMatrix(page, ["limit"]);
  const featureId = features[0]?.id ?? "";
  await changeDraft(page, pack, { cells: [{ featureId, value: 12, was: null }] });
  const saves = watchSaves(page);
  await openMatrix(page, pack);
  await enterGrid(page);
  await page.keyboard.press("Delete");
  const cell = cellOf(page, { name: "F1 limit" });
  await expect(cell).toContainText("(default)");
  await expect(cell.locator("s")).toHaveAttribute("data-words", "12 seats");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  expect(saves.map(({ cells }) => cells)).toEqual([[{ featureId, value: null, was: 12 }]]);
  expect(await valuesOf(page, pack)).toEqual({ [featureId]: null });
});

test("MX6 One request saves only the changed cells, and a reload shows the same values", async ({
  ownerPage: page,
}) => {
  const { features, pack } = await makeMatrix(page, ["limit", "switch", "choice", "metered"]);
  const [seats, raw, colours, exports_] = features.map(({ id }) => id);
  const saves = watchSaves(page);
  await openMatrix(page, pack);
  await enterGrid(page);
  await page.keyboard.press("u");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("p");
  await unsaved(page, 3);
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  await expect(page.getByText("unsaved change")).toHaveCount(0);
  expect(saves).toHaveLength(1);
  expect(saves[0]).toMatchObject({
    addApps: [],
    removeApps: [],
    cells: [
      { featureId: seats, value: "unlimited", was: null },
      { featureId: raw, value: true, was: null },
      { featureId: colours, value: "print", was: null },
    ],
  });
  await page.reload();
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("Unlimited");
  await expect(cellOf(page, { name: "F2 switch" })).toHaveAccessibleName(/, On$/);
  await expect(cellOf(page, { name: "F3 choice" })).toHaveAccessibleName(/, Print$/);
  await expect(cellOf(page, { name: "F4 metered" })).toContainText("(default)");
  expect(await valuesOf(page, pack)).toMatchObject({ [exports_ ?? ""]: null });
});

test("MX9 A cell's accessible name has feature, app, package, value and state @nightly", async ({
  ownerPage: page,
}) => {
  const { pack } = await makeMatrix(page, ["limit", "metered"]);
  await openMatrix(page, pack);
  await expect(cellOf(page, { name: "F1 limit" })).toHaveAccessibleName(
    "F1 limit, Darkroom, Studio, draft of version 1, 0 seats (default)",
  );
  await enterGrid(page);
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await page.keyboard.type("many");
  await page.keyboard.type("1.5");
  await page.keyboard.press("Enter");
  await expect(cellOf(page, { name: "F1 limit" })).toHaveAccessibleName(
    "F1 limit, Darkroom, Studio, draft of version 1, 5 seats, changed from 0 seats (default)",
  );
  const wrong = cellOf(page, { name: "F2 metered" });
  await expect(wrong).toHaveAccessibleName(/, 1\.5, invalid, changed/);
  await expect(wrong).toHaveAccessibleDescription("Enter a whole number, or “unlimited”.");
  await expect(wrong).toHaveAttribute("aria-invalid", "true");
  // The counter leads there, and so does an attempt to save.
  await cellOf(page, { name: "F1 limit" }).focus();
  await page.getByRole("button", { name: "1 cell needs attention" }).click();
  await expect(wrong).toBeFocused();
});

test("Units and buttons of a focused cell are never cut off, and a cell's name has the visible text @nightly", async ({
  ownerPage: page,
}) => {
  const { app, features, pack } = await makeMatrix(page, ["metered"]);
  await changeDraft(page, pack, {
    cells: [{ featureId: features[0]?.id ?? "", value: 1500, was: null }],
  });
  await publish(page, pack);
  const draft = await makePackage(page, { name: "Team" });
  await changeDraft(page, draft, { addApps: [app.id] });
  await openMatrix(page, draft, `?with=${pack.id}`);
  await expect(grid(page).locator("td[data-kind=other]").first()).toHaveText("1,500 a month");
  expect(await mismatchedNames(page, ".matrix")).toEqual([]);
  await enterGrid(page);
  await page.keyboard.type("1234567");
  await page.keyboard.press("Enter");
  const cell = cellOf(page, { name: "F1 metered" });
  await cell.focus();
  await expect(cell.locator("[data-action=revert]")).toBeVisible();
  for (const part of [cell, cell.locator(".matrix-unit")])
    expect(await part.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true);
});
