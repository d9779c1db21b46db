import { expect, type Page } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { expectHome } from "../../pages/navigation.ts";

// @nightly: The gate covers the groups of one role; the others are variants.

const groupsIn = (page: Page) =>
  page
    .getByRole("navigation", { name: "Main" })
    .locator(".nav-group")
    .evaluateAll((groups) =>
      groups.map((group) => [
        group.querySelector("p")?.textContent ?? "",
        ...[...group.querySelectorAll("a > span")].map(({ textContent }) => textContent),
      ]),
    );

const home = ["", "Home"];
const sales = ["Sales", "Transactions", "Users", "Promotions"];
const catalog = ["Catalog", "Packages", "Apps", "Features"];

test("S0.2 The menu has groups by area, and only what the role can open", async ({
  ownerPage,
  signInAs,
}) => {
  await ownerPage.goto("/");
  await expectHome(ownerPage);
  expect(await groupsIn(ownerPage)).toEqual([
    home,
    sales,
    catalog,
    ["Insights", "Reports"],
    ["Developers", "Webhooks", "Catalog as code"],
    ["Workspace", "Approvals", "History", "Team & roles", "Settings", "System"],
  ]);
  const viewer = await signInAs("viewer", "Vera Viewer");
  expect(await groupsIn(viewer)).toEqual([
    home,
    sales,
    catalog,
    ["Insights", "Reports"],
    ["Developers", "Catalog as code"],
    ["Workspace", "Approvals"],
  ]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("The bar has home, transactions, users, approvals and the rest of the menu", async ({
    ownerPage: page,
  }) => {
    await page.goto("/");
    await expectHome(page);
    const bar = page.getByRole("navigation", { name: "Quick navigation" });
    await expect(bar.locator("a > span, button > span")).toHaveText([
      "Home",
      "Transactions",
      "Users",
      "Approvals",
      "More",
    ]);
    await bar.getByRole("link", { name: "Approvals" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Approvals" })).toBeVisible();
  });
});
