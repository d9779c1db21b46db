import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import type { Person } from "../../data/team.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import {
  expectSignedIn,
  openAccount,
  signInAsOwner,
  signOut,
  submitCredentials,
} from "../../pages/signIn.ts";

// @nightly: The gate covers the theme; other preferences are stored the same way.

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** The same user on another device that has no stored data. */
const enterElsewhere = async (browser: Browser, { origin }: Product, person: Person) => {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto("/login");
  await submitCredentials(page, person);
  await expectSignedIn(page, person);
  return page;
};

/** Does something in the account panel, and waits until the server has kept it. */
const choose = async (page: Page, act: (panel: Locator) => Promise<unknown>) => {
  const panel = await openAccount(page);
  const kept = page.waitForResponse("**/api/preferences");
  await act(panel);
  expect((await kept).status()).toBe(200);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
};

test("SH4 Single-key shortcuts that are turned off do nothing on any page until turned on again @nightly", async ({
  page,
  owner,
  product,
  browser,
}) => {
  const palette = (at: Page) => at.getByRole("dialog", { name: "Search or jump to" });
  /** Keys are handled in order, so once the palette is open all earlier keys are done. */
  const expectIgnored = async (at: Page) => {
    await expect(heading(at, "Home")).toBeVisible();
    await at.keyboard.press("g");
    await at.keyboard.press("a");
    await at.keyboard.press("?");
    await at.keyboard.press("Control+k");
    await expect(palette(at)).toBeVisible();
    await expect(at.getByRole("dialog")).toHaveCount(1);
    await expect(at).toHaveURL("/");
    await at.keyboard.press("Escape");
    await expect(palette(at)).toBeHidden();
  };
  const expectHeard = async (at: Page) => {
    await expect(heading(at, "Home")).toBeVisible();
    await at.keyboard.press("g");
    await at.keyboard.press("a");
    await expect(at).toHaveURL("/apps");
    await expect(heading(at, "Apps")).toBeVisible();
  };

  await expectHeard(page);
  await page.goto("/");
  const keys = (panel: Locator) => panel.getByLabel("Single-key shortcuts");
  await choose(page, (panel) => keys(panel).uncheck());
  await expectIgnored(page);
  await page.reload();
  await expectIgnored(page);

  const other = await enterElsewhere(browser, product, owner);
  await expectIgnored(other);
  await expect(keys(await openAccount(other))).not.toBeChecked();
  await other.keyboard.press("Escape");
  await choose(other, (panel) => keys(panel).check());
  await expectHeard(other);
  await other.context().close();
  await page.reload();
  await expectHeard(page);
});

/** Every colour scheme that the document had, and when it first had one; from its very start. */
const watchScheme = (page: Page) =>
  page.addInitScript(() => {
    const seen: { scheme: string; at: number }[] = [];
    Object.assign(window, { seenSchemes: seen });
    const note = () => {
      const scheme = document.documentElement?.dataset["mantineColorScheme"];
      if (scheme && seen.at(-1)?.scheme !== scheme) seen.push({ scheme, at: performance.now() });
    };
    new MutationObserver(note).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ["data-mantine-color-scheme"],
    });
    note();
  });

const schemesSeen = (page: Page) =>
  page.evaluate(() => {
    const { seenSchemes } = window as unknown as { seenSchemes: { scheme: string; at: number }[] };
    const [paint] = performance.getEntriesByName("first-paint");
    return {
      schemes: seenSchemes.map(({ scheme }) => scheme),
      leadMs: (paint?.startTime ?? 0) - (seenSchemes[0]?.at ?? Number.POSITIVE_INFINITY),
    };
  });

test("SH8 The dark theme is applied before the first paint after a reload and never flashes light", async ({
  page,
  owner,
}) => {
  // The system's own choice is the other one, so nothing is dark by chance.
  await page.emulateMedia({ colorScheme: "light" });
  await expectSignedIn(page, owner);
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "light");
  await choose(page, (panel) => panel.getByText("Dark", { exact: true }).click());
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");

  await watchScheme(page);
  for (const path of ["/", "/apps", "/account"]) {
    await page.goto(path);
    await expectSignedIn(page, owner);
    const { schemes, leadMs } = await schemesSeen(page);
    expect(schemes, path).toEqual(["dark"]);
    expect(leadMs, path).toBeGreaterThan(0);
  }
  const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red = 255] = (color.match(/[\d.]+/g) ?? []).map(Number);
  expect(red).toBeLessThan(64);
});

test("SH8 The theme follows the user to another device and leaves with them @nightly", async ({
  page,
  owner,
  product,
  browser,
}) => {
  await choose(page, (panel) => panel.getByText("Dark", { exact: true }).click());
  const other = await enterElsewhere(browser, product, owner);
  const scheme = other.locator("html");
  await expect(scheme).toHaveAttribute("data-mantine-color-scheme", "dark");
  await watchScheme(other);
  await other.reload();
  await expectSignedIn(other, owner);
  expect((await schemesSeen(other)).schemes).toEqual(["dark"]);

  // Another user on that device has no preference of their own.
  await signOut(other);
  await signInAsOwner(other, product, "Nora Next");
  await expect(scheme).toHaveAttribute("data-mantine-color-scheme", "light");
  await other.context().close();
});

test("The time zone is stored per user and applies on every device @nightly", async ({
  page,
  owner,
  product,
  browser,
  sharedOwner,
}) => {
  const app = await makeApp(page);
  /** The exact time of the app's last change, as shown. */
  const momentAt = async (at: Page) => {
    await at.goto(`/apps?q=${app.code}`);
    return at.getByRole("row").filter({ hasText: app.name }).locator("time");
  };
  await expect(await momentAt(page)).not.toHaveAttribute("data-tip", /Asia\/Tokyo/);
  await choose(page, (panel) => panel.getByLabel("Time zone").selectOption("Asia/Tokyo"));
  await expect(await momentAt(page)).toHaveAttribute("data-tip", / Asia\/Tokyo$/);
  await signOut(page);

  const other = await enterElsewhere(browser, product, owner);
  await expect(await momentAt(other)).toHaveAttribute("data-tip", / Asia\/Tokyo$/);
  await expect((await openAccount(other)).getByLabel("Time zone")).toHaveValue("Asia/Tokyo");
  await other.context().close();
  const theirs = await enterElsewhere(browser, product, sharedOwner);
  await expect(await momentAt(theirs)).not.toHaveAttribute("data-tip", /Asia\/Tokyo/);
  await theirs.context().close();
});

test("The language is stored per user, and dates on the page follow immediately @nightly", async ({
  page,
  owner,
  product,
  browser,
}) => {
  const app = await makeApp(page);
  await page.goto(`/apps?q=${app.code}`);
  const moment = (at: Page) =>
    at.getByRole("row").filter({ hasText: app.name }).locator("time").first();
  const british = /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d /;
  const american = /^\w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d:\d\d\s[AP]M /;
  await expect(moment(page)).toHaveAttribute("data-tip", american);
  await choose(page, (panel) => panel.getByLabel("Language").selectOption("en-GB"));
  await expect(moment(page)).toHaveAttribute("data-tip", british);
  await expect(page.locator("html")).toHaveAttribute("lang", "en-GB");
  await signOut(page);

  const other = await enterElsewhere(browser, product, owner);
  await other.goto(`/apps?q=${app.code}`);
  await expect(moment(other)).toHaveAttribute("data-tip", british);
  await other.context().close();
});

test("The list density is stored per user and applies on every device @nightly", async ({
  page,
  owner,
  product,
  browser,
  sharedOwner,
}) => {
  const app = await makeApp(page);
  const rowHeight = async (at: Page) => {
    await at.goto(`/apps?q=${app.code}`);
    const row = at.getByRole("row").filter({ hasText: app.name });
    await expect(row).toBeVisible();
    return (await row.boundingBox())?.height ?? 0;
  };
  const roomy = await rowHeight(page);
  await choose(page, (panel) =>
    panel.getByRole("radiogroup", { name: "Density" }).getByText("Compact").click(),
  );
  const compact = await rowHeight(page);
  expect(compact).toBeLessThan(roomy);
  await signOut(page);

  const other = await enterElsewhere(browser, product, owner);
  expect(await rowHeight(other)).toBe(compact);
  await expect((await openAccount(other)).getByRole("radio", { name: "Compact" })).toBeChecked();
  await other.context().close();
  const theirs = await enterElsewhere(browser, product, sharedOwner);
  expect(await rowHeight(theirs)).toBe(roomy);
  await theirs.context().close();
});
