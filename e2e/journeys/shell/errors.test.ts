import { expect, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { expectFailure, expectHome } from "../../pages/navigation.ts";
import { unknownAppId } from "../../screens/openScreen.ts";

// @nightly: The gate covers each kind of error page once.

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

test("S2.34 S8.1 An unknown path returns 404 with the title Page not found and shows the path", async ({
  ownerPage: page,
}) => {
  const answer = await page.goto("/nope/x?y=1");
  expect(answer?.status()).toBe(404);
  await expect(heading(page, "Page not found")).toBeVisible();
  await expect(page).toHaveTitle(/^Page not found/);
  await expect(page.getByText("Page Not Found: /nope/x?y=1", { exact: true })).toBeVisible();
  await expect(page.getByText("404", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Go home" })).toHaveAttribute("href", "/");
  await page.getByRole("link", { name: "Go home" }).click();
  await expectHome(page);
});

test("S2.33 S2.34 A signed-out user sees the same page and isn't redirected to sign-in", async ({
  page,
}) => {
  for (const path of ["/promotion/view/1", "/nope"]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(heading(page, "Page not found")).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
    await expect(page.getByRole("navigation")).toHaveCount(0);
  }
});

test("S8.1 The path is shown as text only @nightly", async ({ ownerPage: page }) => {
  await page.goto("/<img src=x onerror=1>%E2%80%AEevil");
  await expect(heading(page, "Page not found")).toBeVisible();
  await expect(page.locator("main img")).toHaveCount(0);
  const text = await page.locator("main").innerText();
  expect(text).not.toContain("\u202e");
  await page.goto(`/${"long".repeat(200)}`);
  const shown = await page.getByText(/^Page Not Found: /).innerText();
  expect(shown).toHaveLength("Page Not Found: ".length + 200);
});

test("S2.34 A broken link inside Purser opens the not-found page, and Back returns @nightly", async ({
  ownerPage: page,
}) => {
  await page.goto("/");
  await expectHome(page);
  await page.evaluate(() => history.pushState({}, "", "/no/such/page"));
  await page.goBack();
  await expectHome(page);
  await page.goto("/apps");
  await expect(heading(page, "Apps")).toBeVisible();
  await page.evaluate(() => {
    const link = Object.assign(document.createElement("a"), {
      href: "/no/such/page",
      textContent: "x",
    });
    document.querySelector("main")?.prepend(link);
  });
  const answered = page.waitForResponse("**/no/such/page");
  await page.locator('main a[href="/no/such/page"]').click();
  expect((await answered).status()).toBe(404);
  await expect(heading(page, "Page not found")).toBeVisible();
  await page.goBack();
  await expect(heading(page, "Apps")).toBeVisible();
});

/** The code of the home screen, replaced by another. */
const replaceHome = (page: Page, code: string) =>
  page.route(/\/Home-[^/]*\.js$/, (route) =>
    route.fulfill({ contentType: "text/javascript", body: code }),
  );

test("S8.2 A screen that crashes shows a 500 page with an error ID and no internals", async ({
  ownerPage: page,
  product,
}) => {
  await replaceHome(page, 'export const Home = () => { throw new Error("a secret of ours"); };');
  await page.goto("/");
  await expectFailure(page);
  await expect(page).toHaveTitle(/^Internal Server Error/);
  const text = await page.locator("body").innerText();
  expect(text).not.toContain("secret");
  expect(text).not.toMatch(/\bat .*\.js/);
  // The error ID on the page is in the log, with the cause.
  const number = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "none";
  await expect
    .poll(() => product.log.find((line) => line.includes(number)))
    .toContain("a secret of ours");
  await page.unroute(/\/Home-[^/]*\.js$/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expectHome(page);
});

test("S8.2 2.5 A failed session request shows its status and doesn't redirect to sign-in", async ({
  ownerPage: page,
}) => {
  await page.route("**/api/session/user", (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/problem+json",
      json: {
        type: "urn:purser:problem:unavailable",
        title: "x",
        status: 503,
        detail: "Try again soon.",
        requestId: "01900000-0000-7000-8000-000000000000",
      },
    }),
  );
  await page.goto("/apps");
  await expect(heading(page, "Internal Server Error")).toBeVisible();
  await expect(page.getByText("503", { exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/apps");
  await page.unroute("**/api/session/user");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(heading(page, "Apps")).toBeVisible();
});

for (const [what, body] of [
  ["Purser", { contentType: "application/problem+json", requestId: unknownAppId }],
  ["a proxy", { contentType: "text/html", requestId: null }],
] as const)
  test(`S8.2 A record that fails with 503 of ${what} has a heading, an error ID and a retry`, async ({
    ownerPage: page,
  }) => {
    const app = await makeApp(page);
    const calls = [`**/api/apps/${app.id}`, `**/apps/view/${app.id}/_payload.json**`];
    const { contentType, requestId } = body;
    for (const url of calls)
      await page.route(url, (route) =>
        route.fulfill({
          status: 503,
          contentType,
          body: JSON.stringify({
            type: "urn:purser:problem:unavailable",
            title: "Unavailable",
            status: 503,
            detail: "The database is busy. Try again in a few seconds.",
            requestId,
          }),
        }),
      );
    await page.goto(`/apps/view/${app.id}`);
    await expect(heading(page, "Internal Server Error")).toBeVisible();
    await expect(page).toHaveTitle(/^Internal Server Error/);
    await expect(page.getByText("503", { exact: true })).toBeVisible();
    const text = await page.locator("main").innerText();
    expect(text).toMatch(requestId ?? /Error ID\s+[0-9a-f]{8}-[0-9a-f-]{27}/);
    await expect(page.getByRole("link", { name: "Go home" })).toBeVisible();
    for (const url of calls) await page.unroute(url);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(heading(page, app.name)).toBeVisible();
  });

const breaks: Record<string, () => void> = {
  "An uncaught error": () => {
    setTimeout(() => {
      throw new Error("a secret of ours");
    });
  },
  "An unhandled promise rejection": () => {
    void Promise.reject(new Error("a secret of ours"));
  },
};

for (const [what, breakIt] of Object.entries(breaks))
  test(`S8.2 2.18 ${what} is reported above the screen, which stays unchanged @nightly`, async ({
    ownerPage: page,
  }) => {
    const app = await makeApp(page);
    await page.goto(`/apps/edit/${app.id}`);
    await page.getByLabel("Name", { exact: true }).fill("Half typed");
    await page.evaluate(breakIt);
    await expectFailure(page);
    await expect(page.locator("body")).not.toContainText("secret");
    await expect(page.getByLabel("Name", { exact: true })).toBeHidden();
    await page.getByRole("button", { name: "Back to my work" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Half typed");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Half typed saved")).toBeVisible();
  });

test("S8.2 A crashed shell is reported by the page itself @nightly", async ({
  ownerPage: page,
}) => {
  await page.route(/\/Workspace-[^/]*\.js$/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: 'export const Workspace = () => { throw new Error("a secret of ours"); };',
    }),
  );
  await page.goto("/");
  await expectFailure(page);
  await expect(page.locator("body")).not.toContainText("secret");
  await expect(page.getByText("loading...")).toHaveCount(0);
});
