import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makePackage, type Package } from "../../data/packages.ts";
import { changePackage, heading, prices, sellPackage } from "../../data/packageVersions.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, recordWrites, toast } from "../../pages/forms.ts";
import { amountOf, currencyOf, pickCurrency, type Stored, told, type } from "./packageForm.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; field rules are covered over HTTP.

const openEdit = async (page: Page, { id, name }: Package) => {
  await page.goto(`/package/edit/${id}`);
  await expect(heading(page)).toHaveText(`Edit ${name}`);
};

test("S2.17 FM4 FM7 FM8 Leaving asks for confirmation, review lists the changes, and Ctrl S saves once @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePackage(page, { prices });
  await openEdit(page, pack);
  const writes = recordWrites(page, "/api/packages");
  await type(amountOf(page, 1), "15");
  await page.getByRole("textbox", { name: "Trial days" }).fill("30");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Apps" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question).toContainText("2 changes will be lost.");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByRole("textbox", { name: "Trial days" })).toBeFocused();
  await expect(amountOf(page, 1)).toHaveValue("15.00");

  await page.getByRole("button", { name: "2 unsaved changes" }).click();
  const review = page.getByRole("dialog", { name: "Unsaved changes" });
  await expect(review.locator("tbody tr")).toHaveText([
    "Trial days−0+30",
    "Prices−12.00 EUR a month, 120.00 EUR a year+15.00 EUR a month, 120.00 EUR a year",
  ]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Control+s");
  await expect(toast(page, `${pack.name} saved`)).toBeVisible();
  expect(writes).toEqual([`PUT /api/packages/${pack.id}`]);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Apps" }).click();
  await expect(heading(page)).toHaveText("Apps");
});

test("S2.17 FM6 Edits of different fields by two users are merged, and one version is chosen for the same field @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const pack = await makePackage(page, { prices });
  await openEdit(page, pack);
  await page.getByRole("textbox", { name: "Trial days" }).fill("7");
  await changePackage(colleaguePage, pack.id, { name: "Theirs" });
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Theirs saved")).toBeVisible();
  const path = `/packages/${pack.id}`;
  expect(await callApi(page, { path })).toMatchObject({ name: "Theirs", trialDays: 7 });

  await type(amountOf(page, 1), "13");
  await changePackage(colleaguePage, pack.id, {
    prices: [{ ...prices[0], amount: 1400 }, prices[1]],
  });
  await page.keyboard.press("Control+s");
  const question = page.getByRole("dialog", { name: "Someone else saved changes" });
  await question
    .getByRole("radio", { name: "Prices, yours: 13.00 EUR a month, 120.00 EUR a year" })
    .check();
  await question.getByRole("button", { name: "Save my choices" }).click();
  await expect(question).toBeHidden();
  await expect
    .poll(async () => (await callApi<Stored>(page, { path }))["prices"])
    .toContainEqual({ ...prices[0], amount: 1300, perUnit: false });
});

test("S2.17 Changed prices start a draft, and the version on sale keeps its prices @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  await openEdit(page, pack);
  await expect(
    page.getByText("Saved in the draft. Version 1 keeps its prices until you publish.").first(),
  ).toBeVisible();
  await expect(
    page
      .getByText(
        "Prices and trial are saved in the draft. Version 1 doesn't change until you publish.",
      )
      .first(),
  ).toBeVisible();
  await expect(fieldOf(page, "code")).toHaveAttribute("readonly", "");
  await type(amountOf(page, 1), "15");
  await expect(
    page.getByText("Saving these prices creates a draft from the latest version."),
  ).toBeVisible();
  await page.keyboard.press("Control+s");
  await toast(page, " saved").getByRole("button", { name: "View" }).click();
  await expect(page.getByRole("link", { name: "Draft of version 2" })).toBeVisible();
  await expect(page.getByRole("row", { name: /^EUR/ })).toContainText("12.00");

  await page.getByRole("button", { name: "Compare version 2" }).click();
  const dialog = page.getByRole("dialog", { name: "Compare versions" });
  await expect(dialog.locator(".diff tbody tr")).toHaveText([
    "EUR, Monthly−12.00 EUR a month+15.00 EUR a month",
  ]);
});

test("S2.17 An amount that is invalid in another currency is reported when the currency changes @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePackage(page, { prices: [{ ...prices[0], amount: 1250 }] });
  await openEdit(page, pack);
  await pickCurrency(page, 1, "JPY");
  await expect(amountOf(page, 1)).toHaveValue("12.50");
  await page.keyboard.press("Control+s");
  expect(await told(page)).toEqual(["Price 1: amount Enter a whole number. JPY has no decimals."]);
  await page.getByRole("button", { name: "Reset Prices" }).click();
  await expect(amountOf(page, 1)).toHaveValue("12.50");
  await expect(currencyOf(page, 1)).toHaveValue("EUR");
});
