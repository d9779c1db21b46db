import { expect, type Page } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { columnHeader, insertApp, listRegion, openList, uniqueWord } from "../../pages/lists.ts";
import { expectSignedIn, signOut, submitCredentials } from "../../pages/signIn.ts";

// @nightly: The gate changes columns by keyboard once; this repeats it many times.

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** The columns in their order, without the box and the menu. */
const columnsOf = async (page: Page) =>
  (await listRegion(page).getByRole("columnheader").allInnerTexts()).slice(1, -1);

const usual = ["App", "Code", "Status", "Platforms", "Keys", "Updated"];

const openColumns = async (page: Page) => {
  await page.getByRole("button", { name: "Columns" }).press("Enter");
  const popup = page.getByRole("dialog", { name: "Columns" });
  await expect(popup).toBeVisible();
  return popup;
};

const widthOf = async (page: Page, label: string) =>
  Math.round((await columnHeader(page, label).boundingBox())?.width ?? 0);

/** How far a column moves when the table scrolls horizontally. */
const driftOf = async (page: Page, label: string) => {
  const at = async () => (await columnHeader(page, label).boundingBox())?.x ?? 0;
  await listRegion(page).evaluate((region) => region.scrollTo({ left: 0 }));
  const before = await at();
  await listRegion(page).evaluate((region) => region.scrollTo({ left: 200 }));
  const after = await at();
  await listRegion(page).evaluate((region) => region.scrollTo({ left: 0 }));
  return before - after;
};

test("LS9 Columns are hidden, moved, resized and pinned by keyboard, kept on other devices and reset @nightly", async ({
  page,
  owner,
  product,
  browser,
}) => {
  test.slow();
  const word = uniqueWord();
  await insertApp(product, { name: `${word} one` });
  await openList(page, { q: word });
  expect(await columnsOf(page)).toEqual(usual);

  const popup = await openColumns(page);
  await popup.getByRole("checkbox", { name: "Platforms" }).press("Space");
  await expect(columnHeader(page, "Platforms")).toBeHidden();
  await popup.getByRole("checkbox", { name: "Created" }).press("Space");
  await expect(columnHeader(page, "Created")).toBeVisible();
  await popup.getByRole("button", { name: "Move Code down" }).press("Enter");
  await expect
    .poll(() => columnsOf(page))
    .toEqual(["App", "Status", "Code", "Keys", "Updated", "Created"]);
  const width = popup.getByRole("spinbutton", { name: "Width of Code in pixels" });
  await width.focus();
  await press(page, "ArrowUp", "Enter");
  await expect.poll(() => widthOf(page, "Code")).toBe(176);
  await expect(width).toBeFocused();
  await width.press("ControlOrMeta+a");
  await page.keyboard.type("600");
  await press(page, "Enter");
  await expect.poll(() => widthOf(page, "Code")).toBe(600);
  await popup.getByRole("button", { name: "Pin Status" }).press("Enter");
  await expect(popup.getByRole("button", { name: "Pin Status" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await press(page, "Escape");
  await expect(popup).toBeHidden();
  await expect(page.getByRole("button", { name: "Columns" })).toBeFocused();

  const expectChosen = async (shown: Page) => {
    await expect(columnHeader(shown, "Created")).toBeVisible();
    expect((await columnsOf(shown)).toSorted()).toEqual(
      ["App", "Status", "Code", "Keys", "Updated", "Created"].toSorted(),
    );
    expect(await widthOf(shown, "Code")).toBe(600);
    expect(await driftOf(shown, "Keys")).toBe(200);
    expect(await driftOf(shown, "Status")).toBe(0);
    // Whichever column is first, the row header is the name and contains the link.
    await expect(listRegion(shown).getByRole("rowheader", { name: `${word} one` })).toBeVisible();
    await expect(listRegion(shown).getByRole("link", { name: `${word} one` })).toBeVisible();
  };
  await expectChosen(page);

  await signOut(page);
  const elsewhere = await browser.newContext({ baseURL: product.origin });
  const later = await elsewhere.newPage();
  await later.goto("/login");
  await submitCredentials(later, owner);
  await expectSignedIn(later, owner);
  await openList(later, { q: word });
  await expectChosen(later);
  await (await openColumns(later)).getByRole("button", { name: "Reset" }).press("Enter");
  await expect.poll(() => columnsOf(later)).toEqual(usual);
  expect(await widthOf(later, "Code")).toBe(160);
  await later.reload();
  await expect(columnHeader(later, "Platforms")).toBeVisible();
  expect(await columnsOf(later)).toEqual(usual);
  await elsewhere.close();
});

test("LS9 Moving a column repeatedly keeps the keyboard focus @nightly", async ({
  page,
  owner: _,
  product,
}) => {
  test.slow();
  const word = uniqueWord();
  await insertApp(product, { name: `${word} one` });
  await openList(page, { q: word });
  const popup = await openColumns(page);
  const right = popup.getByRole("button", { name: "Move Code down" });
  await right.focus();
  for (const place of [2, 3, 4, 5]) {
    await press(page, "Enter");
    await expect.poll(async () => (await columnsOf(page)).indexOf("Code")).toBe(place);
    await expect(right).toBeFocused();
  }
  const left = popup.getByRole("button", { name: "Move Code up" });
  await left.focus();
  for (const place of [4, 3, 2, 1]) {
    await press(page, "Enter");
    await expect.poll(async () => (await columnsOf(page)).indexOf("Code")).toBe(place);
    await expect(left).toBeFocused();
  }
  // At the end the button does nothing but keeps the focus.
  await press(page, "Enter");
  await expect(left).toBeFocused();
  expect(await columnsOf(page)).toEqual(usual);
  await page.reload();
  await expect.poll(() => columnsOf(page)).toEqual(usual);
});
