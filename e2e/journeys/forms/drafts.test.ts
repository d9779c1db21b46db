import { expect } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { type App, changeApp, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { expectAccessible } from "../../pages/accessibility.ts";
import {
  acceptLeaveDialogs,
  answerDraftOffer,
  draftName,
  draftOffer,
  localDraftsIn,
  openEditWithDraft,
  savedDraftOf,
  typeDraft,
  waitUntilDraftDeleted,
  waitUntilDraftLoaded,
  waitUntilDraftSaved,
} from "../../pages/drafts.ts";
import { fieldOf, openCreate, openEdit, recordWrites, toast } from "../../pages/forms.ts";

// @nightly: The gate restores one draft; this is a variant of it.

test("FM5 Unsaved input is offered after a reload, restored as typed and saved once", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  const asked = acceptLeaveDialogs(page);
  await typeDraft(page, app);
  await page.getByRole("checkbox", { name: "iOS" }).check();
  // Not a second passes between the last change and the reload.
  await waitUntilDraftLoaded(page, () => page.reload());
  expect(asked).toEqual(["beforeunload"]);
  await expect(draftOffer(page)).toContainText(/unsaved changes from (just now|\d+ seconds ago)\./);
  await expect(fieldOf(page, "description")).toHaveValue("");
  await expectAccessible(page);

  const writes = recordWrites(page);
  await answerDraftOffer(page, "Restore");
  await expect(draftOffer(page)).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
  await expect(page.getByRole("checkbox", { name: "iOS" })).toBeChecked();
  await expect(page.getByRole("button", { name: "2 unsaved changes" })).toBeVisible();
  await waitUntilDraftDeleted(page, () => page.keyboard.press("Control+s"));
  await expect(toast(page, "saved")).toBeVisible();
  expect(writes).toEqual([`PUT /api/apps/${app.id}`]);
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
    description: "Half a thought",
    platforms: ["ios"],
    version: app.version + 1,
  });

  await openEditWithDraft(page, app);
  await expect(draftOffer(page)).toHaveCount(0);
  expect(await savedDraftOf(page, draftName(app))).toBeNull();
  expect(asked).toHaveLength(1);
});

test("FM5 A closed tab or another device of the same user loses no input @nightly", async ({
  ownerPage: page,
  context,
  browser,
  product,
  sharedOwner,
}) => {
  const app = await makeApp(page);
  await typeDraft(page, app);
  // A draft saved on the server isn't kept in the browser too.
  expect(await localDraftsIn(page)).toEqual([]);
  await page.close();
  const next = await context.newPage();
  await openEditWithDraft(next, app);
  await expect(draftOffer(next)).toBeVisible();

  const elsewhere = await browser.newContext({
    baseURL: product.origin,
    storageState: sharedOwner.state,
  });
  const other = await elsewhere.newPage();
  await openEditWithDraft(other, app);
  await answerDraftOffer(other, "Restore");
  await expect(fieldOf(other, "description")).toHaveValue("Half a thought");
  await elsewhere.close();
});

test("FM5 The previous draft is offered until new input replaces it @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await typeDraft(page, app, "The old");
  acceptLeaveDialogs(page);
  await waitUntilDraftLoaded(page, () => page.reload());
  await expect(draftOffer(page)).toBeVisible();
  // Input that is reverted within the debounce time is no change.
  await fieldOf(page, "name").fill("A slip");
  await fieldOf(page, "name").fill(app.name);
  await expect(draftOffer(page)).toBeVisible();
  expect(await savedDraftOf(page, draftName(app))).toMatchObject({ description: "The old" });

  await waitUntilDraftSaved(page, () => fieldOf(page, "description").fill("The new"));
  await expect(draftOffer(page)).toBeHidden();
  expect(await savedDraftOf(page, draftName(app))).toMatchObject({ description: "The new" });

  // Saving without answering the offer discards the old draft.
  await waitUntilDraftLoaded(page, () => page.reload());
  await expect(draftOffer(page)).toBeVisible();
  await fieldOf(page, "description").fill("The newest");
  await waitUntilDraftDeleted(page, () => page.keyboard.press("Control+s"));
  await openEditWithDraft(page, app);
  await expect(draftOffer(page)).toHaveCount(0);
});

test("FM5 Input before the draft has loaded doesn't overwrite it silently @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  acceptLeaveDialogs(page);
  await typeDraft(page, app, "The old");
  const answer = Promise.withResolvers<void>();
  const drafts = "**/api/drafts/**";
  const told: string[] = [];
  await page.route(drafts, async (route) => {
    told.push(route.request().method());
    await answer.promise;
    await route.continue();
  });
  await page.clock.install();
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Quickly");
  await page.clock.fastForward(5000);
  expect(told).toEqual(["GET"]);
  answer.resolve();
  await expect(draftOffer(page)).toBeVisible();
  await answerDraftOffer(page, "Restore");
  await expect(fieldOf(page, "description")).toHaveValue("The old");
  await expect(fieldOf(page, "name")).toHaveValue(app.name);
});

test("FM5 A draft of a new record keeps its own code, and the record is created once @nightly", async ({
  page,
  owner,
}) => {
  expect(owner.name).toBe("Olga Owner");
  acceptLeaveDialogs(page);
  const code = uniqueCode("draft");
  await waitUntilDraftLoaded(page, () => openCreate(page));
  await fieldOf(page, "name").fill("Harbor");
  await waitUntilDraftSaved(page, () => fieldOf(page, "code").fill(code));
  await waitUntilDraftLoaded(page, () => page.reload());
  await answerDraftOffer(page, "Restore");
  await expect(fieldOf(page, "name")).toHaveValue("Harbor");
  await fieldOf(page, "name").fill("Harbor Desk");
  await expect(fieldOf(page, "code")).toHaveValue(code);
  await waitUntilDraftDeleted(page, () => page.getByRole("button", { name: "Create app" }).click());
  await expect(page).toHaveURL(/\/apps\/view\//);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbor Desk");
  const { items } = await callApi<{ items: App[] }>(page, { path: `/apps?q=${code}` });
  expect(items).toHaveLength(1);

  await waitUntilDraftLoaded(page, () => openCreate(page));
  await expect(draftOffer(page)).toHaveCount(0);
  await expect(fieldOf(page, "name")).toHaveValue("");
  // A copy of an app is another form than a new one.
  await waitUntilDraftSaved(page, () => fieldOf(page, "name").fill("From nothing"));
  await waitUntilDraftLoaded(page, () => page.goto(`/apps/create?from=${items[0]?.id}`));
  await expect(fieldOf(page, "name")).toHaveValue("Harbor Desk copy");
  await expect(draftOffer(page)).toHaveCount(0);
});

test("FM5 A crashed form continues with its input after one retry @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openEditWithDraft(page, app);
  const asked = acceptLeaveDialogs(page);
  // An unexpected response crashes the page right after typing.
  const address = `**/api/apps/${app.id}`;
  const typed = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await typed.promise;
    await route.fulfill({ json: {} });
  });
  const refreshed = page.waitForRequest(address);
  await changeApp(colleaguePage, app.id, { supportEmail: "help@example.com" });
  await refreshed;
  await fieldOf(page, "description").fill("An hour of work");
  typed.resolve();
  await expect(page.getByRole("heading", { name: "Internal Server Error" })).toBeVisible();
  await page.unroute(address);
  await waitUntilDraftLoaded(page, () => page.getByRole("button", { name: "Try again" }).click());
  await expect(fieldOf(page, "description")).toHaveValue("An hour of work");
  await expect(fieldOf(page, "supportEmail")).toHaveValue("help@example.com");
  await expect(draftOffer(page)).toHaveCount(0);
  expect(asked).toEqual([]);

  // The next reload behaves as usual: it loads the draft and offers it.
  await waitUntilDraftLoaded(page, () => page.reload());
  expect(asked).toEqual(["beforeunload"]);
  await expect(draftOffer(page)).toBeVisible();
  await expect(fieldOf(page, "description")).toHaveValue("");
});
