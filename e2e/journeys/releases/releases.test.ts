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

test("S7.4 S7.8 S9.3 the page reads its own build's description once, 1,000 ms after its first screen", async ({
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

test("S7.8 whoever saves data is spared that @nightly @releases", async ({
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

test("S1.4 S7.5 S7.6 the newest build is asked for once an interval, each time anew, whatever came before", async ({
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
    // What came of it is known before the time goes on.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  expect(new Set(asked).size).toBe(4);
  expect(asked.every((address) => /\?\d{13}$/.test(address))).toBe(true);
  await expect(notice(page)).toHaveCount(0);
});

test("S7.6 4.3 a tab that is seen again asks too, at most once a minute @nightly @releases", async ({
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

test("S7.7a a release is said quietly and once, nothing is reloaded by itself, and the next page is the new one", async ({
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
  // Found is found: nobody asks any more, and the screen is as it was.
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

test("S7.7a the answer to any call tells of a release, and Later puts the notice away @nightly @releases", async ({
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

test("S7.7a Reload now loads the release where somebody is @nightly @releases", async ({
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

test("S7.7a one tab that knows tells the others @nightly @releases", async ({
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

test("S7.7a something typed is asked about once before the new release takes its place @nightly @releases", async ({
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

test("S7.5 2.12 building the same again is no release @nightly @releases", async ({ store }) => {
  const meta = store.first as unknown as { version: string; routes: string[]; files: string[] };
  expect(meta.routes).toContain("/apps/edit/$id");
  expect(meta.files.length).toBeGreaterThan(20);
  expect(store.first.id).toMatch(/^[a-f0-9]{16}$/);
});
