import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { listRegion, openList, rowNames, rowOf, searchParam } from "../../pages/lists.ts";
import { boxOf, holdsFocus, openRows, press, selectedIn } from "./rows.ts";

// @nightly: The gate covers rows by keyboard, preview, bulk actions and live updates; this is a detail.

test("LS8 Rows are navigated, selected and acted on by keyboard, and Escape returns the focus", async ({
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

test("LS12 Dragging selects a cell's text without opening the row @nightly", async ({
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

test("LS12 A middle click or Ctrl+click opens the row in a new tab @nightly", async ({
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

test("LS13 The URL opens a row's preview, arrow keys move it, and Escape closes it", async ({
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

test("DG5 Escape closes only the top layer: a popup, then the preview, then the selection @nightly", async ({
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
  const popup = ownerPage.getByRole("dialog", { name: "Add filter" });
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
