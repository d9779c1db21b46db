import { expect, type Locator, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, openCreate, openEdit, recordWrites, toast } from "../../pages/forms.ts";

// @nightly: The gate covers saving, double submit and review; this is a detail of the same form.

const saveButton = (page: Page) => page.getByRole("button", { name: "Save app" });

test("FM7 Ctrl S saves from every field", async ({ ownerPage: page }) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  const places: Record<string, Locator> = {
    name: fieldOf(page, "name"),
    code: fieldOf(page, "code"),
    description: fieldOf(page, "description"),
    icon: page.getByRole("button", { name: "Icon", exact: true }),
    platforms: page.getByRole("checkbox", { name: "Web" }),
    "support mail": fieldOf(page, "supportEmail"),
  };
  for (const [place, field] of Object.entries(places)) {
    await fieldOf(page, "description").fill(`Saved from ${place}`);
    await field.focus();
    // Not the unsaved changes, which are stored on the server too.
    const saved = page.waitForResponse(
      (answer) =>
        answer.request().method() === "PUT" &&
        answer.url().endsWith(`/apps/${app.id}`) &&
        answer.ok(),
    );
    await page.keyboard.press("Control+s");
    expect(await (await saved).json()).toMatchObject({ description: `Saved from ${place}` });
    await expect(page.getByRole("button", { name: /unsaved change/ })).toBeHidden();
    await expect(field).toBeFocused();
  }
  await fieldOf(page, "description").fill("Saved by Ctrl Enter");
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(() => callApi(page, { path: `/apps/${app.id}` }))
    .toMatchObject({
      description: "Saved by Ctrl Enter",
    });
});

/** Delays responses to writes until they are released. */
const holdWrites = async (page: Page) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/apps**", async (route) => {
    if (route.request().method() !== "GET") await released;
    await route.continue();
  });
  return release;
};

test("FM7 Repeated key presses and a double click create one app", async ({ ownerPage: page }) => {
  await openCreate(page);
  const writes = recordWrites(page);
  const release = await holdWrites(page);
  await fieldOf(page, "name").fill(`Harbor ${uniqueCode()}`);
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Control+s");
  const button = page.getByRole("button", { name: "Create app" });
  await expect(button).toHaveAttribute("aria-busy", "true");
  // The button is marked as busy but can still be pressed.
  await button.dblclick({ force: true });
  release();
  await expect(page).toHaveURL(/\/apps\/view\//);
  expect(writes).toEqual(["POST /api/apps"]);
});

test("FM7 Repeated key presses and a double click save once, even with a fast response @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  const writes = recordWrites(page);
  const put = `PUT /api/apps/${app.id}`;
  const expectSaved = async (description: string, version: number) => {
    await expect(page.getByRole("button", { name: /unsaved change/ })).toBeHidden();
    const stored = await callApi(page, { path: `/apps/${app.id}` });
    expect(stored).toMatchObject({ description, version });
  };
  await fieldOf(page, "description").fill("By two presses");
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Control+s");
  await expectSaved("By two presses", app.version + 1);
  await fieldOf(page, "description").fill("By a double click");
  await saveButton(page).dblclick();
  await expectSaved("By a double click", app.version + 2);
  // The slow second half of a double click: by now there is nothing left to save.
  await saveButton(page).click();
  await fieldOf(page, "description").fill("At last");
  await page.keyboard.press("Control+s");
  await expectSaved("At last", app.version + 3);
  expect(writes).toEqual([put, put, put]);
});

test("FM7 Input typed during a save is kept and remains unsaved @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  const release = await holdWrites(page);
  const description = fieldOf(page, "description");
  await description.fill("First");
  await page.keyboard.press("Control+s");
  await expect(saveButton(page)).toHaveAttribute("aria-busy", "true");
  await description.press("End");
  await page.keyboard.type(" and second");
  release();
  await expect(toast(page, "saved")).toBeVisible();
  await expect(description).toHaveValue("First and second");
  await expect(changes(page, "1 unsaved change")).toBeVisible();
  await expect(page.getByText("Previously First")).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await page.getByRole("button", { name: "Save and leave" }).click();
  await expect(page).toHaveURL("/");
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
    description: "First and second",
    version: app.version + 2,
  });
});

const changes = (page: Page, amount: string) =>
  page.getByRole("button", { name: new RegExp(`^${amount}\\b`) });
const review = (page: Page) => page.getByRole("dialog", { name: "Unsaved changes" });
const reviewed = async (page: Page) => {
  const rows = await review(page).getByRole("row").all();
  return Promise.all(rows.slice(1).map((row) => row.locator("th, td").allInnerTexts()));
};

test("FM8 Review lists exactly the changes with previous values, and each can be reverted", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page, { supportEmail: "old@example.com" });
  await openEdit(page, app);
  const marked = page.locator("[data-changed]");
  await expect(marked).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Discard" })).toHaveCount(0);

  await fieldOf(page, "name").fill("Harbor");
  await fieldOf(page, "supportEmail").fill("new@example.com");
  await page.getByRole("checkbox", { name: "Android" }).check();
  await expect(changes(page, "3 unsaved changes")).toBeVisible();
  await expect(marked).toHaveCount(3);
  const mark = fieldOf(page, "name");
  const amber = await page.evaluate(() => {
    const sample = document.createElement("i");
    sample.style.color = "var(--p-changed-mark)";
    document.body.append(sample);
    const { color } = getComputedStyle(sample);
    sample.remove();
    return color;
  });
  await expect(mark).toHaveCSS("box-shadow", `${amber} 3px 0px 0px 0px inset`);
  await expect(page.getByText(`Previously ${app.name}`)).toBeVisible();

  await changes(page, "3 unsaved changes").click();
  expect(await reviewed(page)).toEqual([
    ["Name", `−${app.name}`, "+Harbor"],
    ["Platforms", "−None", "+Android"],
    ["Support email", "−old@example.com", "+new@example.com"],
  ]);
  await review(page).getByRole("button", { name: "Keep editing" }).click();

  await page.getByRole("button", { name: "Reset Name" }).click();
  await expect(fieldOf(page, "name")).toHaveValue(app.name);
  await expect(changes(page, "2 unsaved changes")).toBeVisible();
  await expect(marked).toHaveCount(2);
  await changes(page, "2 unsaved changes").click();
  expect((await reviewed(page)).map(([field]) => field)).toEqual(["Platforms", "Support email"]);
  await page.keyboard.press("Escape");

  await page.getByRole("checkbox", { name: "Android" }).uncheck();
  await expect(changes(page, "1 unsaved change")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(fieldOf(page, "supportEmail")).toHaveValue("old@example.com");
  await expect(marked).toHaveCount(0);
  await expect(page.getByRole("button", { name: /unsaved change/ })).toHaveCount(0);
});
