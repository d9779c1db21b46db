import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { type App, changeApp, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import {
  acceptLeaveDialogs,
  answerDraftOffer,
  draftOffer,
  openEditWithDraft,
  typeDraft,
  waitUntilDraftDeleted,
  waitUntilDraftSaved,
} from "../../pages/drafts.ts";
import { fieldOf, recordWrites, toast } from "../../pages/forms.ts";

// @nightly: The gate restores one draft and merges one conflict; this combines the two.

const stored = (page: Page, { id }: App) => callApi<App>(page, { path: `/apps/${id}` });
const conflict = (page: Page) => page.getByRole("dialog", { name: "Someone else saved changes" });

test("FM5 A draft is merged without a question if other fields were changed @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  acceptLeaveDialogs(page);
  await typeDraft(page, app);
  await page.goto("about:blank");
  await changeApp(colleaguePage, app.id, { supportEmail: "help@example.com" });
  await openEditWithDraft(page, app);
  const writes = recordWrites(page);
  await answerDraftOffer(page, "Restore");
  await expect(conflict(page)).toHaveCount(0);
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
  await expect(fieldOf(page, "supportEmail")).toHaveValue("help@example.com");
  await expect(page.getByRole("button", { name: "1 unsaved change" })).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(toast(page, "saved")).toBeVisible();
  // It was made from the current version, so nothing was refused first.
  expect(writes).toEqual([`PUT /api/apps/${app.id}`]);
  expect(await stored(page, app)).toMatchObject({
    description: "Half a thought",
    supportEmail: "help@example.com",
  });
});

test("FM5 A draft opens the merge if the same field was changed, and the merged values are saved @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  acceptLeaveDialogs(page);
  await openEditWithDraft(page, app);
  await fieldOf(page, "description").fill("Only I wrote this");
  await waitUntilDraftSaved(page, () => fieldOf(page, "name").fill("Mine"));
  await page.goto("about:blank");
  const theirs = { name: "Theirs", supportEmail: "help@example.com" };
  await changeApp(colleaguePage, app.id, theirs);
  await openEditWithDraft(page, { ...app, name: "Theirs" });
  await answerDraftOffer(page, "Restore");
  await expect(conflict(page)).toBeVisible();
  await expect(
    conflict(page)
      .getByRole("row", { name: /^Name / })
      .getByRole("cell"),
  ).toHaveText([app.name, "Mine", "Theirs"]);
  expect(await stored(colleaguePage, app)).toMatchObject(theirs);
  await conflict(page).getByRole("radio", { name: "Name, yours: Mine" }).check();
  await waitUntilDraftDeleted(page, () =>
    conflict(page).getByRole("button", { name: "Save my choices" }).click(),
  );
  await expect(toast(page, "Mine saved")).toBeVisible();
  await expect(fieldOf(page, "description")).toHaveValue("Only I wrote this");
  expect(await stored(page, app)).toMatchObject({
    name: "Mine",
    description: "Only I wrote this",
    supportEmail: "help@example.com",
    version: app.version + 2,
  });
  await openEditWithDraft(page, { ...app, name: "Mine" });
  await expect(draftOffer(page)).toHaveCount(0);
});

test("FM5 An invalid merge result is shown in the form with its error, and no input is lost @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  acceptLeaveDialogs(page);
  await openEditWithDraft(page, app);
  await fieldOf(page, "name").fill("Mine");
  await waitUntilDraftSaved(page, () => fieldOf(page, "supportEmail").fill("half an addr"));
  await page.goto("about:blank");
  await changeApp(colleaguePage, app.id, { name: "Theirs" });
  await openEditWithDraft(page, { ...app, name: "Theirs" });
  await answerDraftOffer(page, "Restore");
  await conflict(page).getByRole("radio", { name: "Name, yours: Mine" }).check();
  await conflict(page).getByRole("button", { name: "Save my choices" }).click();
  await expect(conflict(page)).toBeHidden();
  await expect(fieldOf(page, "supportEmail")).toBeFocused();
  await expect(fieldOf(page, "supportEmail")).toHaveValue("half an addr");
  await expect(fieldOf(page, "name")).toHaveValue("Mine");
  await fieldOf(page, "supportEmail").fill("help@example.com");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Mine saved")).toBeVisible();
});
