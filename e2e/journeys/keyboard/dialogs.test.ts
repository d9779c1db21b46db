import { expect, type Locator, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { type App, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { recordWrites, toast } from "../../pages/forms.ts";
import { button, dialog, menuItem, onActive, onView, openView } from "./dialogs.ts";

// @nightly: The gate checks focus and layers on one dialog of each kind; every dialog shares that component.

test("DG2 Deleting requires the exact code, and Enter before that does nothing", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openView(page, app);
  await button(page, "More actions").click();
  await menuItem(page, "Delete").click();
  const asked = page.getByRole("alertdialog", { name: `Delete ${app.name}?` });
  const field = asked.getByRole("textbox", { name: `Type ${app.code} to confirm` });
  const confirm = asked.getByRole("button", { name: `Delete ${app.name}` });
  await expect(field).toBeFocused();
  const deleted: string[] = [];
  page.on("request", (request) => request.method() === "DELETE" && deleted.push(request.url()));
  for (const typed of [
    "",
    app.code.slice(0, -1),
    `${app.code}x`,
    app.code.toUpperCase(),
    app.name,
  ]) {
    await field.fill(typed);
    await expect(confirm).toBeDisabled();
    await page.keyboard.press("Enter");
    await expect(asked).toBeVisible();
  }
  expect(deleted).toEqual([]);
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({ status: "draft" });

  // Pasted with a blank around it, it counts.
  await field.fill(` ${app.code} `);
  await expect(confirm).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(toast(page, `${app.name} deleted`)).toBeVisible();
  await expect(page).toHaveURL("/apps");
  expect(deleted).toHaveLength(1);
  await page.goto(`/apps/view/${app.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
});

const archive = async (page: Page, { name }: App) => {
  await button(page, "Archive").click();
  await dialog(page, `Archive ${name}?`)
    .getByRole("button", { name: `Archive ${name}` })
    .click();
  await expect(toast(page, `${name} archived`)).toBeVisible();
};

test("DG3 Archiving can be undone for 10 seconds, and the history shows both", async ({
  ownerPage: page,
}) => {
  const app = await onActive(page);
  const writes = recordWrites(page);
  await archive(page, app);
  await expect(button(page, "Restore")).toBeVisible();
  await toast(page, "archived").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, `${app.name} restored`)).toBeVisible();
  await expect(button(page, "Archive")).toBeVisible();
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({ status: "active" });
  // It is undone only once.
  await page.keyboard.press("Control+z");
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.locator(".history > li")).toHaveText([
    /App restored.*Status.*Archived.*Active/s,
    /App archived.*Status.*Active.*Archived/s,
    /App activated/,
    /App created/,
  ]);
  expect(writes.map((write) => write.split("/").at(-1))).toEqual(["archive", "restore"]);
});

test("DG3 Archiving is complete even if the tab is closed immediately @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await onActive(page);
  await archive(page, app);
  await page.close();
  expect(await callApi(colleaguePage, { path: `/apps/${app.id}` })).toMatchObject({
    status: "archived",
  });
  await openView(colleaguePage, app, "?tab=activity");
  await expect(colleaguePage.locator(".history > li").first()).toHaveText(
    /Berta Boss\s*App archived/,
  );
});

/** The z-index of an element: its own, or that of its closest positioned ancestor. */
const layerOf = (element: Locator) =>
  element.evaluate((start) => {
    for (let at: Element | null = start; at; at = at.parentElement) {
      const { zIndex, position } = getComputedStyle(at);
      if (position !== "static" && zIndex !== "auto") return Number(zIndex);
    }
    return 0;
  });

test("DG4 Dialogs and popups use the specified z-index layers @nightly", async ({
  ownerPage: page,
}) => {
  await onView(page);
  await button(page, "More actions").click();
  // It opens next to its opener, not at the end of the page.
  await expect(page.getByRole("menu")).toBeInViewport({ ratio: 1 });
  expect(await layerOf(page.getByRole("menu"))).toBe(1000);
  await page.keyboard.press("Escape");
  await page.locator("time").first().hover();
  const tooltip = page.getByRole("tooltip");
  await expect(tooltip).toBeVisible();
  expect(await layerOf(tooltip)).toBe(1100);
  await expect(tooltip).toHaveCSS("transition-duration", "0.25s");

  await button(page, "New key").click();
  const modal = dialog(page, /^New API key for/);
  await expect(modal).toBeVisible();
  const inner = page.locator(".mantine-Modal-inner");
  await expect(inner).toHaveCSS("z-index", "1100");
  await expect(page.locator(".mantine-Modal-overlay")).toHaveCSS("z-index", "1100");
  await modal.getByRole("combobox", { name: "Type" }).click();
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await layerOf(page.getByRole("listbox"))).toBe(1101);
});

for (const key of ["Tab", "Shift+Tab"])
  test(`DG5 ${key} doesn't leave a dialog @nightly`, async ({ ownerPage: page }) => {
    await onView(page);
    const isInside = (modal: Locator) =>
      modal.evaluate((element) => element.contains(document.activeElement));
    await button(page, "New key").click();
    const modal = dialog(page, /^New API key for/);
    await expect(modal.getByRole("textbox", { name: "Name" })).toBeFocused();
    const met = new Set<string>();
    for (let press = 1; press <= 20; press += 1) {
      await page.keyboard.press(key);
      expect(await isInside(modal), `after ${press} × ${key}`).toBe(true);
      met.add(await page.locator(":focus").evaluate((element) => element.outerHTML.slice(0, 200)));
    }
    // Close, name, type, four permissions, expiration, Cancel, Create.
    expect(met.size).toBe(10);
  });

test("DG5 Escape closes only the top layer, and a click outside a dialog does nothing @nightly", async ({
  ownerPage: page,
}) => {
  await onView(page);
  await button(page, "New key").click();
  const modal = dialog(page, /^New API key for/);
  await modal.getByRole("textbox", { name: "Name" }).fill("server-1");
  await modal.getByRole("combobox", { name: "Expiration" }).click();
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await expect(modal).toBeVisible();

  await page.mouse.click(4, 4);
  await page.mouse.click(640, 4);
  await expect(modal).toBeVisible();
  await expect(modal.getByRole("textbox", { name: "Name" })).toHaveValue("server-1");
  await page.keyboard.press("Escape");
  await expect(modal).toBeHidden();
});

test("DG5 Page shortcuts are off while a dialog is open @nightly", async ({ ownerPage: page }) => {
  const app = await onView(page);
  await button(page, "Activate").click();
  await expect(dialog(page, /^Activate/)).toBeVisible();
  await page.keyboard.press("e");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page).toHaveURL(`/apps/view/${app.id}`);
  await page.keyboard.press("Escape");
  await expect(dialog(page, /^Activate/)).toBeHidden();
  await page.keyboard.press("e");
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
});
