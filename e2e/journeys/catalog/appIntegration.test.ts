import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { appCallsWith } from "../../data/appCalls.ts";
import { makeSoldApp } from "../../data/soldApps.ts";
import { test } from "../../fixtures/test.ts";

// @nightly: Every screen is opened in the gate, and the figures are covered over HTTP.

const sectionOf = (page: Page, name: string) =>
  page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });

const rowOf = (page: Page, section: string, name: string) =>
  sectionOf(page, section)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name, exact: true }) });

type Counted = { checks: number };

/** Servers add what they counted every few seconds. */
const expectCounted = (page: Page, app: string, checks: number) =>
  expect
    .poll(async () => (await callApi<Counted>(page, { path: `/apps/${app}/integration` })).checks)
    .toBe(checks);

test("Integration is filtered by period and key, and a reason opens the denied customers @nightly", async ({
  ownerPage: page,
  product,
  request,
}) => {
  const { app, key, customer, newCustomer, newKey, features } = await makeSoldApp(page);
  const { exports, maps } = features;
  const other = await newCustomer();
  const first = appCallsWith(request, product.origin, key);
  await first.check(customer.id, exports.code);
  await first.check(customer.id, maps.code);
  await first.check(other.id, maps.code);
  const second = appCallsWith(request, product.origin, await newKey("Second"));
  await second.check(customer.id, maps.code);
  await expectCounted(page, app.id, 4);

  await page.goto(`/apps/view/${app.id}?tab=integration`);
  const byFeature = "Checks by feature";
  await expect(rowOf(page, byFeature, maps.name)).toContainText("Not included 3");
  await expect(rowOf(page, byFeature, exports.name).getByRole("cell").first()).toHaveText("1");
  await page.getByRole("combobox", { name: "API key" }).selectOption("Second");
  await expect(rowOf(page, byFeature, maps.name)).toContainText("Not included 1");
  await expect(rowOf(page, byFeature, exports.name)).toHaveCount(0);
  await page.getByText("30 days", { exact: true }).click();
  await expect(page).toHaveURL(/[?&]period=month/);
  await page.reload();
  await expect(page.getByText("Checks, last 30 days")).toBeVisible();
  await expect(rowOf(page, byFeature, maps.name)).toContainText("Not included 1");
  await page.getByRole("combobox", { name: "API key" }).selectOption("All keys");
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("Most checks");
  await expect(page).toHaveURL(/[?&]sort=checks/);

  await rowOf(page, byFeature, maps.name).getByRole("link", { name: "Not included" }).click();
  const denied = sectionOf(page, "Not included");
  await expect(denied.getByRole("row")).toHaveCount(3);
  await expect(rowOf(page, "Not included", customer.name).getByRole("cell").nth(1)).toHaveText("2");
  await page.getByRole("combobox", { name: "Feature" }).selectOption(exports.name);
  await expect(denied).toContainText("No customers were denied for this reason.");
  await page.getByRole("combobox", { name: "Feature" }).selectOption("All features");
  await rowOf(page, "Not included", other.name).getByRole("link", { name: other.name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(other.name);
  await page.goBack();
  await page.getByRole("link", { name: "All checks" }).click();
  await expect(page.getByText("Checks, last 30 days")).toBeVisible();
});
