import { expect, type Page } from "@playwright/test";
import { makeSellablePackage, newEmail, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, wcag } from "../../pages/accessibility.ts";
import { columnHeader, listRegion, openList } from "../../pages/lists.ts";

// @nightly: The gate chooses a range and reads sums; dates and widths are covered over HTTP and by unit tests.

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Sales of one customer: today, ten and forty days ago. */
const makeSales = async (page: Page) => {
  const pack = await makeSellablePackage(page);
  const email = newEmail();
  const sales = [];
  for (const days of [40, 10, 0])
    sales.push(await sell(page, pack, { email, ...(days > 0 && { occurredAt: daysAgo(days) }) }));
  return { email, sales };
};

test("LS5 Transactions are compact, have sums of all rows and a date range by keyboard", async ({
  ownerPage: page,
}) => {
  const { email } = await makeSales(page);
  await openList(page, { q: email }, "/transaction");
  const row = listRegion(page).getByRole("row").nth(1);
  expect((await row.boundingBox())?.height).toBe(36);
  // At 1280 pixels all default columns are visible, also next to a scrollbar of 15 pixels.
  const spare = await listRegion(page).evaluate(
    (region) =>
      region.clientWidth -
      Number.parseInt(getComputedStyle(region.querySelector("table") ?? region).minWidth, 10),
  );
  expect(spare).toBeGreaterThanOrEqual(15);
  const sums = page.getByRole("region", { name: "Sums" });
  await expect(sums).toContainText("Sum of 3");
  await expect(sums).toContainText("36.00 EUR");

  await page.getByRole("button", { name: "Created", exact: true }).first().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Date range" });
  await expect(dialog.locator("[data-date]:focus")).toHaveAttribute("aria-current", "date");
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("t");
  await expect(dialog.locator("[data-date]:focus")).toHaveAttribute("aria-current", "date");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  await dialog.getByRole("button", { name: /^Show .* to / }).press("Enter");
  await expect(page).toHaveURL(/f=occurredAt(:|%3A)between/);
  await expect(sums).toContainText("Sum of 2");
  await expect(sums).toContainText("24.00 EUR");

  await page.getByRole("button", { name: /^Created between/ }).click();
  await dialog.getByRole("button", { name: "Today" }).click();
  await expect(page).toHaveURL(/f=occurredAt(:|%3A)this(:|%3A)day/);
  await expect(sums).toContainText("12.00 EUR");

  // Neither the bar of selected rows nor a toast covers the sums.
  await listRegion(page).getByRole("row").nth(1).getByRole("checkbox").check();
  const bar = await page.getByRole("toolbar", { name: "Selected rows" }).boundingBox();
  const foot = await sums.boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
  const toastBottom = await page.evaluate(() => {
    const probe = document.createElement("div");
    probe.style.cssText = "position: fixed; bottom: var(--toast-bottom)";
    document.body.append(probe);
    const { bottom } = probe.getBoundingClientRect();
    probe.remove();
    return bottom;
  });
  expect(toastBottom).toBeLessThanOrEqual(bar?.y ?? 0);
});

test("A list goes to a date, keeps it in the URL and pages from there @nightly", async ({
  ownerPage: page,
}) => {
  const { email, sales } = await makeSales(page);
  await openList(page, { q: email }, "/transaction");
  await page.getByRole("button", { name: "Go to date" }).click();
  const dialog = page.getByRole("dialog", { name: "Go to date" });
  await dialog.getByRole("combobox", { name: "Date" }).fill(daysAgo(20).slice(0, 10));
  await dialog.getByRole("button", { name: "Go to date" }).click();
  const numbers = listRegion(page).getByRole("rowheader");
  await expect(numbers).toHaveText([new RegExp(sales[0]?.number ?? "")]);
  await expect(page).toHaveURL(new RegExp(`at=${daysAgo(20).slice(0, 10)}`));
  await page.reload();
  await expect(numbers).toHaveCount(1);
  await page.getByRole("button", { name: "Previous page" }).click();
  await expect(numbers).toHaveCount(2);
});

test("LS9 The edge of a column is moved by arrow keys and reset by Enter @nightly", async ({
  owner: _,
  page,
}) => {
  await openList(page, {}, "/transaction");
  const width = async () =>
    Math.round((await columnHeader(page, "Package").boundingBox())?.width ?? 0);
  const before = await width();
  const edge = page.getByRole("separator", { name: "Width of Package" });
  await edge.press("ArrowRight");
  await expect.poll(width).toBe(before + 16);
  await expect(edge).toHaveAttribute("aria-valuenow", String(before + 16));
  await edge.press("Shift+ArrowLeft");
  await expect.poll(width).toBe(before - 48);
  await page.reload();
  await expect.poll(width).toBe(before - 48);
  await edge.press("Enter");
  await expect.poll(width).toBe(before);
});
