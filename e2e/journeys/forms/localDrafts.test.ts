import { expect, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import {
  acceptLeaveDialogs,
  answerDraftOffer,
  draftName,
  draftOffer,
  localDraftsIn,
  nextDraftSaveFailure,
  openEditWithDraft,
  savedDraftOf,
  typeDraft,
  waitUntilDraftLoaded,
  waitUntilDraftSaved,
} from "../../pages/drafts.ts";
import { fieldOf } from "../../pages/forms.ts";
import { expectSignedIn, openAccount, signOut, submitCredentials } from "../../pages/signIn.ts";

// @nightly: The gate restores one draft; this is a variant of it.

const hour = 3_600_000;

test("FM5 A draft isn't offered to another user on this or another device @nightly", async ({
  ownerPage: page,
  context,
  colleaguePage,
  secondOwner,
}) => {
  const app = await makeApp(page);
  await typeDraft(page, app);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await fieldOf(page, "name").fill("Only here");
  await expect.poll(() => localDraftsIn(page)).toHaveLength(1);
  await openEditWithDraft(colleaguePage, app);
  await expect(draftOffer(colleaguePage)).toHaveCount(0);

  // The second owner uses the shared owner's browser without a sign-out, so the local draft is still there.
  await page.close();
  await context.clearCookies();
  await context.addCookies(secondOwner.state.cookies);
  const next = await context.newPage();
  await openEditWithDraft(next, app);
  expect(await localDraftsIn(next)).toHaveLength(1);
  await expect(draftOffer(next)).toHaveCount(0);
  await expect(fieldOf(next, "name")).toHaveValue(app.name);
  await waitUntilDraftSaved(next, () => fieldOf(next, "name").fill("Of Carl"));
  expect(await savedDraftOf(next, draftName(app))).toMatchObject({
    name: "Of Carl",
    description: "",
  });
});

/** Closes the tab without unload events, as in a browser crash. */
const crash = async (page: Page) => {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
};

test("FM5 The browser keeps a draft while the server is unreachable and deletes it once synced @nightly", async ({
  ownerPage: page,
  context,
}) => {
  const app = await makeApp(page);
  // This device's clock is slow, but the latest input still wins.
  await context.clock.setFixedTime(Date.now() - hour);
  await typeDraft(page, app, "Before the tunnel");
  const drafts = "**/api/drafts/**";
  await context.route(drafts, (route) =>
    route.request().method() === "GET" ? route.continue() : route.abort(),
  );
  await fieldOf(page, "description").fill("Typed in a tunnel");
  await expect.poll(() => localDraftsIn(page)).toHaveLength(1);
  await crash(page);

  const next = await context.newPage();
  await openEditWithDraft(next, app);
  const failed = nextDraftSaveFailure(next);
  await answerDraftOffer(next, "Restore");
  await expect(fieldOf(next, "description")).toHaveValue("Typed in a tunnel");
  await failed;
  await context.unroute(drafts);
  expect(await localDraftsIn(next)).toHaveLength(1);
  // The machine notices that the server is in reach again.
  await waitUntilDraftSaved(next, () => next.evaluate(() => dispatchEvent(new Event("online"))));
  await expect.poll(() => localDraftsIn(next)).toEqual([]);
  expect(await savedDraftOf(next, draftName(app))).toMatchObject({
    description: "Typed in a tunnel",
  });
});

/** Types into the form of an app while no draft gets through, until the browser has a copy of its own. */
const typeOutOfReach = async (page: Page) => {
  const app = await makeApp(page);
  acceptLeaveDialogs(page);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await openEditWithDraft(page, app);
  await fieldOf(page, "description").fill("Typed in a tunnel");
  await expect.poll(() => localDraftsIn(page)).toHaveLength(1);
};

test("FM5 Input typed offline survives a reload completely @nightly", async ({
  ownerPage: page,
}) => {
  await typeOutOfReach(page);
  await fieldOf(page, "name").fill("In the tunnel");
  await waitUntilDraftLoaded(page, () => page.reload());
  await answerDraftOffer(page, "Restore");
  await expect(fieldOf(page, "description")).toHaveValue("Typed in a tunnel");
  await expect(fieldOf(page, "name")).toHaveValue("In the tunnel");
});

test("FM5 A local draft is offered for one day and then deleted @nightly", async ({
  ownerPage: page,
}) => {
  await typeOutOfReach(page);
  await page.clock.install();
  await page.clock.setFixedTime(Date.now() + 23 * hour);
  await waitUntilDraftLoaded(page, () => page.reload());
  await expect(draftOffer(page)).toContainText("23 hours ago");
  await page.clock.setFixedTime(Date.now() + 25 * hour);
  await waitUntilDraftLoaded(page, () => page.reload());
  await expect(draftOffer(page)).toHaveCount(0);
  expect(await localDraftsIn(page)).toEqual([]);
});

test("FM5 Signing out keeps the complete draft for its user @nightly", async ({ page, owner }) => {
  const app = await makeApp(page);
  acceptLeaveDialogs(page);
  await openEditWithDraft(page, app);
  // No second passes any more, so nothing but the signing out itself can keep it.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + hour);
  await fieldOf(page, "description").fill("Half a thought");
  await signOut(page);
  await page.clock.resume();
  expect(await localDraftsIn(page)).toEqual([]);

  await submitCredentials(page, owner);
  await expectSignedIn(page, owner);
  await openEditWithDraft(page, app);
  await answerDraftOffer(page, "Restore");
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
});

test("FM5 Signing out leaves no draft in the browser, even if the page stays open @nightly", async ({
  page,
  owner,
}) => {
  const app = await makeApp(page);
  await openEditWithDraft(page, app);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await fieldOf(page, "description").fill("Typed in a tunnel");
  await expect.poll(() => localDraftsIn(page)).toHaveLength(1);

  const asked = page.waitForEvent("dialog");
  const panel = await openAccount(page);
  await panel.getByRole("button", { name: "Sign out" }).click();
  await (await asked).dismiss();
  await expectSignedIn(page, owner);
  expect(await localDraftsIn(page)).toEqual([]);
  const failed = nextDraftSaveFailure(page);
  await fieldOf(page, "description").fill("Typed in a tunnel, and later");
  await failed;
  await expect(fieldOf(page, "description")).toHaveValue("Typed in a tunnel, and later");
  expect(await localDraftsIn(page)).toEqual([]);
});
