import { expect, type Page } from "@playwright/test";
import { uniqueCode } from "../../data/api.ts";
import { makePackage } from "../../data/packages.ts";
import { openPackage, sellPackage } from "../../data/packageVersions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";

// @nightly: The gate grants access once; the rules are covered over HTTP.

const subscribers = (page: Page) =>
  page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Subscribers", exact: true }) });

test.use({ timezoneId: "Europe/Tallinn" });

test("S2.18 Access is granted with a reason and an end date, and the customer becomes a subscriber", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  const name = uniqueCode("guest");
  const email = `${name}@example.com`;
  await openPackage(page, pack);
  await expect(subscribers(page)).toContainText("No subscribers yet.");
  await subscribers(page).getByRole("button", { name: "Grant access" }).click();
  const dialog = page.getByRole("dialog", { name: `Grant access to ${pack.name}` });
  await expect(dialog).toContainText("The customer gets version 1 for free.");
  const give = dialog.getByRole("button", { name: "Grant access" });

  await give.click();
  await expect(dialog.getByLabel("End date", { exact: true })).toBeFocused();
  await expect(dialog).toContainText("Choose an end date or “Never”.");
  await expect(dialog).toContainText("In the time zone Europe/Tallinn.");
  await dialog.getByLabel("End date", { exact: true }).fill("2099-12-31");
  await expect(dialog).toContainText(
    "Access lasts through Dec 31, 2099, Europe/Tallinn (UTC+02:00).",
  );
  await give.click();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await expect(dialog.getByLabel("Reason")).toHaveAttribute("aria-invalid", "true");

  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Reason").fill("Speaks at our meeting");
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/grants"));
  await give.click();
  expect((await sent).postDataJSON()).toMatchObject({ email, endsAt: "2099-12-31T22:00:00.000Z" });
  const row = subscribers(page).getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Dec 31, 2099");
  await expect(row).toContainText("Manual");
  await expect(row).toContainText("Speaks at our meeting");
  await expect(subscribers(page).getByRole("button", { name: "Grant access" })).toBeFocused();

  await row.getByRole("button", { name: /^Revoke access of/ }).click();
  const question = page.getByRole("alertdialog", { name: /^Revoke access of/ });
  await question.getByRole("button", { name: "Revoke access" }).click();
  await expect(question.getByLabel("Reason")).toBeFocused();
  await question.getByLabel("Reason").fill("The meeting is over");
  await question.getByRole("button", { name: "Revoke access" }).click();
  await expect(toast(page, `Access of ${name} revoked`)).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(subscribers(page)).toContainText("No subscribers yet.");
});

test("S2.18 Access without an end date is granted, and subscribers are found by name or email @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  await openPackage(page, pack);
  const emails = [1, 2].map(() => `${uniqueCode("guest")}@example.com`);
  for (const email of emails) {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Grant access…" }).click();
    const dialog = page.getByRole("dialog", { name: `Grant access to ${pack.name}` });
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("radio", { name: "Never" }).check();
    await dialog.getByLabel("Reason").fill("A friend of the house");
    await dialog.getByRole("button", { name: "Grant access" }).click();
    await expect(dialog).toBeHidden();
  }
  const rows = subscribers(page).locator("tbody tr");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("No end date");
  await expect(rows.first()).toContainText(emails[1] ?? "");
  await subscribers(page)
    .getByRole("searchbox", { name: "Search subscribers" })
    .fill(emails[0] ?? "");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(emails[0] ?? "");
  await subscribers(page).getByRole("searchbox").fill("nobody at all");
  await expect(subscribers(page)).toContainText("No subscribers match “nobody at all”.");
});

test("S2.18 Access to a package that isn't on sale can't be granted, with a reason @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePackage(page);
  await openPackage(page, pack);
  await expect(subscribers(page).getByRole("button", { name: "Grant access" })).toHaveCount(0);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Grant access…" })).toHaveCount(0);
});
