import { expect } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import {
  changeFeature,
  makeFeature,
  regions,
  seats,
  sellFeatureInPackage,
} from "../../data/features.ts";
import { test } from "../../fixtures/test.ts";
import {
  accessibilityViolations,
  expectAccessible,
  useColorScheme,
  wcag,
} from "../../pages/accessibility.ts";
import { descriptionsOf, toast } from "../../pages/forms.ts";
import { amount, appPicker, choose, openCreate, openEdit, rail } from "./featureForm.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; field rules are covered over HTTP.

test("S2.13 FM6 Edits of different fields by two users are merged, and a conflict in one field asks @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const feature = await makeFeature(page, seats);
  await openEdit(page, feature);
  await amount(page).fill("12");
  await changeFeature(colleaguePage, feature.id, { enforcement: "soft" });
  await page.keyboard.press("Control+s");
  await expect(toast(page, "saved")).toBeVisible();
  const path = `/features/${feature.id}`;
  expect(await callApi(page, { path })).toMatchObject({ defaultValue: 12, enforcement: "soft" });

  await amount(page).fill("20");
  await changeFeature(colleaguePage, feature.id, { defaultValue: 15 });
  await page.keyboard.press("Control+s");
  await page.getByLabel("Default value, yours: 20 seats").check();
  await page.getByRole("button", { name: "Save my choices" }).click();
  await expect.poll(() => callApi(page, { path })).toMatchObject({ defaultValue: 20 });
});

test("S2.13 FM8 Review lists exactly the changes, and a changed kind is reverted as a whole @nightly", async ({
  ownerPage: page,
}) => {
  const feature = await makeFeature(page, seats);
  await openEdit(page, feature);
  await page.getByRole("radio", { name: "Add together" }).check();
  await expect(rail(page)).toContainText("Combined35 seats");
  await page.getByRole("checkbox", { name: "Unlimited" }).check();
  await page.getByRole("button", { name: "2 unsaved changes" }).click();
  const review = page.getByRole("dialog", { name: "Unsaved changes" });
  await expect(review.locator("tbody tr")).toHaveText([
    "With several packages−Use the largest+Add together",
    "Default value−3 seats+Unlimited",
  ]);
  await review.getByRole("button", { name: "Keep editing" }).click();

  await choose(page, "Switch");
  await expect(page.getByLabel("Unit, singular")).toHaveCount(0);
  await page.getByRole("button", { name: "Reset Type" }).click();
  await expect(page.getByLabel("Unit, singular")).toHaveValue("seat");
  await expect(page.locator(".unsaved")).toHaveCount(0);
});

test("S2.13 SH10 Fields used by a published package are locked with a reason, but the name can be edited @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const limit = await makeFeature(page, seats);
  await sellFeatureInPackage(product, limit, { name: "Marina", value: 10 });
  await openEdit(page, limit);
  for (const label of ["Code", "Type", "Unit", "With several packages"]) {
    const field = page.getByRole("textbox", { name: label, exact: true });
    await expect(field).toHaveAttribute("readonly");
    expect((await descriptionsOf(field)).join()).toContain(
      "a published package includes this feature",
    );
  }
  await amount(page).fill("4");

  const choice = await makeFeature(page, regions);
  await sellFeatureInPackage(product, choice, { name: "Sea", value: "ocean" });
  const other = await page.context().newPage();
  await openEdit(other, choice);
  await expect(other.getByRole("button", { name: "Remove One ocean" })).toBeDisabled();
  await expect(other.getByLabel("Code of option 2")).toHaveAttribute("readonly");
  await other.getByLabel("Name of option 2").fill("All of one ocean");
  await other.keyboard.press("Control+s");
  await expect(toast(other, "saved")).toBeVisible();
  await expectAccessible(page);
});

test("SH9 SH10 The form of every feature kind fits a phone and passes axe @nightly", async ({
  ownerPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openCreate(page);
  for (const kind of ["Switch", "Limit", "Metered", "Choice"]) {
    await choose(page, kind);
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect([kind, scrollWidth]).toEqual([kind, clientWidth]);
    // The other two are made of the same parts.
    if (kind === "Limit" || kind === "Choice")
      expect(await accessibilityViolations(page, wcag), kind).toEqual([]);
  }
  await useColorScheme(page, "dark");
  await appPicker(page).click();
  await expect(page.getByRole("option", { name: "Create a new app" })).toBeVisible();
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
});
