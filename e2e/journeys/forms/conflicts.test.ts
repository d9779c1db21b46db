import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { type App, changeApp, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, openEdit, recordWrites, toast } from "../../pages/forms.ts";

// @nightly: The gate merges two edits once; the merge rules have tables of cases.

const conflict = (page: Page) => page.getByRole("dialog", { name: "Someone else saved changes" });
const act = (page: Page, name: string) => conflict(page).getByRole("button", { name });
const stored = (page: Page, { id }: App) => callApi<App>(page, { path: `/apps/${id}` });

/** The row of a field in the dialog, cell by cell. */
const cellsOf = (page: Page, field: string) =>
  conflict(page)
    .getByRole("row", { name: new RegExp(`^${field} `) })
    .getByRole("cell")
    .allInnerTexts();

/** The history on the app's page, newest first. */
const expectHistory = async (page: Page, app: App, entries: RegExp[]) => {
  await page.goto(`/apps/view/${app.id}?tab=activity`);
  const shown = page.locator(".history > li");
  await expect(shown).toHaveCount(entries.length);
  await expect(shown).toHaveText(entries);
};

const openAndSaveAfter = async (page: Page, app: App, theirs: () => Promise<unknown>) => {
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Mine");
  await fieldOf(page, "description").fill("Only I wrote this");
  await theirs();
  await page.keyboard.press("Control+s");
};

test("FM6 Edits of different fields by two users are merged without a question", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  const writes = recordWrites(page);
  await openAndSaveAfter(page, app, () =>
    changeApp(colleaguePage, app.id, { supportEmail: "help@example.com" }),
  );
  await expect(toast(page, "Mine saved")).toBeVisible();
  await expect(conflict(page)).toHaveCount(0);
  await expect(fieldOf(page, "supportEmail")).toHaveValue("help@example.com");
  // The first was refused as being of an older version, the second was the merged one.
  expect(writes).toEqual([`PUT /api/apps/${app.id}`, `PUT /api/apps/${app.id}`]);
  expect(await stored(page, app)).toMatchObject({
    name: "Mine",
    description: "Only I wrote this",
    supportEmail: "help@example.com",
    version: app.version + 2,
  });
  await expectHistory(page, app, [
    /Berta Boss\s+App changed.*Name.*Mine/s,
    /Carl Colleague\s+App changed.*Support email.*help@example\.com/s,
    /App created/,
  ]);
});

for (const chosen of ["yours", "theirs"] as const)
  test(`FM6 Both users changed the name: ${chosen} wins where chosen, and all other values are kept @nightly`, async ({
    ownerPage: page,
    colleaguePage,
  }) => {
    const app = await makeApp(page);
    await openAndSaveAfter(page, app, () =>
      changeApp(colleaguePage, app.id, { name: "Theirs", platforms: ["web", "ios"] }),
    );
    await expect(conflict(page)).toBeVisible();
    expect(await cellsOf(page, "Name")).toEqual([app.name, "Mine", "Theirs"]);
    expect(await cellsOf(page, "Platforms")).toEqual(["None", "unchanged", "Web, iOS"]);
    expect(await cellsOf(page, "Description")).toEqual(["None", "Only I wrote this", "unchanged"]);
    expect(await stored(colleaguePage, app)).toMatchObject({ name: "Theirs", description: "" });

    // Nothing is chosen for anybody.
    await expect(conflict(page).getByRole("radio", { checked: true })).toHaveCount(0);
    await expect(act(page, "Save my choices")).toBeDisabled();
    await conflict(page)
      .getByRole("radio", { name: new RegExp(`^Name, ${chosen}:`) })
      .check();
    await act(page, "Save my choices").click();
    const name = chosen === "yours" ? "Mine" : "Theirs";
    await expect(toast(page, `${name} saved`)).toBeVisible();
    await expect(conflict(page)).toBeHidden();
    await expect(fieldOf(page, "name")).toHaveValue(name);
    await expect(page.getByRole("checkbox", { name: "iOS" })).toBeChecked();
    expect(await stored(page, app)).toMatchObject({
      name,
      description: "Only I wrote this",
      platforms: ["web", "ios"],
    });
    await expectHistory(page, app, [
      chosen === "yours"
        ? /Berta Boss\s+App changed.*Name.*Theirs.*Mine.*Description/s
        : /Berta Boss\s+App changed.*Description/s,
      /Carl Colleague\s+App changed.*Theirs/s,
      /App created/,
    ]);
  });

test("FM6 Using the other version for all fields keeps fields that only this user changed @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openAndSaveAfter(page, app, () =>
    changeApp(colleaguePage, app.id, { name: "Theirs", icon: "anchor" }),
  );
  await act(page, "Use their version").click();
  await expect(toast(page, "Theirs saved")).toBeVisible();
  await expect(conflict(page)).toBeHidden();
  expect(await stored(page, app)).toMatchObject({
    name: "Theirs",
    icon: "anchor",
    description: "Only I wrote this",
  });
});

test("FM6 Continuing to edit shows the other version next to each field and doesn't ask again @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openAndSaveAfter(page, app, () =>
    changeApp(colleaguePage, app.id, { name: "Theirs", supportEmail: "help@example.com" }),
  );
  await act(page, "Keep editing").click();
  await expect(conflict(page)).toBeHidden();
  await expect(fieldOf(page, "name")).toHaveValue("Mine");
  await expect(fieldOf(page, "supportEmail")).toHaveValue("help@example.com");
  await expect(page.getByText("Previously Theirs")).toBeVisible();
  await expect(page.getByRole("button", { name: "2 unsaved changes" })).toBeVisible();
  expect(await stored(page, app)).toMatchObject({ name: "Theirs", description: "" });

  await fieldOf(page, "name").fill("Ours");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Ours saved")).toBeVisible();
  expect(await stored(page, app)).toMatchObject({
    name: "Ours",
    supportEmail: "help@example.com",
    description: "Only I wrote this",
  });
});

test("FM6 Another save during conflict resolution asks again @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openAndSaveAfter(page, app, () => changeApp(colleaguePage, app.id, { name: "Theirs" }));
  await conflict(page).getByRole("radio", { name: "Name, yours: Mine" }).check();
  await changeApp(colleaguePage, app.id, { name: "Theirs again" });
  await act(page, "Save my choices").click();
  await conflict(page).getByRole("radio", { name: "Name, theirs: Theirs again" }).check();
  expect(await cellsOf(page, "Name")).toEqual(["Theirs", "Mine", "Theirs again"]);
  await act(page, "Save my choices").click();
  await expect(toast(page, "Theirs again saved")).toBeVisible();
  expect(await stored(page, app)).toMatchObject({
    name: "Theirs again",
    description: "Only I wrote this",
  });
});

test("FM6 Saving on leave resolves the conflict first without losing input @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Mine");
  await changeApp(colleaguePage, app.id, { name: "Theirs" });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await page.getByRole("button", { name: "Save and leave" }).click();
  await expect(conflict(page)).toBeVisible();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
  await act(page, "Keep editing").click();
  await expect(fieldOf(page, "name")).toHaveValue("Mine");
});

test("FM6 Input stays visible if the app is archived during editing @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const draft = await makeApp(page);
  const app = await callApi<App>(page, {
    method: "POST",
    path: `/apps/${draft.id}/activate`,
    version: draft.version,
    body: {},
  });
  await openEdit(page, app);
  await fieldOf(page, "description").fill("An hour of work");
  const heard = page.waitForResponse((answer) => answer.url().endsWith(`/api/apps/${app.id}`));
  await callApi(colleaguePage, {
    method: "POST",
    path: `/apps/${app.id}/archive`,
    version: app.version,
    body: {},
  });
  await (await heard).finished();
  await expect(fieldOf(page, "description")).toHaveValue("An hour of work");
  await page.keyboard.press("Control+s");
  await expect(page.locator("form").getByRole("alert")).toContainText("archived");
  await expect(fieldOf(page, "description")).toHaveValue("An hour of work");
});
