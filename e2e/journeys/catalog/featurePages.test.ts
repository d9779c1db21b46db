import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import {
  activateFeature,
  changeFeature,
  type Feature,
  makeFeature,
  regions,
  seats,
  sellFeatureInPackage,
} from "../../data/features.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, toast } from "../../pages/forms.ts";
import { numberedNames } from "../../pages/lists.ts";
import { waitForStream } from "../../pages/liveChanges.ts";
import { heading, makeRows, names } from "./features.ts";

// @nightly: Every list and record page shares the behavior that the gate checks on apps.

const entries = (page: Page) => page.locator(".history > li");

const openView = async (page: Page, { id, name }: Feature, search = "") => {
  const following = waitForStream(page);
  await page.goto(`/feature/view/${id}${search}`);
  await expect(heading(page)).toHaveText(name);
  await following;
};

test("S2.14 VW1 VW3 A feature's full ID is copied, and a history entry has its own URL @nightly", async ({
  ownerPage: page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const feature = await makeFeature(page);
  await openView(page, feature);
  const said = page.getByRole("status").filter({ hasText: "Copied" });
  await Promise.all([
    said.waitFor(),
    page.getByRole("button", { name: "Copy ID" }).first().click(),
  ]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(feature.id);

  await changeFeature(page, feature.id, { description: "More" });
  const { items } = await callApi<{ items: { id: string }[] }>(page, {
    path: `/features/${feature.id}/activity`,
  });
  const oldest = items.at(-1)?.id ?? "";
  await page.goto(`/feature/view/${feature.id}?tab=activity#${oldest}`);
  await expect(entries(page).last()).toBeFocused();
});

test("S2.14 VW2 After an edit the first history entry shows who changed what @nightly", async ({
  ownerPage: page,
  sharedOwner,
}) => {
  const feature = await makeFeature(page, seats);
  await page.goto(`/feature/edit/${feature.id}`);
  await page.getByLabel("Default value", { exact: true }).fill("7");
  await page.keyboard.press("Control+s");
  await toast(page, "saved").getByRole("button", { name: "View" }).click();
  await page.getByRole("link", { name: "Activity" }).click();
  const first = entries(page).first();
  await expect(first).toContainText(`${sharedOwner.name} Feature changed`);
  await expect(first.getByRole("row").last().locator("th, td")).toHaveText([
    "Default value",
    "−3 seats",
    "+7 seats",
  ]);
});

for (const kind of ["view", "edit"])
  test(`S2.14 VW4 The ${kind} page of an unknown ID shows "not found" @nightly`, async ({
    ownerPage: page,
  }) => {
    const id = randomUUID();
    await page.goto(`/feature/${kind}/${id}`);
    await expect(heading(page)).toHaveText("Page not found");
    await expect(page.getByRole("main")).toContainText(`No record has the ID ${id}.`);
  });

test("S2.14 VW5 A change by another user appears live and keeps the focus @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const feature = await makeFeature(page, seats);
  await openView(page, feature);
  const copy = page.getByRole("button", { name: "Copy ID" });
  await copy.focus();
  await changeFeature(colleaguePage, feature.id, { name: "Renamed", defaultValue: "unlimited" });
  await expect(heading(page)).toHaveText("Renamed", { timeout: 3000 });
  await expect(page.getByText("Default: Unlimited")).toBeVisible();
  await expect(copy).toBeFocused();
});

test("S2.14 A feature lists the packages that include it, and archiving shows who keeps access @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const feature = await activateFeature(page, await makeFeature(page, regions));
  await sellFeatureInPackage(product, feature, { name: "Marina", value: "ocean" });
  await openView(page, feature);
  await expect(page.getByRole("row", { name: /^Marina/ })).toHaveText(/^Marina1On saleOne ocean1$/);
  await expect(page.getByRole("row", { name: /^One ocean/ })).toContainText("In packages");

  await page.getByRole("button", { name: "Archive" }).click();
  const question = page.getByRole("dialog", { name: `Archive ${feature.name}?` });
  await expect(question.getByRole("row")).toHaveText([
    "Features that can no longer be added to packages1",
    "Packages that can't be sold1",
    "Customers who keep access1",
    "Customers whose subscriptions keep renewing0",
    "Customers who lose access0",
  ]);
  await question.getByRole("button", { name: `Archive ${feature.name}` }).click();
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
  await toast(page, "archived").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Archive" })).toBeVisible();
});

test("S2.14 Only a draft feature that no package includes can be deleted, and any feature can be duplicated @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const sold = await makeFeature(page, seats);
  await sellFeatureInPackage(product, sold, { name: "Sold", value: 5 });
  await openView(page, sold);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Delete" })).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(fieldOf(page, "name")).toHaveValue(`${sold.name} copy`);
  await expect(page.getByRole("combobox", { name: "App" })).toHaveValue(sold.app.name);

  const draft = await makeFeature(page);
  await openView(page, draft);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: /^Delete / });
  await question.getByLabel("to confirm").fill(draft.code);
  await question.getByRole("button", { name: `Delete ${draft.name}` }).click();
  await expect(page).toHaveURL("/feature");
});

test("S2.10 An app page lists its features and links to all of them and to a new one @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 12);
  await page.goto(`/apps/view/${app.id}`);
  const rows = page.getByRole("rowheader").getByRole("link");
  await expect(rows).toHaveText(numberedNames(word, 1, 10));
  await page.getByRole("link", { name: "View all features" }).click();
  await expect(page).toHaveURL(`/feature?f=app:any:${app.id}`);
  await expect(names(page)).toHaveCount(12);
  await page.goBack();
  await page.getByRole("link", { name: "Add feature" }).click();
  await expect(page.getByRole("combobox", { name: "App" })).toHaveValue(app.name);
});
