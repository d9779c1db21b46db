import { expect, type Page } from "@playwright/test";
import { makeManyApps } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import {
  columnHeader,
  insertApp,
  listRegion,
  numberedNames,
  openList,
  rowNames,
  rowOf,
  uniqueWord,
} from "../../pages/lists.ts";
import { signInAsOwner } from "../../pages/signIn.ts";

// @nightly: The gate covers sorting, paging and export once; this is a variant.

const scrolledBy = (page: Page) => listRegion(page).evaluate(({ scrollTop }) => scrollTop);

for (const way of ["by its link", "by a click beside it", "by keyboard"] as const)
  test(`LS2 Returning from a row opened ${way} restores rows, scroll position and focus @nightly`, async ({
    ownerPage,
    product,
  }) => {
    const word = uniqueWord();
    await makeManyApps(product, word, 70);
    await insertApp(product, { name: `${word} 0000`, status: "draft" });
    await openList(ownerPage, { q: word, f: "status:any:active", sort: "name" });
    const pages = ownerPage.getByRole("navigation", { name: "Pages" });
    await pages.getByRole("button", { name: "Next page" }).click();
    await expect(rowNames(ownerPage).first()).toHaveText(`${word} 0026`);
    await pages.getByRole("button", { name: "Page 3" }).click();
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 51, 70));

    const name = `${word} 0065`;
    const row = rowOf(ownerPage, name);
    if (way === "by keyboard") {
      await listRegion(ownerPage).focus();
      for (let step = 0; step < 15; step++) await ownerPage.keyboard.press("j");
      await expect(row).toBeFocused();
    } else await listRegion(ownerPage).evaluate((region) => region.scrollTo({ top: 330 }));
    const before = await scrolledBy(ownerPage);
    expect(before).toBeGreaterThan(100);

    if (way === "by its link") await row.getByRole("link").click();
    if (way === "by a click beside it") await row.getByRole("cell", { name: "Active" }).click();
    if (way === "by keyboard") await ownerPage.keyboard.press("Enter");
    await expect(ownerPage).toHaveURL(/\/apps\/view\//);
    await expect(ownerPage.getByRole("heading", { name, level: 1 })).toBeVisible();
    await ownerPage.goBack();

    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 51, 70));
    await expect(pages.getByRole("button", { name: "Page 3" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await expect(row).toBeFocused();
    expect(await scrolledBy(ownerPage)).toBe(before);
  });

test("LS3 A shared URL shows the same table to another user @nightly", async ({
  ownerPage,
  product,
  browser,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 40);
  await insertApp(product, { name: `${word} 0035b`, status: "draft" });
  await openList(ownerPage, {
    q: word,
    f: ["status:any:active", `name:not:${word} 0039`],
    sort: "-name",
    size: "10",
    page: "2",
    cols: "code,createdAt,status",
  });
  const tableOf = async (page: Page) => ({
    rows: await rowNames(page).allInnerTexts(),
    headers: await listRegion(page).getByRole("columnheader").allInnerTexts(),
    sorted: await columnHeader(page, "App").getAttribute("aria-sort"),
    chips: await page.getByRole("button", { name: /^Remove filter/ }).count(),
    range: await page.getByText(/ of 39$/).innerText(),
  });
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 29, 20));
  const table = await tableOf(ownerPage);
  expect(table.headers.slice(1, -1)).toEqual(["App", "Code", "Created", "Status"]);
  expect(table).toMatchObject({ sorted: "descending", chips: 2, range: "11–20 of 39" });

  const elsewhere = await browser.newContext({ baseURL: product.origin });
  const theirs = await elsewhere.newPage();
  await signInAsOwner(theirs, product, "Otto Other");
  await theirs.goto(ownerPage.url());
  await expect(rowNames(theirs)).toHaveText(table.rows);
  expect(await tableOf(theirs)).toEqual(table);
  await elsewhere.close();
});
