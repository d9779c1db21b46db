import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, openCreate, openEdit, toast } from "../../pages/forms.ts";
import { answer, createButton, leaveDialog } from "./appForm.ts";

// @nightly: The gate covers missing, taken and unsaved values; this is a variant of them.

const saveButton = (page: Page) => page.getByRole("button", { name: "Save app" });

const menuEntry = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

test("FM4 Leaving with unsaved changes asks for confirmation, and staying keeps the focus", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "description").fill("Half a thought");
  await menuEntry(page, "Home").click();
  await expect(leaveDialog(page)).toContainText("1 change will be lost.");
  await expect(answer(page, "Keep editing")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(leaveDialog(page)).toBeHidden();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
  await expect(fieldOf(page, "description")).toBeFocused();

  await menuEntry(page, "Home").click();
  await answer(page, "Discard").click();
  await expect(page).toHaveURL("/");
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
    description: "",
    version: app.version,
  });
});

test("FM4 Leaving can save first, and an error keeps the form open @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "supportEmail").fill("nobody");
  await menuEntry(page, "Home").click();
  await answer(page, "Save and leave").click();
  await expect(leaveDialog(page)).toBeHidden();
  await expect(fieldOf(page, "supportEmail")).toBeFocused();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);

  await fieldOf(page, "supportEmail").fill("help@example.com");
  await menuEntry(page, "Home").click();
  await answer(page, "Save and leave").click();
  await expect(page).toHaveURL("/");
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
    supportEmail: "help@example.com",
  });
});

test("FM4 Leaving a saved or unchanged form doesn't ask @nightly", async ({ ownerPage: page }) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Something else");
  await fieldOf(page, "name").fill(app.name);
  await menuEntry(page, "Apps").click();
  await expect(page.getByRole("heading", { name: "Apps", level: 1 })).toBeVisible();

  await openEdit(page, app);
  await fieldOf(page, "description").fill("All of it");
  await saveButton(page).click();
  await expect(toast(page, "saved")).toBeVisible();
  await menuEntry(page, "Home").click();
  await expect(page).toHaveURL("/");

  await openCreate(page);
  await fieldOf(page, "name").fill(`Harbor ${uniqueCode()}`);
  await createButton(page).click();
  await expect(page).toHaveURL(/\/apps\/view\//);
  await expect(leaveDialog(page)).toHaveCount(0);
});

test("FM4 The browser's Back button asks for confirmation too @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await page.goto(`/apps/view/${app.id}`);
  await page.getByRole("link", { name: "Edit" }).click();
  await fieldOf(page, "description").fill("Half a thought");
  await page.goBack();
  await answer(page, "Keep editing").click();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
  await expect(fieldOf(page, "description")).toBeFocused();

  await page.goBack();
  await answer(page, "Discard").click();
  await expect(page).toHaveURL(`/apps/view/${app.id}`);
});

/** Whether the browser would ask before it closes or reloads this page. */
const asksBeforeUnload = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

test("FM4 The browser asks before closing the tab only with unsaved changes @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  expect(await asksBeforeUnload(page)).toBe(false);
  await fieldOf(page, "name").press("End");
  await page.keyboard.type("!");
  await expect.poll(() => asksBeforeUnload(page)).toBe(true);

  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await expect(fieldOf(page, "name")).toHaveValue(`${app.name}!`);

  await page.keyboard.press("Backspace");
  await expect.poll(() => asksBeforeUnload(page)).toBe(false);
  await page.keyboard.type("?");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "saved")).toBeVisible();
  expect(await asksBeforeUnload(page)).toBe(false);
});
