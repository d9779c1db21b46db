import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import type { Product } from "../../environment/product.ts";
import { newTestModeDatabase, openTestMode } from "../../environment/testMode.ts";
import { test } from "../../fixtures/test.ts";
import { expectAccessible, useColorScheme } from "../../pages/accessibility.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";
import { clippedTexts } from "../../pages/clippedTexts.ts";
import { expectHome } from "../../pages/navigation.ts";
import { openAccount } from "../../pages/signIn.ts";

// @nightly: Migrates a second database; the gate covers both modes over HTTP.

const dayMs = 86_400_000;

type StartWorkspace = (
  environment: Record<string, string>,
) => Promise<{ page: Page; product: Product }>;

/** Runs this in a product of its own with test mode, and expects no errors in the browser. */
const inTestMode = async (startWorkspace: StartWorkspace, work: (page: Page) => Promise<void>) => {
  const database = newTestModeDatabase();
  const { page, product } = await startWorkspace(database.environment);
  try {
    await openTestMode(product);
    const errors = await collectBrowserErrors(page);
    await work(page);
    expect(errors).toEqual([]);
  } finally {
    await product.stopServer();
    await database.drop();
  }
};

const barOf = (page: Page) => page.getByRole("region", { name: "Test mode" });

test("Test mode has its own apps and a clock that moves, and live has neither @nightly", async ({
  startWorkspace,
}) => {
  test.slow();
  await inTestMode(startWorkspace, async (page) => {
    await openAccount(page);
    await page.getByRole("link", { name: "Switch to test mode" }).click();
    await expectHome(page);
    expect(new URL(page.url()).pathname).toBe("/test/");
    const bar = barOf(page);
    await expect(bar).toContainText("No money moves");

    const code = uniqueCode();
    await page.goto("/test/apps/create");
    await page.getByLabel("Name", { exact: true }).fill(`App ${code}`);
    await page.getByLabel("Code", { exact: true }).fill(code);
    await page.getByRole("button", { name: /^Create app/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: `App ${code}` })).toBeVisible();
    expect(new URL(page.url()).pathname).toMatch(/^\/test\/apps\/view\//);
    const appsIn = async (api: string) =>
      (await callApi<{ items: unknown[] }>(page, { path: `${api}/apps?q=${code}` })).items.length;
    expect([await appsIn(""), await appsIn("/test")]).toEqual([0, 1]);

    await bar.getByRole("button", { name: "31 days" }).click();
    const clockOf = () =>
      callApi<{ aheadSeconds: number; move: unknown }>(page, { path: "/test/test-clock" });
    await expect.poll(async () => (await clockOf()).aheadSeconds).toBeGreaterThan(31 * 86_400 - 60);
    await expect.poll(async () => (await clockOf()).move).toBeNull();
    const year = new Date(Date.now() + 31 * dayMs).getFullYear();
    await expect(bar).toContainText(new RegExp(`Clock: .*${year}`));

    // The periods of reports end on the day of that clock.
    await page.goto("/test/");
    await page.getByRole("combobox", { name: "Period" }).selectOption({ label: "Custom range" });
    const day = new Date(Date.now() + 31 * dayMs).toISOString().slice(0, 10);
    await expect(page).toHaveURL(new RegExp(`until=${day}`));

    await bar.getByRole("link", { name: "Exit test mode" }).click();
    await expectHome(page);
    expect(new URL(page.url()).pathname).toBe("/");
    await expect(bar).toBeHidden();
    await page.goto(`/apps?q=${code}`);
    await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
    await expect(page.getByText(`App ${code}`)).toBeHidden();
  });
});

/** Moves the focus with the Tab key until this is focused. */
const tabTo = async (page: Page, name: string) => {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent;
    });
  for (let presses = 0; presses < 10 && (await focused()) !== name; presses += 1)
    await page.keyboard.press("Tab");
  expect(await focused()).toBe(name);
};

const expectFits = async (page: Page) => {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(wide).toBe(0);
  expect(await clippedTexts(page)).toEqual([]);
  const { width = 0 } = page.viewportSize() ?? {};
  for (const part of await barOf(page).locator("a, button, b").all()) {
    const place = await part.boundingBox();
    expect(place?.x).toBeGreaterThanOrEqual(0);
    expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(width);
  }
};

test("SH9 SH10 SH11 the bar of test mode fits a phone, passes axe and moves the clock by keyboard @nightly", async ({
  startWorkspace,
}) => {
  test.slow();
  await inTestMode(startWorkspace, async (page) => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const path of ["/test/", "/test/apps"]) {
        await page.goto(path);
        await expect(barOf(page).getByText(/^Clock:/)).toBeVisible();
        await expectFits(page);
        await expectAccessible(page);
      }
    }
    await useColorScheme(page, "light");
    await page.goto("/test/");
    await expect(barOf(page).getByText(/^Clock:/)).toBeVisible();
    await tabTo(page, "1 day");
    const aheadSeconds = async () =>
      (await callApi<{ aheadSeconds: number }>(page, { path: "/test/test-clock" })).aheadSeconds;
    await page.keyboard.press("Enter");
    await expect.poll(aheadSeconds).toBeGreaterThan(86_400 - 60);
    await expect(barOf(page).getByText(/^Clock:/)).toBeVisible();
    // Not lost meanwhile, so that it can be pressed again.
    await expect(barOf(page).getByRole("button", { name: "1 day", exact: true })).toBeFocused();
    await tabTo(page, "366 days");
    await tabTo(page, "Exit test mode");
    await page.keyboard.press("Enter");
    await expectHome(page);
    expect(new URL(page.url()).pathname).toBe("/");
  });
});
