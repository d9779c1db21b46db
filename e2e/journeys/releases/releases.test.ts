import { expect, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/releases.ts";
import {
  appsLink,
  buildIdOf,
  expectHome,
  recordDocumentRequests,
  recordRequests,
} from "../../pages/navigation.ts";

// @nightly: The gate follows one release; this is a variant of it.

const notice = (page: Page) => page.getByText("A new version is available");
const interval = 300_000;

/** The page under a clock that only the test moves, from its first screen on. */
const openUnderClock = async (page: Page, path = "/") => {
  await page.clock.install();
  await page.goto(path);
  await expect
    .poll(async () => {
      await page.clock.runFor(100);
      return page.getByRole("heading", { level: 1 }).count();
    })
    .toBe(1);
};

test("S7.4 S7.8 S9.3 A page reads its own build's description once, 1,000 ms after its first screen", async ({
  ownerPage: page,
  store,
}) => {
  await page.addInitScript(() => {
    const place = () => document.querySelector("[data-layout]");
    const observer = new MutationObserver(() => {
      if (!place()) return;
      observer.disconnect();
      performance.mark("ready");
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  const asked = recordRequests(page, `/builds/meta/${store.first.id}.json`);
  await page.goto("/");
  await expectHome(page);
  await expect.poll(() => asked.length).toBe(1);
  // The browser writes a request down once it was answered.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/meta/")),
  );
  const delay = await page.evaluate(() => {
    const asked = performance
      .getEntriesByType("resource")
      .find(({ name }) => name.includes("/meta/"));
    return (asked?.startTime ?? 0) - (performance.getEntriesByName("ready")[0]?.startTime ?? 0);
  });
  test
    .info()
    .annotations.push({ type: "speed", description: `${delay.toFixed(0)} ms after ready` });
  expect(delay).toBeGreaterThanOrEqual(1000);
  await appsLink(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  expect(asked).toHaveLength(1);
});

test("S7.8 A user with reduced data usage skips that request @nightly @releases", async ({
  ownerPage: page,
  store,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const asked = recordRequests(page, `/builds/meta/${store.first.id}.json`);
  await openUnderClock(page);
  await page.clock.runFor(5000);
  expect(asked).toEqual([]);
});

test("S1.4 S7.5 S7.6 The newest build is requested once per interval without a cache, whatever the last answer was", async ({
  ownerPage: page,
}) => {
  await openUnderClock(page);
  const asked = recordRequests(page, "/builds/latest.json");
  const answers = [
    () => ({ status: 500, body: "" }),
    () => ({ status: 200, body: "<!doctype html>", contentType: "text/html" }),
    () => ({ status: 200, body: "{}", contentType: "application/json" }),
  ];
  await page.route("**/builds/latest.json*", (route) => {
    const answer = answers.shift();
    return answer ? route.fulfill(answer()) : route.continue();
  });
  for (const times of [1, 2, 3, 4]) {
    await page.clock.fastForward(interval / 2);
    expect(asked).toHaveLength(times - 1);
    await page.clock.fastForward(interval / 2 + 1);
    await expect.poll(() => asked.length).toBe(times);
    // Wait for the response before the clock advances.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  expect(new Set(asked).size).toBe(4);
  expect(asked.every((address) => /\?\d{13}$/.test(address))).toBe(true);
  await expect(notice(page)).toHaveCount(0);
});

test("S7.6 4.3 A tab that becomes visible checks too, at most once a minute @nightly @releases", async ({
  ownerPage: page,
}) => {
  await openUnderClock(page);
  const asked = recordRequests(page, "/builds/latest.json");
  const showAgain = () =>
    page.evaluate(() => {
      document.dispatchEvent(new Event("visibilitychange"));
    });
  await page.clock.runFor(30_000);
  for (let times = 0; times < 5; times++) await showAgain();
  expect(asked).toHaveLength(0);
  await page.clock.runFor(31_000);
  const answered = page.waitForResponse("**/builds/latest.json*");
  for (let times = 0; times < 5; times++) await showAgain();
  await answered;
  expect(asked).toHaveLength(1);
});

test("SH5 S7.7a A release is announced once, nothing reloads automatically, and the next page is the new build", async ({
  ownerPage: page,
  store,
}) => {
  await openUnderClock(page);
  const documents = recordDocumentRequests(page);
  const asked = recordRequests(page, "/builds/latest.json");
  store.release(store.second);
  await page.clock.fastForward(interval);
  await expect(notice(page)).toHaveCount(1);
  await expect(page.getByRole("status").filter({ has: notice(page) })).toHaveCount(1);
  await page.clock.fastForward(2 * interval);
  // Once a release is found, no more requests are sent and the screen is unchanged.
  expect(asked).toHaveLength(1);
  expect(documents).toEqual([]);
  store.release({ ...store.second, id: store.first.id.replace(/./g, "3") });
  await expect(notice(page)).toHaveCount(1);
  store.release(store.second);

  await appsLink(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  expect(documents).toEqual(["/apps"]);
  expect(await buildIdOf(page)).toBe(store.second.id);
  await expect(notice(page)).toHaveCount(0);
  await page.goBack();
  await expectHome(page);
});

test("SH5 S7.7a Any API response announces a release, and Later hides the notice @nightly @releases", async ({
  ownerPage: page,
  store,
}) => {
  await makeApp(page);
  await page.goto("/apps");
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  store.release(store.second);
  await page.getByRole("button", { name: "Code" }).click();
  await expect(notice(page)).toBeVisible();
  await page.getByRole("button", { name: "Later" }).click();
  await expect(notice(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Code" }).click();
  await expect(page).toHaveURL(/sort=-code/);
  await expect(notice(page)).toHaveCount(0);
});

test("S7.7a Reload now loads the release on the current page @nightly @releases", async ({
  ownerPage: page,
  store,
}) => {
  await makeApp(page);
  await page.goto("/apps?sort=name");
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  store.release(store.second);
  await page.getByRole("button", { name: "Code" }).click();
  const documents = recordDocumentRequests(page);
  await page.getByRole("button", { name: "Reload now" }).click();
  await expect.poll(() => documents).toEqual(["/apps"]);
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  await expect(page).toHaveURL(/sort=code/);
});

test("S7.7a One tab informs the other tabs about a release @nightly @releases", async ({
  ownerPage: page,
  context,
  store,
}) => {
  await makeApp(page);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto("/apps");
    await expect(tab.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  }
  store.release(store.second);
  await page.getByRole("button", { name: "Code" }).click();
  await expect(notice(page)).toBeVisible();
  await expect(notice(other)).toBeVisible();
});

test("SH5 S7.7a Unsaved input is confirmed once before the new release loads @nightly @releases", async ({
  ownerPage: page,
  store,
}) => {
  const app = await makeApp(page);
  await page.goto(`/apps/edit/${app.id}`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Half typed");
  store.release(store.second);
  const documents = recordDocumentRequests(page);
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  await appsLink(page).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(name).toHaveValue("Half typed");
  expect(documents).toEqual([]);

  await appsLink(page).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  expect(documents.length).toBeLessThanOrEqual(1);
  expect(asked).toBe(0);
});

test("S7.5 2.12 An identical build is no release @nightly @releases", async ({ store }) => {
  const meta = store.first as unknown as { version: string; routes: string[]; files: string[] };
  expect(meta.routes).toContain("/apps/edit/$id");
  expect(meta.files.length).toBeGreaterThan(20);
  expect(store.first.id).toMatch(/^[a-f0-9]{16}$/);
});
