import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { changeDraft, makeMatrix, makePackage, valuesOf } from "../../data/packages.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { cellOf, grid, openMatrix, switchOf, watchSaves } from "../../pages/matrix.ts";

// @nightly: The gate covers typing and saving; this is a detail of the same sheet.

/** Tab from the head of the page into the grid. */
const enterGrid = async (page: Page) => {
  await page.getByRole("button", { name: "More actions" }).focus();
  await page.keyboard.press("Tab");
};

const unsaved = (page: Page, amount: number) =>
  expect(
    page.getByRole("button", { name: `${amount} unsaved change${amount === 1 ? "" : "s"}` }),
  ).toBeVisible();

test("An option is chosen from a dropdown in its cell or by its first letter", async ({
  ownerPage: page,
}) => {
  const { pack } = await makeMatrix(page, ["choice", "limit"]);
  await openMatrix(page, pack);
  const cell = cellOf(page, { name: "F1 choice" });
  await cell.locator(".matrix-field").click();
  await cell.getByRole("combobox", { name: "F1 choice" }).selectOption("Print and proof");
  await expect(cell).toHaveAccessibleName(/, Print and proof, changed/);
  await expect(cell).toBeFocused();
  await page.keyboard.press("s");
  await expect(cell).toHaveAccessibleName(/, Standard, changed/);
  await page.keyboard.press("Enter");
  await expect(cell.getByRole("combobox")).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(cell).toHaveAccessibleName(/, Standard, changed/);
});

test("A changed cell shows its previous value and is reverted by its button @nightly", async ({
  ownerPage: page,
}) => {
  const { pack } = await makeMatrix(page, ["switch"]);
  await openMatrix(page, pack);
  const cell = cellOf(page, { name: "F1 switch" });
  await switchOf(page, { name: "F1 switch" }).click();
  await expect(cell.locator("s")).toHaveAttribute("data-words", "Off (default)");
  await unsaved(page, 1);
  await cell.locator(".matrix-back").click();
  await expect(page.getByText("unsaved change")).toHaveCount(0);
  // The same by keys.
  await page.keyboard.press("Space");
  await unsaved(page, 1);
  await page.keyboard.press("Control+Backspace");
  await expect(page.getByText("unsaved change")).toHaveCount(0);
});

test("Leaving with unsaved cells asks for confirmation, and a lost page restores them @nightly", async ({
  ownerPage: page,
}) => {
  const { pack } = await makeMatrix(page, ["limit"]);
  await openMatrix(page, pack);
  await enterGrid(page);
  const kept = page.waitForResponse(
    (response) => response.url().includes("/drafts/") && response.request().method() === "PUT",
  );
  await page.keyboard.type("33");
  await page.keyboard.press("Enter");
  await kept;
  await page.getByRole("link", { name: "Home" }).first().click();
  const asked = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(asked).toContainText("1 change will be lost.");
  await asked.getByRole("button", { name: "Keep editing" }).click();
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("33");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("33");
  await unsaved(page, 1);
});

test("An empty package offers to add apps, and an added app is saved with its values @nightly", async ({
  ownerPage: page,
}) => {
  const { app, features } = await makeMatrix(page, ["limit"]);
  const pack = await makePackage(page, { name: "Fresh" });
  const saves = watchSaves(page);
  await page.goto(`/package/apps/${pack.id}`);
  await expect(page.getByRole("heading", { name: "This package has no apps" })).toBeVisible();
  await page.getByRole("button", { name: "Add apps" }).click();
  await page.getByRole("searchbox", { name: "Search apps" }).fill(app.code);
  await page.getByRole("button", { name: app.code }).click();
  await expect(grid(page).getByText("added")).toBeVisible();
  await cellOf(page, { name: "F1 limit" }).focus();
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  expect(saves).toMatchObject([
    { addApps: [app.id], cells: [{ featureId: features[0]?.id, value: 3, was: null }] },
  ]);
  // Taking it out again can be undone as a whole.
  await grid(page)
    .getByRole("button", { name: `Remove ${app.name}` })
    .click();
  await expect(grid(page).getByText("removed")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("3");
  await expect(page.getByText("unsaved change")).toHaveCount(0);
});

test("Packages are compared side by side, kept in the URL and copied from @nightly", async ({
  ownerPage: page,
}) => {
  const { app, features, pack } = await makeMatrix(page, ["limit", "limit"], { sort: 5 });
  const [seats, storage] = features.map(({ id }) => id);
  const other = await makePackage(page, { name: `Harbour ${pack.code}`, sort: 1 });
  await changeDraft(page, other, {
    addApps: [app.id],
    cells: [{ featureId: seats ?? "", value: 8, was: null }],
  });
  await openMatrix(page, pack);
  await page.getByRole("button", { name: "Compare with…" }).click();
  await page.getByRole("searchbox", { name: "Search packages" }).fill(pack.code);
  await page.getByRole("button", { name: other.name }).click();
  await expect(page).toHaveURL(new RegExp(`with=${other.id}`));
  const header = grid(page).getByRole("columnheader", { name: other.name });
  await expect(header).toContainText("lower tier");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(header).toBeVisible();
  await expect(
    grid(page).getByRole("gridcell", {
      name: new RegExp(`F1 limit, Darkroom, ${other.name}.*, 8 seats`),
    }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Only differences" }).click();
  await expect(grid(page).getByRole("rowheader", { name: "F2 limit" })).toHaveCount(0);
  await page.getByRole("button", { name: "Only differences" }).click();
  await page.getByRole("button", { name: "Copy from…" }).click();
  await page.getByRole("searchbox", { name: "Search packages" }).fill(pack.code);
  await page.getByRole("button", { name: other.name }).click();
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("8");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  expect(await valuesOf(page, pack)).toEqual({ [seats ?? ""]: 8, [storage ?? ""]: null });
  await expect(header).toBeVisible();
});

test("A read-only role sees a lock with a reason, and no key changes anything @nightly", async ({
  ownerPage: page,
}) => {
  const { features, pack } = await makeMatrix(page, ["limit", "switch"]);
  await page.route("**/api/session/user", async (route) => {
    const response = await route.fetch();
    const { user } = await response.json();
    const permissions = user.permissions.filter((one: string) => one !== "packages:write");
    await route.fulfill({ response, json: { user: { ...user, permissions } } });
  });
  await openMatrix(page, pack);
  await expect(
    page.getByText("You can't edit this. Ask an owner for the permission “Edit packages”."),
  ).toBeVisible();
  await cellOf(page, { name: "F1 limit" }).focus();
  await page.keyboard.type("25");
  await page.keyboard.press("Delete");
  await expect(page.getByText("unsaved change")).toHaveCount(0);
  await expect(grid(page).locator(".matrix-switch, .matrix-field")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add app" })).toHaveCount(0);
  expect(await callApi<{ draft: object }>(page, { path: `/packages/${pack.id}` })).toBeTruthy();
  expect(features).toHaveLength(2);
});
