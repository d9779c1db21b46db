import { expect, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";

// @nightly: The gate covers the menu and the palette; this is a detail.

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("SH1 the first Tab reaches the skip link, and Enter leads past the menu to the page @nightly", async ({
  office,
}) => {
  for (const path of ["/", "/apps", "/account"]) {
    await office.goto(path);
    await expect(heading(office, "")).toBeVisible();
    await office.keyboard.press("Tab");
    const skip = office.getByRole("link", { name: "Skip to content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await office.keyboard.press("Enter");
    await expect(office.locator("main")).toBeFocused();
    // What comes next is in the page, not in the menu.
    await office.keyboard.press("Tab");
    await expect(office.locator("main :focus")).toHaveCount(1);
  }
});

test("SH2 the active entry of the menu is marked as the current page", async ({ office }) => {
  const { id } = await makeApp(office);
  const current = office.getByRole("navigation", { name: "Main" }).locator("[aria-current]");
  const places: [path: string, entries: string[]][] = [
    ["/", ["Home"]],
    ["/apps", ["Apps"]],
    ["/apps?sort=name", ["Apps"]],
    ["/apps/create", ["Apps"]],
    [`/apps/edit/${id}`, ["Apps"]],
    [`/apps/view/${id}`, ["Apps"]],
    [`/apps/view/${id}?tab=activity`, ["Apps"]],
    ["/account", []],
  ];
  for (const [path, entries] of places) {
    await office.goto(path);
    await expect(heading(office, "")).toBeVisible();
    await expect(current, path).toHaveText(entries);
    for (const entry of await current.all())
      await expect(entry).toHaveAttribute("aria-current", "page");
  }

  // It moves along without a new document.
  await office.goto("/");
  const menu = office.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Apps" }).click();
  await expect(current).toHaveText(["Apps"]);
  await menu.getByRole("link", { name: "Home" }).click();
  await expect(current).toHaveText(["Home"]);
});

test("SH3 Ctrl K opens the palette with the focus in it, and app with Enter leads to the apps", async ({
  office,
}) => {
  await office.goto("/");
  await expect(heading(office, "Home")).toBeVisible();
  await office.keyboard.press("Control+k");
  const palette = office.getByRole("dialog", { name: "Search or jump to" });
  const field = palette.getByRole("combobox", { name: "Search or jump to" });
  await expect(field).toBeFocused();
  await office.keyboard.type("app");
  await expect(palette.getByRole("option", { selected: true })).toContainText("Apps");
  await office.keyboard.press("Enter");
  await expect(heading(office, "Apps")).toBeVisible();
  await expect(office).toHaveURL("/apps");
  await expect(palette).toBeHidden();
});

test("SH3 Escape closes the palette, and the focus is back where it came from @nightly", async ({
  office,
}) => {
  await office.goto("/");
  const button = office.getByRole("button", { name: "Search or jump to" });
  await button.click();
  const palette = office.getByRole("dialog", { name: "Search or jump to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await office.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(button).toBeFocused();
  await expect(office).toHaveURL("/");
});

test("SH3 the palette finds a record by its code, from two letters on @nightly", async ({
  office,
}) => {
  const app = await makeApp(office);
  await office.goto("/");
  await expect(heading(office, "Home")).toBeVisible();
  await office.keyboard.press("Control+k");
  await expect(office.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
  await office.keyboard.type(app.code);
  await expect(office.getByRole("option", { selected: true })).toContainText(app.name);
  await office.keyboard.press("Enter");
  await expect(office).toHaveURL(`/apps/view/${app.id}`);
  await expect(heading(office, app.name)).toBeVisible();
});
