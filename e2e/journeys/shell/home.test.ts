import { expect, type Page } from "@playwright/test";
import { makePromotion, publishPromotion } from "../../data/promotions.ts";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations } from "../../pages/accessibility.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";

// @nightly: The gate opens Home; a part that fails is covered once for lists.

const figure = (page: Page, name: string) =>
  page.locator("a.figure").filter({ has: page.getByText(name, { exact: true }) });

/** The payments of three sales, and what they add up to. */
const expectRowsOf = async (page: Page, net: string) => {
  const payments = page.getByRole("region", { name: "Payments" });
  await expect(payments.locator("tbody tr")).toHaveCount(3);
  await expect(payments.locator("tfoot td").last()).toHaveText(net);
};

test("HM1 HM2 HM3 HM6 HM7 A figure opens its rows, and the chart has its values as text", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  const errors = await collectBrowserErrors(page);
  await page.goto("/");
  const done = page.locator(".setup li[data-done]");
  await expect(page.locator(".setup li")).toHaveCount(8);
  await expect(done).toHaveCount(0);
  const pack = await makeSellablePackage(page);
  await page.reload();
  await expect(done).toHaveText([/Create your first app/, /Add features/, /Create and publish/]);
  for (let count = 0; count < 3; count += 1) await sell(page, pack);
  await product.purser("reports", "rebuild");

  await page.goto("/?range=7d&compare=year");
  await expect(figure(page, "Net revenue")).toContainText("36.00 EUR");
  await expect(figure(page, "Active subscribers")).toContainText("3");
  // From the first payment on, the open steps of the setup are below the figures.
  await expect(page.locator(".home-columns + .home-setup .setup li[data-done]")).toHaveCount(4);
  await page.getByRole("button", { name: "Hide setup" }).click();
  await expect(page.locator(".setup")).toHaveCount(0);
  await expect(figure(page, "Refunds and disputes")).toContainText("0.0%");
  await page.reload();
  await expect(page.getByLabel("Period")).toHaveValue("7d");
  await expect(page.getByLabel("Comparison")).toHaveValue("year");

  const chart = page.getByRole("slider", { name: "Net revenue by day" });
  await chart.focus();
  await expect(chart).toHaveAttribute("aria-valuetext", /36\.00 EUR/);
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /, [^,]* 0\.00 EUR/);
  await page.getByRole("radio", { name: "Table" }).check();
  await expect(page.getByRole("row", { name: /Total 36\.00/ }).first()).toBeVisible();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.locator(".chart-table").getByRole("link", { name: "36.00" }).click();
  await expectRowsOf(page, "36.00");
  await page.goBack();
  const mix = page.locator("section").filter({ hasText: "Package mix" }).last();
  await expect(mix.getByRole("link", { name: "Reports" })).toHaveAttribute("href", /range=7d/);
  await mix.locator("tbody").getByRole("link", { name: "36.00" }).click();
  await expectRowsOf(page, "36.00");
  await page.goBack();

  for (const name of ["MRR", "Active subscribers"]) {
    await figure(page, name).click();
    await expect(page.getByRole("heading", { name: /^Active subscribers on / })).toBeVisible();
    await expect(page.getByText("3 customers · MRR 36.00 EUR")).toBeVisible();
    await expect(page.getByRole("region", { name: "Customers" }).getByRole("row")).toHaveCount(4);
    await page.goBack();
  }
  await figure(page, "Net revenue").click();
  await expectRowsOf(page, "36.00");
  expect(errors).toEqual([]);
});

test("The revenue chart shows promotions that ran in its period, also those that ended @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  await sell(page, await makeSellablePackage(page));
  await product.purser("reports", "rebuild");
  const [running, ended, before] = [
    await makePromotion(page, { name: "Now" }),
    await makePromotion(page, { name: "Last week" }),
    await makePromotion(page, { name: "Last year" }),
  ];
  for (const one of [running, ended, before]) await publishPromotion(page, one);
  const end = (id: string, days: number) =>
    product.database.query(
      "update promotions set starts_at = now() - make_interval(days => $2 + 7), ends_at = now() - make_interval(days => $2) where id = $1",
      [id, days],
    );
  await end(ended.id, 5);
  await end(before.id, 365);
  await page.goto("/");
  const lanes = page.getByRole("list", { name: "Promotions" }).getByRole("listitem");
  await expect(lanes).toHaveText(["Now", "Last week"]);
});

test("HM4 A part that fails has its own retry, and the others stay @nightly", async ({
  ownerPage: page,
}) => {
  let isFailing = true;
  await page.route("**/*_payload.json*", (route) => route.abort());
  await page.route("**/api/reports/summary*", (route) =>
    isFailing ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await page.goto("/");
  const alert = page.getByRole("alert").filter({ hasText: "Couldn't load the figures" });
  await expect(alert).toBeVisible();
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  isFailing = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(figure(page, "Net revenue")).toBeVisible();
});

test("A role without reports has a home screen without figures", async ({ signInAs }) => {
  const page = await signInAs("support", "Sam Support");
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Recent activity" })).toBeVisible();
  await expect(page.locator("a.figure")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Reports", exact: true })).toHaveCount(0);
});
