import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { addSubscribers, changeDraft, makePackage, startDraft } from "../../data/packages.ts";
import {
  changePackage,
  heading,
  makeAppWithSeats,
  openPackage,
  prices,
  publishWith,
  sellPackage,
} from "../../data/packageVersions.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, toast } from "../../pages/forms.ts";
import { menuItem, section } from "./packagePage.ts";

// @nightly: Every record page shares the behavior that the gate checks on apps; actions are covered over HTTP.

const entries = (page: Page) => page.locator(".history > li");

test("S2.18 VW1 VW3 A package's full ID is copied, and a history entry has its own URL @nightly", async ({
  ownerPage: page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const pack = await makePackage(page);
  await openPackage(page, pack);
  const said = page.getByRole("status").filter({ hasText: "Copied" });
  await Promise.all([
    said.waitFor(),
    page.getByRole("button", { name: "Copy ID" }).first().click(),
  ]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(pack.id);

  await changePackage(page, pack.id, { description: "More" });
  const { items } = await callApi<{ items: { id: string }[] }>(page, {
    path: `/packages/${pack.id}/activity`,
  });
  const oldest = items.at(-1)?.id ?? "";
  await page.goto(`/package/view/${pack.id}?tab=activity#${oldest}`);
  await expect(entries(page).last()).toBeFocused();
});

test("S2.18 VW2 The history shows who changed which price, value and app @nightly", async ({
  ownerPage: page,
  sharedOwner,
}) => {
  const { app, feature } = await makeAppWithSeats(page);
  const pack = await makePackage(page, { prices });
  await changeDraft(page, pack, {
    addApps: [app.id],
    cells: [{ featureId: feature.id, value: 5, was: null }],
  });
  await changePackage(page, pack.id, { prices: [{ ...prices[0], amount: 1500 }, prices[1]] });
  await openPackage(page, pack, "?tab=activity");
  const price = entries(page).filter({
    hasText: `${sharedOwner.name} Version 1, prices changed`,
  });
  await expect(price.getByRole("row").last().locator("th, td")).toHaveText([
    "EUR, Monthly",
    "−12.00 EUR",
    "+15.00 EUR",
  ]);
  const value = entries(page).filter({ hasText: `${sharedOwner.name} Version 1, values added` });
  await expect(value.getByRole("row").last().locator("th, td")).toHaveText([
    `Seats (${app.name})`,
    "+5 seats",
  ]);
  await value.getByRole("button", { name: "1 more change" }).click();
  await expect(value.getByRole("listitem")).toContainText(["Version 1, apps added"]);
  await expect(value.getByRole("listitem")).toContainText([app.name]);
});

for (const kind of ["view", "edit"])
  test(`S2.18 VW4 The ${kind} page of an unknown ID shows "not found" @nightly`, async ({
    ownerPage: page,
  }) => {
    const id = randomUUID();
    await page.goto(`/package/${kind}/${id}`);
    await expect(heading(page)).toHaveText("Page not found");
    await expect(page.getByRole("main")).toContainText(`No record has the ID ${id}.`);
  });

test("S2.18 VW5 A change by another user appears live and keeps the focus @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const pack = await sellPackage(page);
  await openPackage(page, pack);
  const copy = page.getByRole("button", { name: "Copy ID" });
  await copy.focus();
  await changePackage(colleaguePage, pack.id, { name: "Renamed" });
  await expect(heading(page)).toHaveText("Renamed", { timeout: 3000 });
  await startDraft(colleaguePage, pack);
  await expect(page.getByRole("link", { name: "Draft of version 2" })).toBeVisible({
    timeout: 3000,
  });
  await expect(copy).toBeFocused();
});

test("S2.18 A package shows its prices, entitlements, versions and subscribers", async ({
  ownerPage: page,
  product,
}) => {
  const part = await makeAppWithSeats(page);
  const pack = await sellPackage(page, { description: "For people who publish" }, part);
  await addSubscribers(product, pack, 1);
  await startDraft(page, pack);
  await changeDraft(page, pack, {
    cells: [{ featureId: part.feature.id, value: 9, was: 5 }],
  });
  await publishWith(page, pack, { note: "Seats 5 to 9" });
  await addSubscribers(product, pack, 3);
  await openPackage(page, pack);

  const { app } = part;
  await expect(section(page, "Pricing").getByRole("row").last().locator("th, td")).toHaveText([
    "EUR",
    "12.00",
    "120.00",
    "17%",
  ]);
  await expect(section(page, "Versions").getByRole("row")).toHaveText([
    /^Version/,
    /^2On sale.*Berta BossSeats 5 to 9375%$/,
    /^1Previous.*For the test125%$/,
    "Total4100%",
  ]);
  const given = section(page, "Apps and features");
  await expect(given).toContainText("version 2, 1 app, 1 feature");
  await expect(given.getByRole("heading", { name: app.name })).toBeVisible();
  await expect(given.locator("dl > div")).toHaveText("Seats9 seats");
  const ticket = page.locator(".ticket");
  await expect(ticket).toContainText("For people who publish");
  await expect(ticket).toContainText(/12\.00\s*EUR\s*a month/);
  await expect(ticket).toContainText("or 120.00 EUR a year, 2 months free");
  await expect(ticket).toContainText("14-day free trial");

  await page.getByRole("button", { name: "Compare version 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Compare versions" });
  const rows = dialog.locator(".diff tbody tr");
  await expect(rows).toHaveText(["Seats−5 seats+9 seats"]);
  await dialog.getByLabel("Before").selectOption("2");
  await expect(dialog).toContainText("Versions 2 and 2 have the same content and prices.");
  await dialog.getByLabel("After").selectOption("1");
  await expect(rows).toHaveText(["Seats−9 seats+5 seats"]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Compare version 1" })).toBeFocused();

  await page.getByRole("button", { name: "Copy version 1 to a new draft" }).click();
  await expect(toast(page, "Draft of version 3 created from version 1")).toBeVisible();
  await expect(page.getByRole("link", { name: "Draft of version 3" })).toBeVisible();
  await expect(page.getByRole("button", { name: /to a new draft$/ })).toHaveCount(0);
  await page.getByRole("link", { name: "Draft of version 3" }).click();
  await expect(page).toHaveURL(`/package/apps/${pack.id}`);
});

test("S2.18 Archiving a package shows what subscribers keep and can be undone @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await sellPackage(page);
  await addSubscribers(product, pack, 2);
  await openPackage(page, pack);
  await (await menuItem(page, "Archive…")).click();
  const question = page.getByRole("dialog", { name: `Archive ${pack.name}?` });
  await expect(question.getByRole("row")).toHaveText([
    "Packages taken off sale1",
    "Subscribers who keep their access2",
    "Customers who lose access0",
  ]);
  await question.getByRole("button", { name: `Archive ${pack.name}` }).click();
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toHaveCount(0);
  await toast(page, "archived").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toBeVisible();
});

test("S2.18 Only a package that was never published can be deleted, and any package can be duplicated @nightly", async ({
  ownerPage: page,
}) => {
  const sold = await sellPackage(page);
  await openPackage(page, sold);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Delete" })).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(fieldOf(page, "name")).toHaveValue(`${sold.name} copy`);
  await expect(page.getByLabel("Price 1: amount")).toHaveValue("12.00");

  const draft = await makePackage(page);
  await openPackage(page, draft);
  await (await menuItem(page, "Delete")).click();
  const question = page.getByRole("alertdialog", { name: /^Delete / });
  const button = question.getByRole("button", { name: `Delete ${draft.name}` });
  await expect(button).toBeDisabled();
  await question.getByLabel("to confirm").fill(draft.code);
  await button.click();
  await expect(page).toHaveURL("/package");
});
