import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makePromotionCode, makeSellablePackage, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations } from "../../pages/accessibility.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";

// @nightly: Tests over HTTP compare every number of reports with its rows; these follow its links.

const rowsBehind = (page: Page) => page.getByRole("region", { name: "Payments" }).getByRole("row");

test("HM1 Numbers, names and bars of a report open their payments, and every column sorts @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  const errors = await collectBrowserErrors(page);
  const [solo, team] = [
    await makeSellablePackage(page, { name: "Solo" }),
    await makeSellablePackage(page, { name: "Team" }),
  ];
  for (const pack of [solo, team, team]) await sell(page, pack);
  await product.purser("reports", "rebuild");
  await page.goto("/reports");
  const table = page.getByRole("region", { name: "Revenue" });
  const names = table.locator("tbody th");
  await expect(names).toHaveText(["Team", "Solo"]);
  for (const column of ["Charged", "Payments", "Share", "Previous period"]) {
    await table.getByRole("button", { name: column }).click();
    await expect(table.getByRole("columnheader", { name: column })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
  }
  await table.getByRole("button", { name: "Net revenue, EUR" }).click();
  await table.getByRole("button", { name: "Net revenue, EUR" }).click();
  await expect(names).toHaveText(["Solo", "Team"]);
  await expect(page.getByRole("link", { name: "CSV" })).toHaveAttribute("href", /sort=net/);
  expect(await accessibilityViolations(page)).toEqual([]);

  const team24 = table.getByRole("row", { name: /^Team/ });
  await team24.getByRole("link", { name: "24.00" }).first().click();
  await expect(page.getByRole("heading", { name: "Team" })).toBeVisible();
  await expect(rowsBehind(page)).toHaveCount(4);

  await page.goto("/reports");
  const bars = page.locator(".chart-bars").nth(1).locator("rect");
  await bars.last().click();
  await expect(page.getByRole("heading", { name: "Solo" })).toBeVisible();
  await expect(rowsBehind(page)).toHaveCount(3);

  // Two lines per row on a phone, so that nothing is scrolled out of sight.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/reports");
  await expect(team24.getByRole("link", { name: "24.00" })).toHaveCount(1);
  expect(await table.evaluate((part) => part.scrollWidth <= part.clientWidth)).toBe(true);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test("Promotions are reported with redemptions and discounts @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  const pack = await makeSellablePackage(page);
  const code = await makePromotionCode(page);
  await sell(page, pack);
  for (let count = 0; count < 2; count += 1) await sell(page, pack, { codes: [code] });
  await product.purser("reports", "rebuild");
  await page.goto("/reports?tab=promotions");
  const table = page.getByRole("region", { name: "Revenue" });
  await expect(table.getByRole("columnheader", { name: "Redemptions" })).toBeVisible();
  const total = table.getByRole("row", { name: /^Total/ });
  const cells = (row: typeof total) => row.getByRole("cell");
  await expect(cells(total).nth(0)).toHaveText("3");
  await expect(cells(total).nth(1)).toHaveText("2");
  const discount = await cells(total).nth(2).textContent();
  expect(Number(discount)).toBeGreaterThan(0);
  await expect(page.getByRole("term").filter({ hasText: "Redemptions" })).toBeVisible();
  await table
    .getByRole("link", { name: discount ?? "" })
    .first()
    .click();
  await expect(rowsBehind(page)).toHaveCount(4);
  await expect(rowsBehind(page).last()).toContainText(discount ?? "");
});

test("A report is saved with its email, and opens with its period @nightly", async ({
  ownerPage: page,
}) => {
  await page.goto("/reports?tab=mrr&range=90d");
  await page.getByRole("button", { name: "Save report" }).click();
  const form = page.getByRole("dialog", { name: "Save report" });
  await form.getByLabel("Report name").fill("Growth");
  await form.getByLabel("Email to me").selectOption("weekly");
  expect(await accessibilityViolations(page)).toEqual([]);
  await form.getByRole("button", { name: "Save report" }).click();
  await page.getByRole("button", { name: "View saved reports" }).click();
  await expect(page.getByLabel("Email to me: Growth")).toHaveValue("weekly");
  await page.getByRole("link", { name: "Growth" }).click();
  await expect(page.getByLabel("Period")).toHaveValue("90d");
});

test("Deleting a report says how many colleagues get it, and Undo restores their emails @nightly", async ({
  ownerPage: page,
  colleaguePage: colleague,
}) => {
  const name = `Shared ${uniqueCode("report")}`;
  const search = { tab: "mrr", range: "90d" };
  const body = { name, search };
  const { id } = await callApi<{ id: string }>(page, {
    method: "POST",
    path: "/reports/saved",
    body,
  });
  const schedule = {
    method: "PUT",
    path: `/reports/saved/${id}/email`,
    body: { schedule: "weekly" },
  };
  await callApi(colleague, schedule);
  await page.goto("/reports?tab=saved");
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  const confirm = page.getByRole("dialog", { name: `Delete ${name}?` });
  await expect(confirm).toContainText("1 colleague gets it by email.");
  expect(await accessibilityViolations(page)).toEqual([]);
  await confirm.getByRole("button", { name: "Delete report" }).click();
  await expect(page.getByRole("link", { name })).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await colleague.goto("/reports?tab=saved");
  await expect(colleague.getByLabel(`Email to me: ${name}`)).toHaveValue("weekly");
});
