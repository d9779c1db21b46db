import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { callApi, makeManyApps } from "../../data/apps.ts";
import { signInAsOwner } from "../../data/team.ts";
import { test } from "../../fixtures/test.ts";
import {
  columnHeader,
  insertApp,
  listQueryAfter,
  listRegion,
  numberedNames,
  openList,
  rowNames,
  rowOf,
  searchParam,
  uniqueWord,
} from "../../pages/lists.ts";

// @nightly: The gate covers sorting, paging and export once; this is a variant.

test("S2.2 a list is a table whose rows are the page that the API gives", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 27);
  await openList(ownerPage, { q: word });
  const table = listRegion(ownerPage).getByRole("table", { name: "Apps, newest first" });
  await expect(table.getByRole("columnheader", { name: "Status" })).toBeVisible();
  const { items } = await callApi<{ items: { name: string }[] }>(ownerPage, {
    path: `/apps?q=${word}&size=25`,
  });
  expect(items).toHaveLength(25);
  await expect(rowNames(ownerPage)).toHaveText(items.map(({ name }) => name));
  await expect(rowNames(ownerPage).first()).toHaveText(`${word} 0027`);
});

test("LS1 a header sorts by request and address: up, down, not at all, and so after a reload", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 3);
  await openList(ownerPage, { q: word });
  const code = columnHeader(ownerPage, "Code");
  const sort = code.getByRole("button");
  await expect(code).not.toHaveAttribute("aria-sort");

  const first = await listQueryAfter(ownerPage, () => sort.click());
  expect(first.get("sort")).toBe("code");
  await expect(code).toHaveAttribute("aria-sort", "ascending");
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 3));
  expect(searchParam(ownerPage, "sort")).toBe("code");

  const second = await listQueryAfter(ownerPage, () => sort.click());
  expect(second.get("sort")).toBe("-code");
  await expect(code).toHaveAttribute("aria-sort", "descending");
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 3, 1));
  expect(searchParam(ownerPage, "sort")).toBe("-code");

  const again = await listQueryAfter(ownerPage, () => ownerPage.reload());
  expect(again.get("sort")).toBe("-code");
  await expect(code).toHaveAttribute("aria-sort", "descending");
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 3, 1));

  const third = await listQueryAfter(ownerPage, () => sort.click());
  expect(third.has("sort")).toBe(false);
  await expect(code).not.toHaveAttribute("aria-sort");
  expect(searchParam(ownerPage, "sort")).toBeNull();
});

test("LS1 Shift adds a second key to the sort, and each shows its place @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  for (const [name, status] of [
    ["b", "draft"],
    ["a", "active"],
    ["c", "draft"],
    ["d", "active"],
  ] as const)
    await insertApp(product, { name: `${word} ${name}`, status });
  await openList(ownerPage, { q: word });
  await columnHeader(ownerPage, "Status").getByRole("button").click();
  await expect(columnHeader(ownerPage, "Status")).toHaveAttribute("aria-sort", "ascending");
  const name = columnHeader(ownerPage, "App").getByRole("button");
  await name.click({ modifiers: ["Shift"] });
  await expect(columnHeader(ownerPage, "App")).toHaveAttribute("aria-sort", "ascending");
  const asked = await listQueryAfter(ownerPage, () => name.click({ modifiers: ["Shift"] }));
  expect(asked.get("sort")).toBe("status,-name");
  await expect(rowNames(ownerPage)).toHaveText(["d", "a", "c", "b"].map((one) => `${word} ${one}`));

  await ownerPage.reload();
  await expect(columnHeader(ownerPage, "Status")).toHaveAttribute("aria-sort", "ascending");
  await expect(columnHeader(ownerPage, "Status")).toHaveText("Status1");
  await expect(columnHeader(ownerPage, "App")).toHaveAttribute("aria-sort", "descending");
  await expect(columnHeader(ownerPage, "App")).toHaveText("App2");
  await expect(rowNames(ownerPage)).toHaveText(["d", "a", "c", "b"].map((one) => `${word} ${one}`));
});

const scrolledBy = (page: Page) => listRegion(page).evaluate(({ scrollTop }) => scrollTop);

for (const way of ["by its link", "by a click beside it", "by keyboard"] as const)
  test(`LS2 coming back from a row that was opened ${way} finds the same rows, scroll and focus @nightly`, async ({
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

test("LS3 the address shows the same table to another person @nightly", async ({
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
    chips: await page.getByRole("button", { name: /^Remove the filter/ }).count(),
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

test("S2.3 the paginator of 123 records: five pages of 25, thirteen of 10, and the last one for any beyond", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 123);
  await openList(ownerPage, { q: word, sort: "name" });
  const pages = ownerPage.getByRole("navigation", { name: "Pages" });
  const numbers = pages.getByRole("button", { name: /^Page \d/ });
  const step = (name: string) => pages.getByRole("button", { name: `${name} page` });
  await expect(numbers).toHaveText(["1", "2", "3", "4", "5"]);
  await expect(pages.locator("[aria-current=page]")).toHaveText("1");
  await expect(ownerPage.getByText("1–25 of 123")).toBeVisible();
  await expect(step("First")).toBeDisabled();
  await expect(step("Previous")).toBeDisabled();

  await step("Next").click();
  await expect(ownerPage).toHaveURL(/[?&]page=2(&|$)/);
  await expect(rowNames(ownerPage).first()).toHaveText(`${word} 0026`);
  await expect(pages.locator("[aria-current=page]")).toHaveText("2");
  await expect(step("First")).toBeEnabled();
  await ownerPage.reload();
  await expect(rowNames(ownerPage).first()).toHaveText(`${word} 0026`);

  await ownerPage.getByLabel("Rows per page").selectOption("10");
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 10));
  await expect(numbers).toHaveText(["1", "2", "3", "4", "5"]);
  await numbers.last().click();
  await expect(numbers).toHaveText(["3", "4", "5", "6", "7"]);
  await openList(ownerPage, { q: word, sort: "name", size: "10", page: "13" });
  await expect(numbers).toHaveText(["9", "10", "11", "12", "13"]);
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 121, 123));
  await expect(step("Next")).toBeDisabled();
  await expect(step("Last")).toBeDisabled();

  await openList(ownerPage, { q: word, sort: "name", page: "99" });
  await expect(ownerPage).toHaveURL(/[?&]page=5(&|$)/);
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 101, 123));
  await expect(pages.locator("[aria-current=page]")).toHaveText("5");
});

test("S2.3 a single page has its paginator too @nightly", async ({ ownerPage, product }) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 2);
  await openList(ownerPage, { q: word });
  const pages = ownerPage.getByRole("navigation", { name: "Pages" });
  await expect(pages.getByRole("button", { name: "Page 1" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  for (const step of ["First", "Previous", "Next", "Last"])
    await expect(pages.getByRole("button", { name: `${step} page` })).toBeDisabled();
});

test("LS6 from the last page backwards no row comes twice or is left out while others are inserted @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 45);
  await openList(ownerPage, { q: word, sort: "name", size: "10" });
  const pages = ownerPage.getByRole("navigation", { name: "Pages" });
  const step = (name: string) => pages.getByRole("button", { name: `${name} page` });
  const insertAround = async () => {
    // Before, inside, and after what was already shown.
    for (const place of ["0000", "0036b", "0046"])
      await insertApp(product, { name: `${word} ${place}${uniqueWord()}` });
  };

  await step("Last").click();
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 36, 45));
  await insertAround();
  await step("Previous").click();
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 26, 35));
  await insertAround();
  await step("Previous").click();
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 16, 25));
  await insertAround();
  await step("Next").click();
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 26, 35));
});

const openExport = async (page: Page) => {
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export apps" });
  await expect(dialog).toBeVisible();
  return dialog;
};

/** The lines of the file that the dialog's button gives. */
const download = async (page: Page, format: "CSV" | "JSON Lines") => {
  const started = page.waitForEvent("download");
  await page
    .getByRole("dialog", { name: "Export apps" })
    .getByRole("link", { name: `Download ${format}` })
    .click();
  const file = await started;
  expect(file.suggestedFilename()).toMatch(format === "CSV" ? /\.csv$/ : /\.jsonl$/);
  const text = await readFile(await file.path(), "utf8");
  await expect(page.getByRole("dialog", { name: "Export apps" })).toBeHidden();
  return text.trimEnd().split(/\r?\n/);
};

test("LS7 a filter's rows are exported as so many lines: CSV with its header, JSON Lines without", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  // More than a page, and one that the filter leaves out.
  await makeManyApps(product, word, 31);
  await insertApp(product, { name: `${word} draft`, status: "draft" });
  await openList(ownerPage, { q: word, f: "status:any:active", sort: "name" });
  const dialog = await openExport(ownerPage);
  await expect(
    dialog.getByRole("radio", { name: "This search and filter: 31 rows" }),
  ).toBeChecked();
  const csv = await download(ownerPage, "CSV");
  expect(csv).toHaveLength(32);
  expect(csv[0]?.split(",")).toEqual(["code", "name", "platforms", "status", "keys", "updatedAt"]);
  expect(csv[1]).toContain(`${word} 0001`);
  expect(csv[31]).toContain(`${word} 0031`);

  await openExport(ownerPage);
  await dialog.getByRole("radio", { name: "JSON Lines, for programs" }).check();
  await dialog.getByRole("radio", { name: /^All \d+$/ }).check();
  const lines = (await download(ownerPage, "JSON Lines")).map((line) => JSON.parse(line));
  expect(lines.map(({ name }) => name)).toEqual(numberedNames(word, 1, 31));
  expect(lines[0]).toMatchObject({ code: `${word.toLowerCase()}-0001`, status: "active" });
});

test("LS7 of a selection the selected rows are exported, and all of them only when asked @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 5);
  await openList(ownerPage, { q: word, sort: "name" });
  for (const one of [2, 4])
    await rowOf(ownerPage, `${word} 000${one}`).getByRole("checkbox").click();
  const dialog = await openExport(ownerPage);
  await expect(dialog.getByRole("radio", { name: "The selection: 2 rows" })).toBeChecked();
  await dialog.getByRole("radio", { name: "JSON Lines, for programs" }).check();
  const chosen = (await download(ownerPage, "JSON Lines")).map((line) => JSON.parse(line).name);
  expect(chosen).toEqual([`${word} 0002`, `${word} 0004`]);

  await openExport(ownerPage);
  await dialog.getByRole("radio", { name: "This search and filter: 5 rows" }).check();
  expect(await download(ownerPage, "CSV")).toHaveLength(6);

  await openExport(ownerPage);
  await dialog.getByRole("radio", { name: "All apps" }).check();
  const { total } = await callApi<{ total: { count: number } }>(ownerPage, {
    path: "/apps?size=1&count=exact",
  });
  expect(await download(ownerPage, "CSV")).toHaveLength(total.count + 1);
});
