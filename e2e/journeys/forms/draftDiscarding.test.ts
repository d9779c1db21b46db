import { expect, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
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
} from "../../pages/drafts.ts";
import { fieldOf } from "../../pages/forms.ts";

// @nightly: The gate restores one draft; this is a variant of it.

test("FM5 A discarded draft is deleted in the browser and on the server @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await typeDraft(page, app);
  acceptLeaveDialogs(page);
  await waitUntilDraftLoaded(page, () => page.reload());
  await waitUntilDraftDeleted(page, () => answerDraftOffer(page, "Discard"));
  await expect(draftOffer(page)).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(fieldOf(page, "description")).toHaveValue("");
  expect(await savedDraftOf(page, draftName(app))).toBeNull();
  await waitUntilDraftLoaded(page, () => page.reload());
  await expect(draftOffer(page)).toHaveCount(0);
});

const menuEntry = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
const discardAndLeave = async (page: Page) => {
  await menuEntry(page, "Home").click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Discard" })
    .click();
};

const waysBack: Record<string, (page: Page) => Promise<unknown>> = {
  "was reverted by typing": (page) => fieldOf(page, "description").fill(""),
  "was discarded": (page) => page.getByRole("button", { name: "Discard" }).click(),
  "was discarded on leave": discardAndLeave,
};

for (const [how, goBack] of Object.entries(waysBack))
  test(`FM5 A draft that ${how} isn't offered again @nightly`, async ({ ownerPage: page }) => {
    const app = await makeApp(page);
    await typeDraft(page, app);
    await waitUntilDraftDeleted(page, () => goBack(page));
    expect(await savedDraftOf(page, draftName(app))).toBeNull();
    await openEditWithDraft(page, app);
    await expect(draftOffer(page)).toHaveCount(0);
    expect(await localDraftsIn(page)).toEqual([]);
  });

test("FM4 Discarding before a full page load asks only once @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await typeDraft(page, app);
  const asked = acceptLeaveDialogs(page);
  // As after a release: the URL has changed, and the page reloads while the form is still open.
  await page.evaluate(() => {
    const push = history.pushState.bind(history);
    history.pushState = (...given) => {
      push(...given);
      location.reload();
    };
  });
  const loaded = page.waitForEvent("load");
  await discardAndLeave(page);
  await loaded;
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  expect(asked).toEqual([]);
  await openEditWithDraft(page, app);
  await expect(draftOffer(page)).toHaveCount(0);
});

test("FM4 Discarding one form doesn't turn off the question in the next @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  const asked = acceptLeaveDialogs(page);
  await typeDraft(page, app);
  await discardAndLeave(page);
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await waitUntilDraftLoaded(page, () => page.goBack());
  await fieldOf(page, "description").fill("Another thought");
  expect(asked).toEqual([]);
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
});
