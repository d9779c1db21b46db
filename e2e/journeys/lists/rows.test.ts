import { expect, type Locator, type Page } from "@playwright/test";
import { callApi, changeApp, makeApp, makeManyApps } from "../../data/apps.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import {
  insertApp,
  listRegion,
  numberedNames,
  openList,
  rowNames,
  rowOf,
  searchParam,
  uniqueWord,
} from "../../pages/lists.ts";

// @nightly: The gate covers rows by keyboard, preview, bulk actions and live updates; this is a detail.

/** So many of this test's apps in the list, by name; gives the word in their names. */
const openRows = async (page: Page, product: Product, amount: number) => {
  const word = uniqueWord();
  await makeManyApps(product, word, amount);
  await openList(page, { q: word, sort: "name" });
  await expect(rowNames(page)).toHaveText(numberedNames(word, 1, amount));
  return word;
};

const boxOf = (row: Locator) => row.getByRole("checkbox");
const selectedIn = (page: Page) => page.getByRole("toolbar", { name: "Selected apps" });

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

const holdsFocus = (place: Locator) =>
  place.evaluate((element) => element.contains(document.activeElement));

test("LS8 the keyboard alone moves, selects and opens a row's actions, and Escape gives the focus back", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 5);
  const third = rowOf(ownerPage, `${word} 0003`);
  await listRegion(ownerPage).focus();
  await press(ownerPage, "j", "j");
  await expect(rowOf(ownerPage, `${word} 0002`)).toBeFocused();
  await press(ownerPage, "x");
  await expect(boxOf(rowOf(ownerPage, `${word} 0002`))).toBeChecked();
  await press(ownerPage, "Shift+ArrowDown");
  await expect(third).toBeFocused();
  await expect(boxOf(third)).toBeChecked();
  await expect(selectedIn(ownerPage)).toContainText("2 selected");

  await press(ownerPage, ".");
  const menu = ownerPage.getByRole("menu", { name: `Actions for ${word} 0003` });
  await expect(menu.getByRole("menuitem", { name: "Open", exact: true })).toBeVisible();
  await expect.poll(() => holdsFocus(menu)).toBe(true);
  await press(ownerPage, "ArrowDown");
  await expect.poll(() => holdsFocus(menu)).toBe(true);
  await press(ownerPage, "Escape");
  await expect(menu).toBeHidden();
  await expect(ownerPage.getByRole("button", { name: `Actions for ${word} 0003` })).toBeFocused();
  await expect(selectedIn(ownerPage)).toContainText("2 selected");

  await press(ownerPage, "k", "Escape");
  await expect(rowOf(ownerPage, `${word} 0002`)).toBeFocused();
  await expect(selectedIn(ownerPage)).toBeHidden();
});

/** Marks the text of a cell with the mouse, as one does to copy it. */
const drag = async (page: Page, text: Locator) => {
  const place = await text.boundingBox();
  if (!place) throw new Error("There is nothing to drag over.");
  const middle = place.y + place.height / 2;
  await page.mouse.move(place.x + 1, middle);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width / 2, middle, { steps: 4 });
  await page.mouse.move(place.x + place.width - 1, middle, { steps: 4 });
  await page.mouse.up();
};

test("LS12 the text of a cell is selected by dragging, and the page stays @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 2);
  const before = ownerPage.url();
  const code = `${word.toLowerCase()}-0002`;
  await drag(ownerPage, rowOf(ownerPage, `${word} 0002`).getByText(code));
  expect(await ownerPage.evaluate(() => getSelection()?.toString())).toBe(code);
  expect(ownerPage.url()).toBe(before);
  await expect(rowNames(ownerPage)).toHaveCount(2);

  // Without a selection the same press opens the row.
  await ownerPage.evaluate(() => getSelection()?.empty());
  await rowOf(ownerPage, `${word} 0001`).getByRole("cell", { name: "Active" }).click();
  await expect(ownerPage.getByRole("heading", { name: `${word} 0001`, level: 1 })).toBeVisible();
});

test("LS12 a middle click and a Ctrl+click open the row in a tab of its own @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 2);
  const before = ownerPage.url();
  const row = rowOf(ownerPage, `${word} 0002`);
  const id = await row.getAttribute("data-row");
  const ways: (() => Promise<void>)[] = [
    () => row.getByRole("link").click({ button: "middle" }),
    () => row.getByRole("link").click({ modifiers: ["ControlOrMeta"] }),
    () => row.getByRole("cell", { name: "Active" }).click({ button: "middle" }),
  ];
  for (const open of ways) {
    const opened = ownerPage.context().waitForEvent("page", { timeout: 15_000 });
    await open();
    const tab = await opened;
    await expect(tab).toHaveURL(`/apps/view/${id}`);
    await expect(tab.getByRole("heading", { name: `${word} 0002`, level: 1 })).toBeVisible();
    await tab.close();
    expect(ownerPage.url()).toBe(before);
  }
});

test("LS13 the address opens a row's preview, which the keyboard moves on and Escape closes", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 4);
  const rows = [1, 2, 3].map((one) => rowOf(ownerPage, `${word} 000${one}`));
  const ids = await Promise.all(rows.map((row) => row.getAttribute("data-row")));
  const previewOf = (place: number) =>
    ownerPage.getByRole("dialog", { name: `Preview of ${word} 000${place}` });

  await openList(ownerPage, { q: word, sort: "name", preview: ids[1] ?? "" });
  await expect(previewOf(2)).toBeVisible();
  await expect(previewOf(2)).toContainText(`${word.toLowerCase()}-0002`);
  await press(ownerPage, "Escape");
  await expect(previewOf(2)).toBeHidden();
  await expect.poll(() => searchParam(ownerPage, "preview")).toBeNull();
  await expect(rows[1] as Locator).toBeFocused();

  await press(ownerPage, "Space");
  await expect(previewOf(2)).toBeVisible();
  expect(searchParam(ownerPage, "preview")).toBe(ids[1]);
  await press(ownerPage, "j", "Space");
  await expect(previewOf(3)).toBeVisible();
  await expect(previewOf(2)).toBeHidden();
  expect(searchParam(ownerPage, "preview")).toBe(ids[2]);
  await expect(rows[2] as Locator).toBeFocused();
  await ownerPage.goBack();
  await expect(previewOf(2)).toBeVisible();
  await previewOf(2).getByRole("button", { name: "Close" }).click();
  await expect.poll(() => searchParam(ownerPage, "preview")).toBeNull();
  await expect(rows[1] as Locator).toBeFocused();
});

test("the header's box selects the page, Shift a range, and another filter ends the selection with a word @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 6);
  const all = listRegion(ownerPage).getByRole("checkbox", { name: "Select all on this page" });
  const checked = listRegion(ownerPage).getByRole("checkbox", {
    name: `Select ${word}`,
    checked: true,
  });
  await all.click();
  await expect(checked).toHaveCount(6);
  await expect(selectedIn(ownerPage)).toContainText("6 selected");
  await all.click();
  await expect(checked).toHaveCount(0);
  await expect(selectedIn(ownerPage)).toBeHidden();

  await boxOf(rowOf(ownerPage, `${word} 0002`)).click();
  await expect(all).toBeChecked({ indeterminate: true });
  await boxOf(rowOf(ownerPage, `${word} 0005`)).click({ modifiers: ["Shift"] });
  await expect(checked).toHaveCount(4);
  for (const one of [2, 3, 4, 5])
    await expect(boxOf(rowOf(ownerPage, `${word} 000${one}`))).toBeChecked();

  await ownerPage.getByLabel("Search apps").fill(`${word} 0003`);
  await expect(rowNames(ownerPage)).toHaveText([`${word} 0003`]);
  await expect(
    ownerPage.getByText("The list changed, so 4 rows are no longer selected."),
  ).toBeVisible();
  await expect(selectedIn(ownerPage)).toBeHidden();
  await ownerPage.getByLabel("Search apps").fill(word);
  await expect(rowNames(ownerPage)).toHaveCount(6);
  await expect(checked).toHaveCount(0);
});

test("a range is what stands between its ends as the list is sorted now @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  for (const [name, status] of [
    ["1", "draft"],
    ["2", "active"],
    ["3", "draft"],
    ["4", "active"],
  ] as const)
    await insertApp(product, { name: `${word} ${name}`, status });
  await openList(ownerPage, { q: word, sort: "name" });
  await expect(rowNames(ownerPage)).toHaveCount(4);
  await ownerPage.getByRole("button", { name: "Status" }).click();
  await expect(rowNames(ownerPage)).toHaveText(["2", "4", "1", "3"].map((one) => `${word} ${one}`));
  await boxOf(rowOf(ownerPage, `${word} 4`)).click();
  await boxOf(rowOf(ownerPage, `${word} 3`)).click({ modifiers: ["Shift"] });
  await expect(selectedIn(ownerPage)).toContainText("3 selected");
  await expect(boxOf(rowOf(ownerPage, `${word} 1`))).toBeChecked();
  await expect(boxOf(rowOf(ownerPage, `${word} 2`))).not.toBeChecked();
});

test("several apps are archived after a question in numbers, and Undo brings them back", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 3);
  await insertApp(product, { name: `${word} draft`, status: "draft" });
  await ownerPage.reload();
  await expect(rowNames(ownerPage)).toHaveCount(4);
  await listRegion(ownerPage).getByRole("checkbox", { name: "Select all on this page" }).click();
  await expect(selectedIn(ownerPage).getByRole("button", { name: "Activate 1" })).toBeVisible();
  await selectedIn(ownerPage).getByRole("button", { name: "Archive 3" }).click();
  const dialog = ownerPage.getByRole("dialog", { name: "Archive 3 apps?" });
  await expect(dialog.getByRole("row", { name: /no longer be put into a package/ })).toContainText(
    /3$/,
  );
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: "Archive 3 apps" }).click();

  await expect(dialog).toBeHidden();
  const states = listRegion(ownerPage).getByRole("cell", { name: /^(Active|Archived|Draft)$/ });
  await expect(states).toHaveText(["Archived", "Archived", "Archived", "Draft"]);
  await expect(selectedIn(ownerPage)).toBeHidden();
  const toast = ownerPage.getByRole("alert").filter({ hasText: "3 apps archived." });
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(ownerPage.getByText("3 apps restored.")).toBeVisible();
  await expect(states).toHaveText(["Active", "Active", "Active", "Draft"]);
});

test("S2.4 the list's question is a dialog that holds the focus, closes by Escape only and gives the focus back", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 2);
  await boxOf(rowOf(ownerPage, `${word} 0001`)).click();
  const opener = selectedIn(ownerPage).getByRole("button", { name: "Archive 1" });
  await opener.click();
  const dialog = ownerPage.getByRole("dialog", { name: `Archive ${word} 0001?` });
  await expect(dialog).toHaveAttribute("aria-modal", "true");
  await expect(dialog.getByRole("button", { name: "Close" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  for (let step = 0; step < 20; step++) {
    await press(ownerPage, "Tab");
    expect(await holdsFocus(dialog), `after ${step + 1} tabs`).toBe(true);
  }
  await ownerPage.mouse.click(8, 8);
  await expect(dialog).toBeVisible();
  await press(ownerPage, "Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(selectedIn(ownerPage)).toContainText("1 selected");
});

test("DG5 Escape closes only what lies on top: a popup, then the preview, then the selection @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 2);
  await boxOf(rowOf(ownerPage, `${word} 0001`)).click();
  await listRegion(ownerPage).focus();
  await press(ownerPage, "j", "Space");
  const preview = ownerPage.getByRole("dialog", { name: `Preview of ${word} 0001` });
  await expect(preview).toBeVisible();
  await ownerPage.getByRole("button", { name: "Filter", exact: true }).press("Enter");
  const popup = ownerPage.getByRole("dialog", { name: "Add a filter" });
  await expect(popup.getByRole("button", { name: "Name" })).toBeFocused();

  await press(ownerPage, "Escape");
  await expect(popup).toBeHidden();
  await expect(ownerPage.getByRole("button", { name: "Filter", exact: true })).toBeFocused();
  await expect(preview).toBeVisible();
  await press(ownerPage, "Escape");
  await expect(preview).toBeHidden();
  await expect(selectedIn(ownerPage)).toContainText("1 selected");
  await press(ownerPage, "Escape");
  await expect(selectedIn(ownerPage)).toBeHidden();
});

/** The same boss elsewhere, and this page as one that hears of it. */
const withColleague = async (
  { page, product, state }: { page: Page; product: Product; state: object },
  act: (elsewhere: Page) => Promise<void>,
) => {
  const browser = page.context().browser();
  const context = await browser?.newContext({
    baseURL: product.origin,
    storageState: state as never,
  });
  if (!context) throw new Error("There is no browser.");
  await act(await context.newPage());
  await context.close();
};

/** Opens the list and waits until it follows what others do. */
const follow = async (page: Page, search: Record<string, string>) => {
  const following = page.waitForResponse((answer) => answer.url().endsWith("/api/events"));
  await openList(page, search);
  await following;
};

test("live: what somebody else changes appears in its row within 3 s, and the focus stays", async ({
  ownerPage,
  product,
  sharedOwner: { state },
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 3);
  await follow(ownerPage, { q: word, sort: "name" });
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 3));
  const id = (await rowOf(ownerPage, `${word} 0002`).getAttribute("data-row")) ?? "";
  await listRegion(ownerPage).focus();
  await press(ownerPage, "j", "j");
  await expect(rowOf(ownerPage, `${word} 0002`)).toBeFocused();

  await withColleague({ page: ownerPage, product, state }, async (elsewhere) => {
    // By its name it would now be the last one: it must not move while somebody looks at it.
    await changeApp(elsewhere, id, { name: `${word} 9999` });
    await expect(rowNames(ownerPage)).toHaveText([`${word} 0001`, `${word} 9999`, `${word} 0003`], {
      timeout: 3000,
    });
    await expect(rowOf(ownerPage, `${word} 9999`)).toBeFocused();
    await expect(ownerPage.getByRole("button", { name: /Show$/ })).toBeHidden();
  });
});

test("live: a new app is told and comes when it is asked for; a deleted one is struck through @nightly", async ({
  ownerPage,
  product,
  sharedOwner: { state },
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 2);
  const id = await insertApp(product, { name: `${word} 0003`, status: "draft" });
  await follow(ownerPage, { q: word, sort: "name" });
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 3));

  await withColleague({ page: ownerPage, product, state }, async (elsewhere) => {
    await makeApp(elsewhere, { name: `${word} 0000` });
    const news = ownerPage.getByRole("status").getByRole("button", { name: "1 new. Show" });
    await expect(news).toBeVisible({ timeout: 3000 });
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 3));
    await news.click();
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 0, 3));
    await expect(news).toBeHidden();

    await callApi(elsewhere, { method: "DELETE", path: `/apps/${id}`, version: 1 });
    const gone = rowOf(ownerPage, `${word} 0003`);
    await expect(gone.getByRole("rowheader")).toHaveCSS("text-decoration-line", "line-through", {
      timeout: 3000,
    });
    await expect(rowNames(ownerPage)).toHaveCount(4);
    await ownerPage.getByRole("button", { name: "1 deleted. Show" }).click();
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 0, 2));
  });
});
