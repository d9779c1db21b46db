import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { activateApp, callApi, makeApp } from "../../data/apps.ts";
import {
  activateFeature,
  changeFeature,
  type Feature,
  makeFeature,
  makeManyFeatures,
  regions,
  seats,
  sellFeatureInPackage,
} from "../../data/features.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/colleague.ts";
import { fieldOf, toast } from "../../pages/forms.ts";
import {
  columnHeader,
  expectListLoaded,
  listQueryAfter,
  listRegion,
  numberedNames,
  openList,
  rowOf as rowNamed,
  rowNames,
  searchParam,
  uniqueWord,
} from "../../pages/lists.ts";

// @nightly: Every list and record page shares the behavior that the gate checks on apps.

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const entries = (page: Page) => page.locator(".history > li");
const names = (page: Page) => rowNames(page).locator("b");
const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/feature");
/** A row is named by the feature's name and its code. */
const rowOf = (page: Page, word: string, place: string) =>
  rowNamed(page, `${word} ${place} ${word.toLowerCase()}-${place}`);

/** So many features of an app of their own, named by a word. */
const makeRows = async (page: Page, product: Product, amount: number) => {
  const word = uniqueWord();
  const app = await activateApp(page, await makeApp(page, { name: `App of ${word}` }));
  await makeManyFeatures(product, app, { word, amount });
  return { word, app };
};

const openView = async (page: Page, { id, name }: Feature, search = "") => {
  const following = page.waitForResponse("**/api/events");
  await page.goto(`/feature/view/${id}${search}`);
  await expect(heading(page)).toHaveText(name);
  await following;
};

test("S2.11 LS1 LS3 features are sorted by request and address, and an address shows the same to others", async ({
  ownerPage: page,
  product,
  colleaguePage,
}) => {
  const { word, app } = await makeRows(page, product, 3);
  await open(page, { f: `app:any:${app.id}` });
  const name = columnHeader(page, "Feature");
  for (const [sort, direction, rows] of [
    ["name", "ascending", numberedNames(word, 1, 3)],
    ["-name", "descending", numberedNames(word, 3, 1)],
  ] as const) {
    const asked = await listQueryAfter(page, () => name.getByRole("button").click());
    expect(asked.get("sort")).toBe(sort);
    expect(searchParam(page, "sort")).toBe(sort);
    await expect(name).toHaveAttribute("aria-sort", direction);
    await expect(names(page)).toHaveText(rows);
  }
  await page.reload();
  await expect(name).toHaveAttribute("aria-sort", "descending");

  await colleaguePage.goto(page.url());
  await expect(names(colleaguePage)).toHaveText(numberedNames(word, 3, 1));
  // The chip says the app's name, not its id.
  await expect(
    colleaguePage.getByRole("button", { name: `App is ${app.name}` }).first(),
  ).toBeVisible();
});

test("S2.11 LS2 coming back from a feature finds the same rows, and the focus on its row @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 60);
  await open(page, { f: `app:any:${app.id}`, sort: "name", page: "3" });
  await expect(names(page)).toHaveText(numberedNames(word, 51, 60));
  const row = rowOf(page, word, "0055");
  await row.getByRole("link", { name: `${word} 0055` }).click();
  await expect(heading(page)).toHaveText(`${word} 0055`);
  await page.goBack();
  await expect(names(page)).toHaveText(numberedNames(word, 51, 60));
  await expect(row).toBeFocused();

  // The app in a row is a link of its own.
  await row.getByRole("link", { name: app.name }).click();
  await expect(page).toHaveURL(`/apps/view/${app.id}`);
});

test("S2.11 features are filtered by an app that is found by its name @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 2);
  await open(page, {});
  await page.keyboard.press("f");
  const popup = page.getByRole("dialog", { name: "Add a filter" });
  await popup.getByRole("button", { name: "App" }).click();
  await popup.getByRole("searchbox", { name: "Search for app" }).fill(word);
  await popup.getByRole("checkbox", { name: app.name }).check();
  await popup.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => searchParam(page, "f")).toBe(`app:any:${app.id}`);
  await expect(names(page)).toHaveText(numberedNames(word, 2, 1));

  const chip = page.getByRole("button", { name: `App is ${app.name}`, exact: true });
  await chip.click();
  const chosen = page.getByRole("dialog", { name: "Filter by App" }).getByRole("checkbox", {
    name: app.name,
  });
  await expect(chosen).toBeChecked();
  await page.keyboard.press("Escape");
  await chip.press("Backspace");
  await expect.poll(() => searchParam(page, "f")).toBeNull();
});

test("S2.11 LS7 the features of a filter are exported as so many lines @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 27);
  await open(page, { f: `app:any:${app.id}`, sort: "name" });
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export features" });
  await expect(
    dialog.getByRole("radio", { name: "This search and filter: 27 rows" }),
  ).toBeChecked();
  const started = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  const lines = text.trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(28);
  expect(lines[0]).toBe("name,app,kind,defaultValue,status,packages,updatedAt");
  expect(lines[1]).toContain(`${word} 0001,${app.code},switch`);
});

test("S2.11 LS8 LS13 the keyboard selects features, opens actions and shows one beside the list @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 4);
  await open(page, { f: `app:any:${app.id}`, sort: "name" });
  await listRegion(page).focus();
  for (const key of ["j", "j", "x", "Shift+ArrowDown", "."]) await page.keyboard.press(key);
  const selected = page.getByRole("toolbar", { name: "Selected features" });
  await expect(selected).toContainText("2 selected");
  const menu = page.getByRole("menu", { name: `Actions for ${word} 0003` });
  await expect(menu.getByRole("menuitem", { name: "Duplicate" })).toBeVisible();
  await page.keyboard.press("Escape");

  await selected.getByRole("button", { name: "Archive 2" }).click();
  const question = page.getByRole("dialog", { name: "Archive 2 features?" });
  await expect(question.getByRole("row").first()).toHaveText(/no longer be put into a package2$/);
  await question.getByRole("button", { name: "Archive 2 features" }).click();
  const told = toast(page, "2 features archived.");
  await told.getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "2 features restored.")).toBeVisible();
  await expectListLoaded(page);

  const row = rowOf(page, word, "0002");
  const id = (await row.getAttribute("data-row")) ?? "";
  await open(page, { f: `app:any:${app.id}`, sort: "name", preview: id });
  const preview = page.getByRole("dialog", { name: `Preview of ${word} 0002` });
  await expect(preview).toContainText("Without a package: Off.");
  await page.keyboard.press("Escape");
  await expect.poll(() => searchParam(page, "preview")).toBeNull();
  await expect(row).toBeFocused();
});

test("S2.11 the keys lead to the features and to a new one, and the palette finds one @nightly", async ({
  ownerPage: page,
}) => {
  const feature = await makeFeature(page);
  await page.goto("/");
  await expect(heading(page)).toHaveText("Home");
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await expect(heading(page)).toHaveText("Features");
  await page.keyboard.press("c");
  await expect(heading(page)).toHaveText("New feature");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
  await page.keyboard.type(feature.code);
  await page.getByRole("option", { name: feature.name }).click();
  await expect(heading(page)).toHaveText(feature.name);
});

test("S2.14 VW1 VW3 a feature's id is copied in full, and an entry of its history has an address @nightly", async ({
  ownerPage: page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const feature = await makeFeature(page);
  await openView(page, feature);
  const said = page.getByRole("status").filter({ hasText: "Copied" });
  await Promise.all([
    said.waitFor(),
    page.getByRole("button", { name: "Copy the id" }).first().click(),
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

test("S2.14 VW2 after an edit the first entry says who changed what, in words @nightly", async ({
  ownerPage: page,
  sharedOwner,
}) => {
  const feature = await makeFeature(page, seats);
  await page.goto(`/feature/edit/${feature.id}`);
  await page.getByLabel("Without a package", { exact: true }).fill("7");
  await page.keyboard.press("Control+s");
  await toast(page, "is saved.").getByRole("button", { name: "View" }).click();
  await page.getByRole("link", { name: "Activity" }).click();
  const first = entries(page).first();
  await expect(first).toContainText(`${sharedOwner.name} changed the feature`);
  await expect(first.getByRole("row").last().locator("th, td")).toHaveText([
    "Without a package",
    "−3 seats",
    "+7 seats",
  ]);
});

for (const kind of ["view", "edit"])
  test(`S2.14 VW4 the ${kind} of an unknown id says that there is no such feature @nightly`, async ({
    ownerPage: page,
  }) => {
    const id = randomUUID();
    await page.goto(`/feature/${kind}/${id}`);
    await expect(heading(page)).toHaveText("Page not found");
    await expect(page.getByRole("main")).toContainText(`No feature has the id ${id}.`);
  });

test("S2.14 VW5 what somebody else changes appears by itself and leaves the focus alone @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const feature = await makeFeature(page, seats);
  await openView(page, feature);
  const copy = page.getByRole("button", { name: "Copy the id" });
  await copy.focus();
  await changeFeature(colleaguePage, feature.id, { name: "Renamed", defaultValue: "unlimited" });
  await expect(heading(page)).toHaveText("Renamed", { timeout: 3000 });
  await expect(page.getByText("Without a package: no limit.")).toBeVisible();
  await expect(copy).toBeFocused();
});

test("S2.14 a feature says which packages give it, and archiving it says what goes on @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const feature = await activateFeature(page, await makeFeature(page, regions));
  await sellFeatureInPackage(product, feature, { name: "Marina", value: "ocean" });
  await openView(page, feature);
  await expect(page.getByRole("row", { name: /^Marina/ })).toHaveText(/^Marina1On saleOne ocean1$/);
  await expect(page.getByRole("row", { name: /^One ocean/ })).toContainText("in packages");

  await page.getByRole("button", { name: "Archive" }).click();
  const question = page.getByRole("dialog", { name: `Archive ${feature.name}?` });
  await expect(question.getByRole("row")).toHaveText([
    /package1$/,
    "Packages that go on giving it1",
    "People who keep it1",
    "Rights that end0",
  ]);
  await question.getByRole("button", { name: `Archive ${feature.name}` }).click();
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible();
  await toast(page, "is archived.").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Archive" })).toBeVisible();
});

test("S2.14 only a draft that no package has can be deleted, and a copy of it is begun @nightly", async ({
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
  const question = page.getByRole("alertdialog", { name: /^Delete the feature/ });
  await question.getByLabel("to confirm").fill(draft.code);
  await question.getByRole("button", { name: `Delete ${draft.name}` }).click();
  await expect(page).toHaveURL("/feature");
});

test("S2.10 an app's page shows its features, and leads to all of them and to a new one @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 12);
  await page.goto(`/apps/view/${app.id}`);
  const rows = page.getByRole("rowheader").getByRole("link");
  await expect(rows).toHaveText(numberedNames(word, 1, 10));
  await page.getByRole("link", { name: "All 12 of them" }).click();
  await expect(page).toHaveURL(`/feature?f=app:any:${app.id}`);
  await expect(names(page)).toHaveCount(12);
  await page.goBack();
  await page.getByRole("link", { name: "Add feature" }).click();
  await expect(page.getByRole("combobox", { name: "App" })).toHaveValue(app.name);
});
