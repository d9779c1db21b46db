import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { makeFeature } from "../../data/features.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import {
  columnHeader,
  expectListLoaded,
  listQueryAfter,
  listRegion,
  numberedNames,
  openList,
  rowOf as rowNamed,
  searchParam,
} from "../../pages/lists.ts";
import { heading, makeRows, names } from "./features.ts";

// @nightly: Every list and record page shares the behavior that the gate checks on apps.

const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/feature");
/** A row is named by the feature's name and its code. */
const rowOf = (page: Page, word: string, place: string) =>
  rowNamed(page, `${word} ${place} ${word.toLowerCase()}-${place}`);

test("S2.11 LS1 LS3 Features are sorted by the server, and a shared URL shows the same rows to another user", async ({
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
  // The chip shows the app's name, not its ID.
  await expect(
    colleaguePage.getByRole("button", { name: `App is ${app.name}` }).first(),
  ).toBeVisible();
});

test("S2.11 LS2 Returning from a feature restores the rows and the focus @nightly", async ({
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

test("S2.11 Features are filtered by an app that is found by name @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 2);
  await open(page, {});
  await page.keyboard.press("f");
  const popup = page.getByRole("dialog", { name: "Add filter" });
  await popup.getByRole("button", { name: "App" }).click();
  await popup.getByRole("searchbox", { name: "Search" }).fill(word);
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

test("S2.11 LS7 The filtered features are exported, one per line @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 27);
  await open(page, { f: `app:any:${app.id}`, sort: "name" });
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export features" });
  await expect(
    dialog.getByRole("radio", { name: "Current search and filters (27)" }),
  ).toBeChecked();
  const started = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  const lines = text.trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(28);
  expect(lines[0]).toBe("name,app,kind,status,defaultValue,packages,updatedAt");
  expect(lines[1]).toContain(`${word} 0001,${app.code},switch`);
});

test("S2.11 LS8 LS13 Features are selected, previewed and acted on by keyboard @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { word, app } = await makeRows(page, product, 4);
  await open(page, { f: `app:any:${app.id}`, sort: "name" });
  await listRegion(page).focus();
  for (const key of ["j", "j", "x", "Shift+ArrowDown", "."]) await page.keyboard.press(key);
  const selected = page.getByRole("toolbar", { name: "Selected rows" });
  await expect(selected).toContainText("2 selected");
  const menu = page.getByRole("menu", { name: `Actions for ${word} 0003` });
  await expect(menu.getByRole("menuitem", { name: "Duplicate" })).toBeVisible();
  await page.keyboard.press("Escape");

  await selected.getByRole("button", { name: "Archive 2" }).click();
  const question = page.getByRole("dialog", { name: "Archive 2 features?" });
  await expect(question.getByRole("row").first()).toHaveText(
    "Features that can no longer be added to packages2",
  );
  await question.getByRole("button", { name: "Archive 2 features" }).click();
  const told = toast(page, "2 features archived");
  await told.getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "2 features restored")).toBeVisible();
  await expectListLoaded(page);

  const row = rowOf(page, word, "0002");
  const id = (await row.getAttribute("data-row")) ?? "";
  await open(page, { f: `app:any:${app.id}`, sort: "name", preview: id });
  const preview = page.getByRole("dialog", { name: `Preview of ${word} 0002` });
  await expect(preview).toContainText("Default: Off");
  await page.keyboard.press("Escape");
  await expect.poll(() => searchParam(page, "preview")).toBeNull();
  await expect(row).toBeFocused();
});

test("S2.11 Shortcuts open the feature list and the new feature form, and the palette finds a feature @nightly", async ({
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
