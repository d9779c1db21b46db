import { expect, type Page } from "@playwright/test";
import { uniqueCode } from "../../data/api.ts";
import { makePackage } from "../../data/packages.ts";
import { openPackage, sellPackage } from "../../data/packageVersions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";

// @nightly: The gate grants access once; the rules are covered over HTTP.

const holders = (page: Page) =>
  page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Holders", exact: true }) });

test.use({ timezoneId: "Europe/Tallinn" });

test("S2.18 Access is granted with a reason and an end date, and the customer becomes a subscriber", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  const email = `${uniqueCode("guest")}@example.com`;
  await openPackage(page, pack);
  await expect(holders(page)).toContainText("Nobody holds it now.");
  await holders(page).getByRole("button", { name: "Give access" }).click();
  const dialog = page.getByRole("dialog", { name: `Give access to ${pack.name}` });
  await expect(dialog).toContainText("The person gets version 1, without paying.");
  const give = dialog.getByRole("button", { name: "Give access" });

  await give.click();
  await expect(dialog.getByLabel("Last day", { exact: true })).toBeFocused();
  await expect(dialog).toContainText("must be a day, or choose no end");
  await expect(dialog).toContainText("The day counts in Europe/Tallinn.");
  await dialog.getByLabel("Last day", { exact: true }).fill("2099-12-31");
  await expect(dialog).toContainText(
    "Ends when 31 Dec 2099 is over in Europe/Tallinn (UTC+02:00).",
  );
  await give.click();
  await expect(dialog.getByLabel("Mail")).toBeFocused();
  await expect(dialog.getByLabel("Reason")).toHaveAttribute("aria-invalid", "true");

  await dialog.getByLabel("Mail").fill(email);
  await dialog.getByLabel("Reason").fill("Speaks at our meeting");
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/grants"));
  await give.click();
  expect((await sent).postDataJSON()).toMatchObject({ email, endsAt: "2099-12-31T22:00:00.000Z" });
  const row = holders(page).getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("31 Dec 2099");
  await expect(row).toContainText("Given by staff");
  await expect(row).toContainText("Speaks at our meeting");
  await expect(holders(page).getByRole("button", { name: "Give access" })).toBeFocused();

  await row.getByRole("button", { name: /^Revoke access of/ }).click();
  const question = page.getByRole("alertdialog", { name: /^Revoke the access of/ });
  await question.getByRole("button", { name: "Revoke access" }).click();
  await expect(question.getByLabel("Reason")).toBeFocused();
  await question.getByLabel("Reason").fill("The meeting is over");
  await question.getByRole("button", { name: "Revoke access" }).click();
  await expect(toast(page, `no longer holds ${pack.name}`)).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(holders(page)).toContainText("Nobody holds it now.");
});

test("S2.18 Access without an end date is granted, and subscribers are found by name or email @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  await openPackage(page, pack);
  const emails = [1, 2].map(() => `${uniqueCode("guest")}@example.com`);
  for (const email of emails) {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Give access…" }).click();
    const dialog = page.getByRole("dialog", { name: `Give access to ${pack.name}` });
    await dialog.getByLabel("Mail").fill(email);
    await dialog.getByRole("radio", { name: "No end" }).check();
    await dialog.getByLabel("Reason").fill("A friend of the house");
    await dialog.getByRole("button", { name: "Give access" }).click();
    await expect(dialog).toBeHidden();
  }
  const rows = holders(page).locator("tbody tr");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("no end");
  await expect(rows.first()).toContainText(emails[1] ?? "");
  await holders(page)
    .getByRole("searchbox", { name: "Search holders" })
    .fill(emails[0] ?? "");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(emails[0] ?? "");
  await holders(page).getByRole("searchbox").fill("nobody at all");
  await expect(holders(page)).toContainText("Nobody who holds it is called “nobody at all”.");
});

test("S2.18 Access to a package that isn't on sale can't be granted, with a reason @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePackage(page);
  await openPackage(page, pack);
  await expect(holders(page).getByRole("button", { name: "Give access" })).toHaveCount(0);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Give access…" })).toHaveCount(0);
});
