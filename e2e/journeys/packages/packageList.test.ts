import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { addSubscribers, makePackage, startDraft } from "../../data/packages.ts";
import {
  heading,
  makeManyPackages,
  makePricedPackage,
  prices,
  publishWith,
} from "../../data/packageVersions.ts";
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
  rowNames,
  searchParam,
  uniqueWord,
} from "../../pages/lists.ts";

// @nightly: Every list shares the behavior that the gate checks on apps.

const names = (page: Page) => rowNames(page).locator("b");
const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/package");
/** A row is named by the package's name and its code. */
const rowOf = (page: Page, word: string, place: string) =>
  rowNamed(page, `${word} ${place} ${word.toLowerCase()}-${place}`);

test("S2.15 LS1 LS3 Packages are sorted by the server, and a shared URL shows the same rows to another user @nightly", async ({
  ownerPage: page,
  product,
  colleaguePage,
}) => {
  const word = uniqueWord();
  await makeManyPackages(product, word, 3);
  await open(page, { q: word });
  const name = columnHeader(page, "Package");
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
});

test("S2.15 LS2 Returning from a package restores the rows and the focus @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  await makeManyPackages(product, word, 60);
  await open(page, { q: word, sort: "name", page: "3" });
  await expect(names(page)).toHaveText(numberedNames(word, 51, 60));
  const row = rowOf(page, word, "0055");
  await row.getByRole("link", { name: `${word} 0055` }).click();
  await expect(heading(page)).toHaveText(`${word} 0055`);
  await page.goBack();
  await expect(names(page)).toHaveText(numberedNames(word, 51, 60));
  await expect(row).toBeFocused();
});

test("S2.15 A row shows a package's sale status, price and subscribers", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  const yen = { currency: "JPY", amount: 1900, interval: "month", intervalCount: 3 };
  const pack = await makePricedPackage(page, {
    name: word,
    group: "plans",
    prices: [...prices, yen],
  });
  await open(page, { q: word });
  const row = rowNamed(page, `${word} ${pack.code}`);
  await expect(row.getByRole("cell", { name: "Draft" })).toBeVisible();
  await expect(row.getByRole("cell", { name: "12.00 EUR a month + 2 more" })).toBeVisible();
  await expect(row.getByRole("cell", { name: "plans" })).toBeVisible();

  await publishWith(page, pack);
  await addSubscribers(product, pack, 3);
  await startDraft(page, pack);
  await open(page, { q: word });
  await expect(row).toContainText(/On sale\s*Draft/);
  await expect(row.getByRole("cell", { name: "3", exact: true })).toBeVisible();
  await open(page, { q: word, f: "status:any:draft" });
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
});

test("S2.15 LS7 The packages of a search are exported, one per line @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  await makeManyPackages(product, word, 27);
  await open(page, { q: word, sort: "name" });
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export packages" });
  await expect(
    dialog.getByRole("radio", { name: "Current search and filters (27)" }),
  ).toBeChecked();
  const started = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  const lines = text.trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(28);
  expect(lines[0]).toBe("name,group,status,apps,subscribers,updatedAt");
  expect(lines[1]).toContain(`${word} 0001`);
});

test("S2.15 LS8 LS13 Packages are selected, previewed and acted on by keyboard @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  await makeManyPackages(product, word, 4);
  await open(page, { q: word, sort: "name" });
  await listRegion(page).focus();
  for (const key of ["j", "j", "x", "Shift+ArrowDown", "."]) await page.keyboard.press(key);
  const selected = page.getByRole("toolbar", { name: "Selected rows" });
  await expect(selected).toContainText("2 selected");
  const menu = page.getByRole("menu", { name: `Actions for ${word} 0003` });
  await expect(menu.getByRole("menuitem", { name: "Duplicate" })).toBeVisible();
  await expect(menu.getByRole("menuitem", { name: "Delete" })).toHaveCount(0);
  await page.keyboard.press("Escape");

  await selected.getByRole("button", { name: "Archive 2" }).click();
  const question = page.getByRole("dialog", { name: "Archive 2 packages?" });
  await expect(question.getByRole("row")).toHaveText([
    "Packages taken off sale2",
    "Subscribers who keep their access0",
    "Customers who lose access0",
  ]);
  await question.getByRole("button", { name: "Archive 2 packages" }).click();
  await toast(page, "2 packages archived").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "2 packages restored")).toBeVisible();
  await expectListLoaded(page);

  const row = rowOf(page, word, "0002");
  const id = (await row.getAttribute("data-row")) ?? "";
  await open(page, { q: word, sort: "name", preview: id });
  const preview = page.getByRole("dialog", { name: `Preview of ${word} 0002` });
  await expect(preview).toContainText("Preview for buyers");
  await expect(preview).toContainText("Add a price to sell this package.");
  await page.keyboard.press("Escape");
  await expect.poll(() => searchParam(page, "preview")).toBeNull();
  await expect(row).toBeFocused();
});

test("S2.15 Shortcuts open the package list and the new package form, and the palette finds a package @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePackage(page);
  await page.goto("/");
  await expect(heading(page)).toHaveText("Home");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await expect(heading(page)).toHaveText("Packages");
  await page.keyboard.press("c");
  await expect(heading(page)).toHaveText("New package");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
  await page.keyboard.type(pack.code);
  await page.getByRole("option", { name: pack.name }).click();
  await expect(heading(page)).toHaveText(pack.name);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("e");
  await expect(heading(page)).toHaveText(`Edit ${pack.name}`);
});
