import { expect, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { expectSignedIn, giveCredentials, openAccount, signOut } from "../../data/team.ts";
import { test } from "../../fixtures/colleague.ts";
import {
  agreeToLeave,
  answerOffer,
  copiesIn,
  draftName,
  keptOf,
  nextFailure,
  offer,
  openAgain,
  typeInto,
  untilAsked,
  untilKept,
} from "../../pages/drafts.ts";
import { fieldOf } from "../../pages/forms.ts";

// @nightly: The gate restores one draft; this is a variant of it.

const hour = 3_600_000;

test("FM5 nobody else is offered it, on this machine or another @nightly", async ({
  office: page,
  context,
  colleague,
  carl,
}) => {
  const app = await makeApp(page);
  await typeInto(page, app);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await fieldOf(page, "name").fill("Only here");
  await expect.poll(() => copiesIn(page)).toHaveLength(1);
  await openAgain(colleague, app);
  await expect(offer(colleague)).toHaveCount(0);

  // Carl sits down at the boss's browser: nobody signed out, so the copy is still there.
  await page.close();
  await context.clearCookies();
  await context.addCookies(carl.state.cookies);
  const next = await context.newPage();
  await openAgain(next, app);
  expect(await copiesIn(next)).toHaveLength(1);
  await expect(offer(next)).toHaveCount(0);
  await expect(fieldOf(next, "name")).toHaveValue(app.name);
  await untilKept(next, () => fieldOf(next, "name").fill("Of Carl"));
  expect(await keptOf(next, draftName(app))).toMatchObject({ name: "Of Carl", description: "" });
});

/** The tab ends without another word, as when the browser breaks. */
const crash = async (page: Page) => {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
};

test("FM5 while the server cannot be reached this browser keeps it, until the server took it @nightly", async ({
  office: page,
  context,
}) => {
  const app = await makeApp(page);
  // This machine's clock is slow; what was typed last counts all the same.
  await context.clock.setFixedTime(Date.now() - hour);
  await typeInto(page, app, "Before the tunnel");
  const drafts = "**/api/drafts/**";
  await context.route(drafts, (route) =>
    route.request().method() === "GET" ? route.continue() : route.abort(),
  );
  await fieldOf(page, "description").fill("Typed in a tunnel");
  await expect.poll(() => copiesIn(page)).toHaveLength(1);
  await crash(page);

  const next = await context.newPage();
  await openAgain(next, app);
  const failed = nextFailure(next);
  await answerOffer(next, "Restore");
  await expect(fieldOf(next, "description")).toHaveValue("Typed in a tunnel");
  await failed;
  await context.unroute(drafts);
  expect(await copiesIn(next)).toHaveLength(1);
  // The machine notices that the server is in reach again.
  await untilKept(next, () => next.evaluate(() => dispatchEvent(new Event("online"))));
  await expect.poll(() => copiesIn(next)).toEqual([]);
  expect(await keptOf(next, draftName(app))).toMatchObject({ description: "Typed in a tunnel" });
});

/** Types into the form of an app while no draft gets through, until the browser has a copy of its own. */
const typeOutOfReach = async (page: Page) => {
  const app = await makeApp(page);
  agreeToLeave(page);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await openAgain(page, app);
  await fieldOf(page, "description").fill("Typed in a tunnel");
  await expect.poll(() => copiesIn(page)).toHaveLength(1);
};

test("FM5 what was typed out of reach is also there after a reload, to the last letter", async ({
  office: page,
}) => {
  await typeOutOfReach(page);
  await fieldOf(page, "name").fill("In the tunnel");
  await untilAsked(page, () => page.reload());
  await answerOffer(page, "Restore");
  await expect(fieldOf(page, "description")).toHaveValue("Typed in a tunnel");
  await expect(fieldOf(page, "name")).toHaveValue("In the tunnel");
});

test("FM5 a copy in the browser is offered for a day, and then it is gone @nightly", async ({
  office: page,
}) => {
  await typeOutOfReach(page);
  await page.clock.install();
  await page.clock.setFixedTime(Date.now() + 23 * hour);
  await untilAsked(page, () => page.reload());
  await expect(offer(page)).toContainText("23 hours ago");
  await page.clock.setFixedTime(Date.now() + 25 * hour);
  await untilAsked(page, () => page.reload());
  await expect(offer(page)).toHaveCount(0);
  expect(await copiesIn(page)).toEqual([]);
});

test("FM5 signing out keeps the draft for its person, to the last letter @nightly", async ({
  page,
  owner,
}) => {
  const app = await makeApp(page);
  agreeToLeave(page);
  await openAgain(page, app);
  // No second passes any more, so nothing but the signing out itself can keep it.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + hour);
  await fieldOf(page, "description").fill("Half a thought");
  await signOut(page);
  await page.clock.resume();
  expect(await copiesIn(page)).toEqual([]);

  await giveCredentials(page, owner);
  await expectSignedIn(page, owner);
  await openAgain(page, app);
  await answerOffer(page, "Restore");
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
});

test("FM5 signing out leaves nothing in the browser, not even by who stays on the page @nightly", async ({
  page,
  owner,
}) => {
  const app = await makeApp(page);
  await openAgain(page, app);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await fieldOf(page, "description").fill("Typed in a tunnel");
  await expect.poll(() => copiesIn(page)).toHaveLength(1);

  const asked = page.waitForEvent("dialog");
  const panel = await openAccount(page);
  await panel.getByRole("button", { name: "Sign out" }).click();
  await (await asked).dismiss();
  await expectSignedIn(page, owner);
  expect(await copiesIn(page)).toEqual([]);
  const failed = nextFailure(page);
  await fieldOf(page, "description").fill("Typed in a tunnel, and later");
  await failed;
  await expect(fieldOf(page, "description")).toHaveValue("Typed in a tunnel, and later");
  expect(await copiesIn(page)).toEqual([]);
});
