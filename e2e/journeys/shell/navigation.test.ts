import { expect, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";

// @nightly: The gate covers the menu and the palette; this is a detail.

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("SH1 The first Tab reaches the skip link, and Enter skips the menu @nightly", async ({
  ownerPage,
}) => {
  for (const path of ["/", "/apps", "/account"]) {
    await ownerPage.goto(path);
    await expect(heading(ownerPage, "")).toBeVisible();
    await ownerPage.keyboard.press("Tab");
    const skip = ownerPage.getByRole("link", { name: "Skip to content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await ownerPage.keyboard.press("Enter");
    await expect(ownerPage.locator("main")).toBeFocused();
    // The next focusable element is in the page, not in the menu.
    await ownerPage.keyboard.press("Tab");
    await expect(ownerPage.locator("main :focus")).toHaveCount(1);
  }
});

test("SH2 The active menu entry is marked as the current page @nightly", async ({ ownerPage }) => {
  const { id } = await makeApp(ownerPage);
  const current = ownerPage.getByRole("navigation", { name: "Main" }).locator("[aria-current]");
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
    await ownerPage.goto(path);
    await expect(heading(ownerPage, "")).toBeVisible();
    await expect(current, path).toHaveText(entries);
    for (const entry of await current.all())
      await expect(entry).toHaveAttribute("aria-current", "page");
  }

  // It moves along without a new document.
  await ownerPage.goto("/");
  const menu = ownerPage.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Apps" }).click();
  await expect(current).toHaveText(["Apps"]);
  await menu.getByRole("link", { name: "Home" }).click();
  await expect(current).toHaveText(["Home"]);
});

test("SH3 Ctrl K opens the palette with focus, and app with Enter opens the apps", async ({
  ownerPage,
}) => {
  await ownerPage.goto("/");
  await expect(heading(ownerPage, "Home")).toBeVisible();
  await ownerPage.keyboard.press("Control+k");
  const palette = ownerPage.getByRole("dialog", { name: "Search or jump to" });
  const field = palette.getByRole("combobox", { name: "Search or jump to" });
  await expect(field).toBeFocused();
  await ownerPage.keyboard.type("app");
  await expect(palette.getByRole("option", { selected: true })).toContainText("Apps");
  await ownerPage.keyboard.press("Enter");
  await expect(heading(ownerPage, "Apps")).toBeVisible();
  await expect(ownerPage).toHaveURL("/apps");
  await expect(palette).toBeHidden();
});

test("SH3 Escape closes the palette and returns the focus @nightly", async ({ ownerPage }) => {
  await ownerPage.goto("/");
  const button = ownerPage.getByRole("button", { name: "Search or jump to" });
  await button.click();
  const palette = ownerPage.getByRole("dialog", { name: "Search or jump to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await ownerPage.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(button).toBeFocused();
  await expect(ownerPage).toHaveURL("/");
});

test("SH3 The palette finds a record by its code, starting with two letters @nightly", async ({
  ownerPage,
}) => {
  const app = await makeApp(ownerPage);
  await ownerPage.goto("/");
  await expect(heading(ownerPage, "Home")).toBeVisible();
  await ownerPage.keyboard.press("Control+k");
  await expect(ownerPage.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
  await ownerPage.keyboard.type(app.code);
  await expect(
    ownerPage.getByRole("listbox").getByRole("option", { selected: true }),
  ).toContainText(app.name);
  await ownerPage.keyboard.press("Enter");
  await expect(ownerPage).toHaveURL(`/apps/view/${app.id}`);
  await expect(heading(ownerPage, app.name)).toBeVisible();
});
