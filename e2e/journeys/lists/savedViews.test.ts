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
  await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
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

test("A view is shared with the team, used by a viewer and opened first from the menu @nightly", async ({
  owner: _,
  page,
  signInAs,
}) => {
  const word = uniqueCode("shared");
  await makeApp(page, { name: `Kept ${word}`, code: word });
  await page.goto(`/apps?q=${word}`);
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  await dialog.getByLabel("View name").fill(word);
  await dialog.getByLabel("Share with your team").check();
  await dialog.getByLabel("Open this view first").check();
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(views.getByRole("link", { name: `${word} Shared` })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Apps" }).click();
  await expect(page).toHaveURL(`/apps?q=${word}`);

  const other = await signInAs("viewer", "Vera Viewer");
  await other.goto("/apps");
  const theirs = other.getByRole("navigation", { name: "Views" });
  await theirs.getByRole("link", { name: `${word} Shared` }).click();
  await expect(other).toHaveURL(`/apps?q=${word}`);
  await theirs.getByRole("button", { name: `Edit view ${word}` }).click();
  const shown = other.getByRole("dialog");
  await expect(shown.getByText("Only they or an owner can change it.")).toBeVisible();
  await expect(shown.getByRole("button", { name: "Delete view" })).toBeHidden();
});

test("A view keeps another one of its name, and saving its name again replaces it @nightly", async ({
  owner: _,
  page,
}) => {
  const word = uniqueCode("view");
  const views = page.getByRole("navigation", { name: "Views" });
  const dialog = page.getByRole("dialog");
  const save = () => dialog.getByRole("button", { name: "Save view" }).click();
  const add = async (path: string, name: string) => {
    await page.goto(path);
    await views.getByRole("button", { name: "Save view" }).click();
    await dialog.getByLabel("View name").fill(name);
    await dialog.getByLabel("Share with your team").check();
  };
  await add(`/apps?q=${word}&sort=name`, `${word} one`);
  const [box, label] = [dialog.getByLabel("Share with your team"), dialog.getByText("Share with")];
  const beside = [await box.boundingBox(), await label.boundingBox()];
  expect(beside[1]?.y).toBeLessThan((beside[0]?.y ?? 0) + (beside[0]?.height ?? 0));
  await save();
  await expect(dialog).toBeHidden();
  await add(`/apps?q=${word}&sort=-name`, `${word} two`);
  await dialog.getByLabel("Open this view first").check();
  await dialog.getByLabel("Default for the whole team").check();
  await save();
  await expect(dialog).toBeHidden();

  await views.getByRole("button", { name: `Edit view ${word} two` }).click();
  await dialog.getByLabel("View name").fill(`${word} ONE`);
  await expect(dialog.getByText("Another view has this name.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Save view" })).toBeDisabled();

  await add(`/apps?q=${word}&sort=code`, `${word} two`);
  await expect(dialog.getByText("Replaces the view with this name.")).toBeVisible();
  await save();
  await expect(dialog).toBeHidden();
  const kept = views.getByRole("link", { name: new RegExp(word) });
  await expect(kept).toHaveText([new RegExp(`${word} one`), new RegExp(`${word} two`)]);
  const menu = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Apps" });
  await expect(menu).toHaveAttribute("href", `/apps?q=${word}&sort=code`);

  await views.getByRole("button", { name: `Edit view ${word} two` }).click();
  await expect(dialog.getByLabel("Default for the whole team")).toBeChecked();
  await dialog.getByRole("button", { name: "Delete view" }).click();
  await expect(menu).toHaveAttribute("href", "/apps");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(menu).toHaveAttribute("href", `/apps?q=${word}&sort=code`);
  await kept.last().click();
  await views.getByRole("button", { name: `Edit view ${word} two` }).click();
  await expect(dialog.getByLabel("Default for the whole team")).toBeChecked();
  await expect(dialog.getByLabel("Open this view first")).toBeChecked();
  await dialog.getByRole("button", { name: "Delete view" }).click();
  await expect(kept).toHaveCount(1);
});
