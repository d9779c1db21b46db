import { expect, type Page } from "@playwright/test";
import { type Route, routes } from "@purser/contract/pages/routes";
import { makeManyApps } from "../../data/apps.ts";
import { makeUser } from "../../data/customers.ts";
import { test } from "../../fixtures/test.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";
import { useLanguage } from "../../pages/languages.ts";
import { openList, rowNames, uniqueWord } from "../../pages/lists.ts";
import { unknownAppId } from "../../screens/openScreen.ts";

// @nightly: The gate covers toasts and one page without permission; the others are variants.

const title = "You don't have access to this page";

/** The pages that a viewer can't open, from the route table. */
const forbidden = Object.entries(routes).flatMap(([path, { permission }]: [string, Route]) =>
  permission && !permission.endsWith(":read") ? [path.replace("$id", unknownAppId)] : [],
);

const expectForbidden = async (page: Page, path: string) => {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: title }), path).toBeVisible();
  await expect(page, path).toHaveTitle(new RegExp(`^${title}`));
  await expect(page.getByRole("main")).toContainText("Ask an owner for the permission");
  await expect(page.getByRole("link", { name: "Go home" })).toHaveAttribute("href", "/");
};

test("A page without permission has a heading, a title and a way out, and causes no errors", async ({
  signInAs,
}) => {
  const page = await signInAs("viewer", "Vera Viewer");
  const errors = await collectBrowserErrors(page);
  for (const path of ["/settings", "/apps/create"]) await expectForbidden(page, path);
  expect(errors).toEqual([]);
});

test("Every page without permission says so @nightly", async ({ signInAs }) => {
  const page = await signInAs("viewer", "Vera Viewer");
  const errors = await collectBrowserErrors(page);
  expect(forbidden.length).toBeGreaterThan(10);
  for (const path of [...forbidden, "/settings", "/webhook", "/system", "/audit", "/roles"])
    await expectForbidden(page, path);
  expect(errors).toEqual([]);
});

test("Breadcrumbs end with a link and not with a separator @nightly", async ({
  ownerPage: page,
  records,
}) => {
  for (const path of [
    `/apps/view/${records.active.id}`,
    `/feature/view/${records.feature.id}`,
    `/package/apps/${records.sold.id}`,
    `/package/publish/${records.sold.id}`,
    `/transaction/edit/${records.sale.id}`,
  ]) {
    await page.goto(path);
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
    await expect(crumbs.locator("> :last-child"), path).toHaveAttribute("href", /^\//);
    const links = await crumbs.getByRole("link").count();
    await expect(crumbs.locator("> :not(a)"), path).toHaveCount(links - 1);
  }
});

test.describe("on a small tablet", () => {
  test.use({ viewport: { width: 768, height: 900 } });

  test("The bar of a list with a date stays inside the window on a small tablet @nightly", async ({
    ownerPage: page,
    records,
  }) => {
    // An empty list has no bar.
    expect(records.sale.id).not.toBe("");
    for (const path of ["/transaction", "/users"]) {
      await page.goto(path);
      const columns = page.getByRole("button", { name: "Columns" });
      await expect(columns, path).toBeVisible();
      const place = await columns.boundingBox();
      expect((place?.x ?? 0) + (place?.width ?? 0), path).toBeLessThanOrEqual(768 - 16);
      await expect(page.getByRole("columnheader", { name: "Status" }), path).toBeInViewport();
    }
  });
});

for (const [device, viewport] of [
  ["a desktop", { width: 1440, height: 900 }],
  ["a phone", { width: 390, height: 844 }],
] as const)
  test.describe(`on ${device}`, () => {
    test.use({ viewport });

    test(`A toast leaves the pager and the menu free on ${device} @nightly`, async ({
      ownerPage: page,
      product,
    }) => {
      const word = uniqueWord();
      await makeManyApps(product, word, 27);
      await openList(page, { q: word });
      await expect(rowNames(page).first()).toBeVisible();
      await page.getByRole("row").nth(1).getByRole("checkbox").click();
      // Another page clears the selection, and a toast says so.
      await page.getByRole("button", { name: "Next page" }).click();
      const toast = page.getByText("Selection cleared because the list changed");
      await expect(toast).toBeVisible();
      const shown = await page.locator(".mantine-Notification-root").first().boundingBox();
      const below = await page
        .locator(".pager:visible, .bottom-bar:visible")
        .evaluateAll((bars) => Math.min(...bars.map((bar) => bar.getBoundingClientRect().top)));
      expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(below);
    });

    test(`A filter with many values stays inside the window on ${device} @nightly`, async ({
      ownerPage: page,
    }) => {
      await page.setViewportSize({ ...viewport, height: 420 });
      await page.goto("/transaction");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      const popup = page.getByRole("dialog", { name: "Add filter" });
      await popup.getByRole("button", { name: "Status", exact: true }).click();
      const apply = popup.getByRole("button", { name: "Apply filter" });
      await apply.scrollIntoViewIfNeeded();
      await expect(apply).toBeInViewport({ ratio: 1 });
      const place = await popup.boundingBox();
      expect(place?.y).toBeGreaterThanOrEqual(0);
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(420);
      expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
    });
  });

test("A name isn't broken into letters beside long buttons, which wrap instead @nightly", async ({
  ownerPage: page,
}) => {
  const { id, name } = await makeUser(page, { name: "Jana Kowalczyk" });
  await useLanguage(page, "pseudo");
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto(`/users/view/${id}`);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(name);
  // As high as the avatar: one line.
  expect((await heading.boundingBox())?.height).toBeLessThanOrEqual(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(768);
});
