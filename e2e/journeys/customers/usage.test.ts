import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { appCallsWith } from "../../data/appCalls.ts";
import { makeSoldApp } from "../../data/soldApps.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";

// @nightly: The gate covers the usage of a customer; that of a feature is covered over HTTP.

const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });

const downloadFrom = async (page: Page, name: string) => {
  const downloading = page.waitForEvent("download");
  await page.getByText(name, { exact: true }).click();
  const download = await downloading;
  return {
    name: download.suggestedFilename(),
    text: await readFile(await download.path(), "utf8"),
  };
};

test("A customer's usage is shown by feature, downloaded, and corrected with a reason", async ({
  ownerPage: page,
  product,
  request,
}) => {
  const { app, key, customer, features } = await makeSoldApp(page);
  const { exports } = features;
  await appCallsWith(request, product.origin, key).consume(customer.id, exports.code, 4);
  await page.goto(`/users/view/${customer.id}?tab=usage`);
  const row = rowOf(page, exports.name);
  await expect(row).toContainText(app.name);
  await expect(row).toContainText("4 exports");
  await expect(row.locator(".sparkline-line")).toHaveCSS("fill", "none");
  await page.getByRole("radio", { name: "Last 7 days" }).check({ force: true });
  await expect(row).toContainText("4 exports");
  const { name, text } = await downloadFrom(page, "Download CSV");
  expect(name).toMatch(/^usage-[\d-]+\.csv$/);
  const [head, line] = text.split("\r\n");
  expect(head).toBe("app,feature,day,used");
  expect(line).toMatch(new RegExp(`^"${app.name}",${exports.code},\\d{4}-\\d\\d-\\d\\d,4$`));

  await row.getByRole("button", { name: "Correct…" }).click();
  const dialog = page.getByRole("dialog", { name: `Correct the usage of ${exports.name}` });
  await expect(dialog).toContainText(`${customer.name} in ${app.name}`);
  await dialog.getByLabel("Amount").fill("9");
  await dialog.getByLabel("Reason").fill("The export failed.");
  await dialog.getByRole("button", { name: "Correct usage" }).click();
  await expect(dialog).toContainText("The customer hasn't used this much. Enter a smaller amount.");
  await dialog.getByLabel("Amount").fill("3");
  await dialog.getByRole("button", { name: "Correct usage" }).click();
  await expect(toast(page, "Usage corrected to 1")).toBeVisible();
  await expect(row).toContainText("1 export");
  await row.getByRole("button", { name: "Correct…" }).click();
  await dialog.getByText("Add", { exact: true }).click();
  await dialog.getByLabel("Amount").fill("5");
  await dialog.getByLabel("Reason").fill("Counted twice before.");
  await dialog.getByRole("button", { name: "Correct usage" }).click();
  await expect(row).toContainText("6 exports");
});

test("A metered feature shows usage by day and its top customers @nightly", async ({
  ownerPage: page,
  product,
  request,
}) => {
  const { key, customer, newCustomer, features } = await makeSoldApp(page);
  const other = await newCustomer();
  const { consume } = appCallsWith(request, product.origin, key);
  await consume(customer.id, features.exports.code, 6);
  await consume(other.id, features.exports.code, 2);
  await page.goto(`/feature/view/${features.exports.id}`);
  await page.getByRole("link", { name: "Usage", exact: true }).click();
  const top = page.locator("section", {
    has: page.getByRole("heading", { name: "Top customers", exact: true }),
  });
  await expect(top.getByRole("row")).toHaveText([
    "CustomerUsedShareEmail",
    `${customer.name}675.0%${customer.email}`,
    `${other.name}225.0%${other.email}`,
  ]);
  await page.getByText("Table", { exact: true }).click();
  const days = page.locator("section", {
    has: page.getByRole("heading", { name: "Usage by day", exact: true }),
  });
  await expect(days.getByRole("row").nth(1).getByRole("cell")).toHaveText(["8", "2"]);
  const { text } = await downloadFrom(page, "Download CSV");
  expect(text.trim().split("\r\n")).toHaveLength(3);
  await top.getByRole("link", { name: customer.name }).click();
  await expect(rowOf(page, features.exports.name)).toContainText("6 exports");
  await page.goto(`/feature/view/${features.maps.id}?tab=usage`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(features.maps.name);
  await expect(page.getByRole("link", { name: "Usage", exact: true })).toHaveCount(0);
});
