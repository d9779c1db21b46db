import { expect, type Page } from "@playwright/test";
import { heading } from "../../data/packageVersions.ts";
import { makePromotion } from "../../data/promotions.ts";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import {
  accessibilityViolations,
  schemes,
  useColorScheme,
  wcag,
} from "../../pages/accessibility.ts";

// @nightly: Simulations are covered over HTTP.

const panelOf = (page: Page) =>
  page
    .locator(".record-rail section")
    .filter({ has: page.getByRole("heading", { name: "Simulate on past sales" }) });

test("A simulation on past sales shows the cost, the customers and the replaced promotions @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  for (const _ of [1, 2, 3]) await sell(page, pack);
  await sell(page, pack, { interval: "year" });
  const draft = await makePromotion(page, { packageIds: [pack.id], intervals: ["month"] });
  await page.goto(`/promotion/edit/${draft.id}`);
  await expect(heading(page)).toHaveText(`Edit ${draft.name}`);
  const simulation = panelOf(page);
  await expect(simulation).toContainText("Estimates the cost on sales of the last 90 days");
  await simulation.getByRole("button", { name: "Simulate", exact: true }).click();
  await expect(simulation).toContainText("3 redemptions by 3 customers");
  await expect(simulation.getByRole("row", { name: /Discount on 3 sales/ })).toContainText("7.20");
  await expect(simulation.getByRole("row", { name: /Extra discount/ })).toContainText("7.20");
  await expect(simulation).toContainText("1 sale with another interval");
  await simulation.getByText("Customers who would have used it").click();
  await expect(simulation.getByRole("list").last().getByRole("link")).toHaveCount(3);

  await page.getByLabel("Percent off").fill("50");
  await expect(simulation).toContainText("The form has changed since this simulation.");
  await simulation.getByRole("button", { name: "Simulate again" }).click();
  await expect(simulation.getByRole("row", { name: /Extra discount/ })).toContainText("18.00");
});

for (const scheme of schemes)
  test(`A simulation has no violation of WCAG 2.2 A and AA, ${scheme} @nightly`, async ({
    ownerPage: page,
  }) => {
    const pack = await makeSellablePackage(page);
    await sell(page, pack);
    const draft = await makePromotion(page, { packageIds: [pack.id] });
    await useColorScheme(page, scheme);
    await page.goto(`/promotion/edit/${draft.id}`);
    const simulation = panelOf(page);
    await simulation.getByRole("button", { name: "Simulate", exact: true }).click();
    await expect(simulation).toContainText("1 redemption by 1 customer");
    expect(await accessibilityViolations(page, wcag)).toEqual([]);
  });
