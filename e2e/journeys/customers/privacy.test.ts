import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, wcag } from "../../pages/accessibility.ts";

// @nightly: The screens are visited by the gate; erasing and exporting are covered over HTTP.

type Made = { id: string; name: string };

const menu = async (page: import("@playwright/test").Page, item: string) => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("An owner exports a customer's data and then erases the customer @nightly", async ({
  ownerPage: page,
  signInAs,
}) => {
  const word = uniqueCode("person");
  const made = await callApi<Made>(page, {
    method: "POST",
    path: "/users",
    body: { email: `${word}@example.com`, name: `Zofia ${word}`, note: "Called twice" },
  });
  await page.goto(`/users/view/${made.id}`);

  await menu(page, "Export data…");
  const dialog = page.getByRole("dialog", { name: `Data of ${made.name}` });
  await dialog.getByRole("button", { name: "Create file" }).click();
  const link = dialog.getByRole("link", { name: "Download file" });
  await expect(link).toBeVisible({ timeout: 20_000 });
  // The page below lists the records of all tests, which axe would check one by one.
  expect(await accessibilityViolations(page, wcag, "[role=dialog]")).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("personal-data.zip");
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 2).toString()).toBe("PK");
  await dialog.getByRole("button", { name: "Close", exact: true }).first().click();

  await menu(page, "Erase personal data…");
  const asking = page.getByRole("alertdialog", { name: `Erase personal data of ${made.name}?` });
  const erase = asking.getByRole("button", { name: "Erase personal data" });
  await expect(erase).toBeDisabled();
  await expect(asking).toContainText("Notes deleted");
  await asking.getByRole("textbox", { name: /to confirm/ }).fill(made.name);
  await erase.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Erased person/);
  await expect(page.getByRole("link", { name: "erased.invalid" })).toHaveCount(0);
  await expect(page.getByText(word)).toHaveCount(0, { timeout: 15_000 });
  await page.goto(`/users?q=${word}`);
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();

  const support = await signInAs("support", "Sam Support");
  await support.goto(`/users/view/${made.id}`);
  await expect(support.getByRole("heading", { level: 1 })).toHaveText(/Erased person/);
});
