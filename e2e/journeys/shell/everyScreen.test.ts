import { expect, type Page } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import {
  expectAccessible,
  expectAccessibleIn,
  waitForAnimations,
} from "../../pages/accessibility.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";
import { collectData, untranslatedTexts, useMarkedTexts } from "../../pages/languages.ts";
import { openAppList, unknownAppId, unknownPath } from "../../screens/openScreen.ts";
import { overlays } from "../../screens/overlays.ts";
import { screens } from "../../screens/screens.ts";
import { signedOutScreens } from "../../screens/signedOutScreens.ts";

// @nightly: The gate visits every screen. Dialogs and menus use the same components.

const desk = { width: 1440, height: 900 };
const phone = { width: 375, height: 720 };

// Unknown paths and unknown records return 404, and a rejected sign-in 401.
const missing = [
  { status: 401, path: "/api/session" },
  { status: 404, path: unknownPath },
  { status: 404, path: `/api/apps/${unknownAppId}` },
  { status: 404, path: `/apps/view/${unknownAppId}/_payload.json` },
];

/** How far the page, or its main part, can be scrolled sideways. */
const sidewaysPx = (page: Page) =>
  page.evaluate(() => {
    const scrollers = [document.scrollingElement, document.body, document.getElementById("main")];
    return Math.max(...scrollers.map((one) => (one ? one.scrollWidth - one.clientWidth : 0)));
  });

type Visit = { name: string; open: () => Promise<void>; fitsPhone: boolean };

// The gate looks at every screen in one of the themes, which share all components. The nightly level looks at both.
const checkAccess = (page: Page, place: number) =>
  process.env["E2E"] === "all"
    ? expectAccessible(page)
    : expectAccessibleIn(page, place % 2 === 0 ? "light" : "dark");

/** One visit per screen: browser errors, accessibility, texts outside of the catalogs, and its width on a phone. */
const visit = async (page: Page, visits: Visit[]) => {
  const errors = await collectBrowserErrors(page, missing);
  const data = collectData(page);
  await useMarkedTexts(page);
  for (const [place, { name, open, fitsPhone }] of visits.entries())
    await test.step(name, async () => {
      await page.setViewportSize(desk);
      await open();
      await checkAccess(page, place);
      expect(errors, name).toEqual([]);
      expect.soft(await untranslatedTexts(page, data), name).toEqual([]);
      if (!fitsPhone) return;
      await page.setViewportSize(phone);
      await waitForAnimations(page);
      expect(await sidewaysPx(page), name).toBe(0);
    });
};

/** A few screens share a test, and with it the browser's cache: loading the code costs more than a look. */
const groupsOf = <Item>(items: Item[], size: number) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  );

const groups = [
  ...groupsOf(
    screens.map((screen) => ({ ...screen, fitsPhone: true })),
    9,
  ).map((group) => ({ group, level: "" })),
  // Dialogs and menus over a desk's screen; on a phone they are other ones.
  ...groupsOf(
    overlays.map((overlay) => ({ ...overlay, fitsPhone: false })),
    9,
  ).map((group) => ({ group, level: " @nightly" })),
];

for (const { group, level } of groups)
  test(`SH9 SH10 SH11 No axe violation, browser error, untranslated text or horizontal scrolling: ${group
    .map(({ name }) => name)
    .join(", ")}${level}`, async ({ ownerPage, records }) => {
    await visit(
      ownerPage,
      group.map(({ name, open, fitsPhone }) => ({
        name,
        open: () => open(ownerPage, records),
        fitsPhone,
      })),
    );
  });

test("SH9 SH10 SH11 No axe violation, browser error, untranslated text or horizontal scrolling before signing in", async ({
  page,
  signedOutContext,
}) => {
  await visit(
    page,
    signedOutScreens.map(({ name, open }) => ({
      name,
      open: () => open(page, signedOutContext),
      fitsPhone: true,
    })),
  );
});

test.describe("at 375 pixels", () => {
  test.use({ viewport: phone });

  test("SH9 The menu opens by its button, and a link in it navigates and closes it", async ({
    ownerPage,
    records,
  }) => {
    await ownerPage.goto("/");
    const button = ownerPage.getByRole("button", { name: "More", exact: true });
    const drawer = ownerPage.getByRole("dialog", { name: "Menu" });
    await expect(button).toHaveAttribute("aria-expanded", "false");
    await button.click();
    await expect(drawer).toBeVisible();
    await expectAccessible(ownerPage);
    expect(await sidewaysPx(ownerPage)).toBe(0);

    await ownerPage.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(button).toBeFocused();

    await button.click();
    await drawer.getByRole("link", { name: "Apps" }).click();
    await expect(ownerPage.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
    await expect(ownerPage).toHaveURL("/apps");
    await expect(drawer).toBeHidden();
    await openAppList(ownerPage, records);
  });
});
