import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { uniqueCode } from "../../data/api.ts";
import { test } from "../../fixtures/test.ts";
import { expectAccessible } from "../../pages/accessibility.ts";

// @nightly: The gate imports one file; the templates are covered over HTTP.

test("A file is uploaded, mapped, previewed and imported, and its rejected rows are a file", async ({
  ownerPage: page,
}) => {
  const code = uniqueCode("imported");
  const csv = [
    "customer_id;E-mail;full_name;country;utm",
    `${code}-1;${code}-1@example.com;Åsa Lindqvist;Sweden;a`,
    `${code}-2;${code}-2@example.com;Hanna Östlund;Deutschlnd;b`,
    `${code}-3;not an address;Viggo;Norway;c`,
  ].join("\r\n");
  await page.goto("/users");
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Import" })).toBeVisible();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "shop.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });

  await expect(page.getByRole("combobox", { name: "Field for customer_id" })).toHaveValue(
    "externalId",
  );
  await expect(page.getByRole("combobox", { name: "Field for utm" })).toHaveValue("");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Preview 3 rows" }).click();

  await expect(page.getByRole("cell", { name: "Did you mean Germany?" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Back", exact: true }).click();
  const emails = page.getByRole("row").filter({ hasText: "E-Mail" });
  await expect(emails.getByText("1 row rejected")).toBeVisible();
  await page.goBack();
  await page.reload();
  const list = await page.context().newPage();
  await list.goto("/users");
  await expect(list.getByRole("row").nth(1)).toBeVisible();
  await page.getByRole("button", { name: "Replace “Deutschlnd” with Germany in 1 row" }).click();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await expect(page.getByText("Import finished with 1 rejected row")).toBeVisible();
  await expect(page.getByText(/ [AP]M\. 2 rows imported\./)).toBeVisible();
  // An own import is in the list without an announcement.
  await expect(list.getByText("Hanna Östlund")).toBeVisible();
  await expect(list.getByRole("button", { name: "Show" })).toHaveCount(0);
  await list.close();
  await expectAccessible(page);
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download rejected rows" }).click();
  const file = await readFile((await (await started).path()) ?? "", "utf8");
  expect(file.split("\r\n")[1]).toContain(`${code}-3,not an address,Viggo,Norway,c,`);

  await page.getByRole("link", { name: "View customers" }).click();
  await page.getByRole("searchbox", { name: "Search users" }).fill(`${code}-2`);
  await expect(page.getByRole("row").filter({ hasText: "Hanna Östlund" })).toBeVisible();
});

test("The content of a file is chosen first, with a template for each @nightly", async ({
  ownerPage: page,
}) => {
  const code = uniqueCode("code");
  await page.goto("/import");
  await page.getByRole("radio", { name: "Promotion codes" }).check();
  const template = page.getByRole("link", { name: "Download template" });
  await expect(template).toHaveAttribute("href", /code%2Cpromotion%2CredemptionLimit/);
  await page.locator('input[type="file"]').setInputFiles({
    name: "codes.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`code,promotion\n${code},No such promotion ${code}`),
  });
  await expect(
    page.getByRole("heading", { level: 1, name: "Import promotion codes" }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Preview 1 row" }).click();
  await expect(page.getByRole("cell", { name: "No promotion has this name or ID." })).toBeVisible();
  await expect(page.getByRole("button", { name: "Import 0 rows" })).toBeDisabled();
  await expectAccessible(page);
  await page.goto("/import");
  await expect(
    page
      .getByRole("row")
      .filter({ hasText: "codes.csv" })
      .filter({ hasText: "Promotion codes" })
      .first(),
  ).toBeVisible();
});

test("Values that can be read in two ways are asked for, also on a phone", async ({
  ownerPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/import?kind=transactions");
  await page.locator('input[type="file"]').setInputFiles({
    name: "payments.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      "reference;email;date;currency;amount\r\np-1;no-one@example.com;01/03/2024;EUR;1.234,50",
    ),
  });
  await expect(page.getByLabel("Numbers in the file")).toHaveValue("comma");
  await expect(page.getByText("“01/03/2024” can be read in two ways.")).toBeVisible();
  const preview = page.getByRole("button", { name: "Preview 1 row" });
  await expect(preview).toBeDisabled();
  await page.getByLabel("Dates in the file").selectOption("day first");
  await expect(page.getByText("“01/03/2024” is read as Mar 1, 2024.")).toBeVisible();
  await expectAccessible(page);
  const select = await page.getByRole("combobox", { name: "Field for date" }).boundingBox();
  const status = await page
    .getByRole("row")
    .filter({ has: page.getByRole("combobox", { name: "Field for date" }) })
    .getByText("Mapped", { exact: true })
    .boundingBox();
  expect(status?.y ?? 0, "the status is below the field").toBeGreaterThanOrEqual(
    (select?.y ?? 0) + (select?.height ?? 0),
  );
  await preview.click();
  await expect(page.getByRole("cell", { name: "01/03/2024 Mar 1, 2024" })).toBeVisible();
});
