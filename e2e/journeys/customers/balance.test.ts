import { expect } from "@playwright/test";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";

// @nightly: The rules of balances are covered over HTTP.

test("Finance adds to a customer's balance and removes from it with a reason @nightly", async ({
  ownerPage: host,
  signInAs,
}) => {
  const { user } = await sell(host, await makeSellablePackage(host));
  const page = await signInAs("finance", "Fina Finance");
  await page.goto(`/users/view/${user.id}?tab=payments`);
  const balance = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Balance", exact: true }) });
  await expect(balance).toContainText("No balance yet.");

  const dialog = page.getByRole("dialog", { name: /^Adjust the balance/ });
  const adjust = async (way: "Add" | "Remove", amount: string) => {
    await balance.getByRole("button", { name: "Adjust balance" }).click();
    await dialog.getByRole("radio", { name: way }).check();
    await dialog.getByRole("combobox", { name: "Currency" }).selectOption("EUR");
    await dialog.getByRole("textbox", { name: "Amount" }).fill(amount);
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Outage on Monday");
    await dialog.getByRole("button", { name: "Adjust balance" }).click();
  };
  await adjust("Add", "5");
  await expect(toast(page, "5.00 EUR added to the balance")).toBeVisible();
  await expect(balance.getByRole("row").nth(1)).toContainText(
    /Outage on Monday\s*Fina Finance\s*\+5\.00\s*5\.00 EUR/,
  );
  await adjust("Remove", "6");
  await expect(dialog).toContainText("At most 5.00 EUR.");
  await dialog.getByRole("textbox", { name: "Amount" }).fill("2");
  await expect(dialog).toContainText("The balance is 3.00 EUR instead of 5.00 EUR.");
  await dialog.getByRole("button", { name: "Adjust balance" }).click();
  await expect(toast(page, "2.00 EUR removed from the balance")).toBeVisible();
  await expect(balance.getByRole("row").nth(1)).toContainText(/−2\.00\s*3\.00 EUR/);
});
