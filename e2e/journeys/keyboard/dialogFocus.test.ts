import { expect, type Locator, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { type App, changeApp, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, openEdit } from "../../pages/forms.ts";
import { button, dialog, menuItem, onActive, onView, openView } from "./dialogs.ts";

// @nightly: The gate checks focus and layers on one dialog of each kind; every dialog shares that component.

const makeKey = (page: Page, { id }: App) =>
  callApi(page, {
    method: "POST",
    path: `/apps/${id}/keys`,
    body: { name: "server-1", kind: "server", scopes: ["usage:write"] },
  });

/** How to open a dialog or popover: its opener, which gets the focus back, and its name. */
type Opener = {
  start: (page: Page) => Promise<App>;
  opener: (page: Page, app: App) => Locator;
  /** The steps between pressing the opener and the dialog. */
  through?: (page: Page) => Promise<unknown>;
  name: string | RegExp;
};
const onKeyed = async (page: Page) => {
  const app = await makeApp(page);
  await makeKey(page, app);
  await openView(page, app);
  return app;
};
const onList = async (page: Page) => {
  const app = await makeApp(page);
  await page.goto(`/apps?q=${app.code}`);
  await expect(page.getByRole("link", { name: app.name })).toBeVisible();
  return app;
};
const onEdit = async (page: Page) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Harbor");
  return app;
};
const rowMenu = (page: Page, { name }: App) => button(page, `Actions for ${name}`);

const openers: Record<string, Opener> = {
  "the activate dialog": {
    start: onView,
    opener: (page) => button(page, "Activate"),
    name: /^Activate App/,
  },
  "the archive dialog": {
    start: onActive,
    opener: (page) => button(page, "Archive"),
    name: /^Archive App/,
  },
  "the delete dialog": {
    start: onView,
    opener: (page) => button(page, "More actions"),
    through: (page) => menuItem(page, "Delete").press("Enter"),
    name: /^Delete /,
  },
  "the new key dialog": {
    start: onView,
    opener: (page) => button(page, "New key"),
    name: /^New API key for/,
  },
  "the revoke dialog": {
    start: onKeyed,
    opener: (page) => button(page, "Revoke server-1"),
    name: /^Revoke the API key/,
  },
  "the form review": {
    start: onEdit,
    opener: (page) => button(page, /^1 unsaved change/),
    name: "Unsaved changes",
  },
  "the icon picker": {
    start: onEdit,
    opener: (page) => page.getByRole("button", { name: "Icon", exact: true }),
    name: "Icons",
  },
  "the export dialog": {
    start: onList,
    opener: (page) => button(page, "Export"),
    name: "Export apps",
  },
  "the column chooser": {
    start: onList,
    opener: (page) => page.getByRole("button", { name: "Columns", exact: true }),
    name: "Columns",
  },
  "the filter menu": {
    start: onList,
    opener: (page) => page.getByRole("button", { name: "Filter", exact: true }),
    name: "Add filter",
  },
  "the delete dialog of a list": {
    start: onList,
    opener: rowMenu,
    through: (page) => menuItem(page, "Delete").press("Enter"),
    name: /^Delete /,
  },
  "the account panel": {
    start: onView,
    opener: (page) => button(page, /^Account of/),
    name: "Account",
  },
  "the shortcut sheet of the account panel": {
    start: onView,
    opener: (page) => button(page, /^Account of/),
    through: (page) => button(page, /^Keyboard shortcuts/).press("Enter"),
    name: "Keyboard shortcuts",
  },
  "the palette": {
    start: onView,
    opener: (page) => button(page, "Search or jump to").first(),
    name: "Search or jump to",
  },
};

for (const [what, { start, opener, through, name }] of Object.entries(openers))
  test(`DG1 The focus enters and returns from ${what} @nightly`, async ({ ownerPage: page }) => {
    const app = await start(page);
    const from = opener(page, app);
    // Twice, because the first one is still loaded.
    for (const by of ["Enter", "click"] as const) {
      if (by === "click") await from.click();
      else await from.press(by);
      await through?.(page);
      await expect(dialog(page, name)).toBeVisible();
      await expect(dialog(page, name).locator(":focus")).toHaveCount(1);
      await page.keyboard.press("Escape");
      await expect(dialog(page, name)).toBeHidden();
      await expect(from).toBeFocused();
    }
    const close = dialog(page, name).getByRole("button", { name: "Close" });
    await from.click();
    await through?.(page);
    await expect(dialog(page, name)).toBeVisible();
    if ((await close.count()) > 0) await close.click();
    else await page.keyboard.press("Escape");
    await expect(dialog(page, name)).toBeHidden();
    await expect(from).toBeFocused();
  });

test("DG1 The focus returns from menus @nightly", async ({ ownerPage: page }) => {
  const app = await onList(page);
  await rowMenu(page, app).press("Enter");
  await expect(page.getByRole("menu").locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(rowMenu(page, app)).toBeFocused();

  await openView(page, app);
  await button(page, "More actions").press("Enter");
  await expect(menuItem(page, "Duplicate")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(button(page, "More actions")).toBeFocused();
});

test("DG1 The focus follows the steps of a filter and returns when it is applied @nightly", async ({
  ownerPage: page,
}) => {
  await onList(page);
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  await filter.press("Enter");
  const popover = dialog(page, "Add filter");
  await popover.getByRole("button", { name: "Name" }).press("Enter");
  await expect(popover.getByRole("combobox", { name: "Operator" })).toBeFocused();
  await popover.getByRole("textbox", { name: "Value" }).fill("App");
  await page.keyboard.press("Enter");
  await expect(popover).toBeHidden();
  await expect(page).toHaveURL(/[?&]f=name/);
  await expect(filter).toBeFocused();
});

test("DG1 The focus returns from a new key and from a deleted key @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openView(page, app);
  await button(page, "New key").press("Enter");
  await dialog(page, /^New API key for/)
    .getByRole("textbox", { name: "Name" })
    .fill("server-1");
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Save your API key").locator(":focus")).toHaveCount(1);
  await button(page, "I've saved it").press("Enter");
  await expect(dialog(page, "Save your API key")).toBeHidden();
  await expect(button(page, "New key")).toBeFocused();

  await button(page, "Revoke server-1").press("Enter");
  await dialog(page, /^Revoke the API key/)
    .getByRole("button", { name: /^Revoke/ })
    .press("Enter");
  await expect(dialog(page, /^Revoke the API key/)).toBeHidden();
  // Keyboard navigation continues on this page, not from its start.
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
});

test("DG1 The focus returns from a conflict to the edited field @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Mine");
  await changeApp(colleaguePage, app.id, { name: "Theirs" });
  const conflict = dialog(page, "Someone else saved changes");
  for (const leave of ["Escape", "Keep editing", "Use their version"]) {
    await fieldOf(page, "name").fill(`Mine, then ${leave}`);
    if (leave === "Use their version")
      await changeApp(colleaguePage, app.id, { name: "Theirs again" });
    else await changeApp(colleaguePage, app.id, { name: `Theirs, then ${leave}` });
    await page.keyboard.press("Control+s");
    await expect(conflict.locator(":focus")).toHaveCount(1);
    if (leave === "Escape") await page.keyboard.press(leave);
    else await conflict.getByRole("button", { name: leave }).press("Enter");
    await expect(conflict).toBeHidden();
    await expect(fieldOf(page, "name")).toBeFocused();
  }
});
