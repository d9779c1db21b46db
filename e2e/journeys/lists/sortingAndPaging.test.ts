import { expect } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makeManyApps } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import {
  columnHeader,
  insertApp,
  listQueryAfter,
  listRegion,
  numberedNames,
  openList,
  rowNames,
  searchParam,
  uniqueWord,
} from "../../pages/lists.ts";

// @nightly: The gate covers sorting, paging and export once; this is a variant.

test("S2.2 A list is a table with the rows of the API's page", async ({ ownerPage, product }) => {
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

test("LS1 A column header sorts by request and URL: ascending, descending, unsorted, and after a reload", async ({
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

test("LS1 Shift adds a second sort key, and each shows its position @nightly", async ({
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

test("S2.3 The paginator of 123 records has 5 pages of 25 or 13 of 10, and shows the last page beyond the end", async ({
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

test("S2.3 A page, size or day that doesn't exist opens the first page @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 30);
  for (const wrong of [{ page: "abc" }, { page: "0" }, { size: "1000" }, { at: "2026-13-99" }]) {
    await openList(ownerPage, { q: word, sort: "name", ...wrong });
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 25));
    await expect(ownerPage).toHaveURL(`/apps?q=${word}&sort=name`);
  }
});

test("S2.3 A single page has a paginator too @nightly", async ({ ownerPage, product }) => {
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

test("LS6 Paging backward from the last page repeats or skips no row during inserts @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 45);
  await openList(ownerPage, { q: word, sort: "name", size: "10" });
  const pages = ownerPage.getByRole("navigation", { name: "Pages" });
  const step = (name: string) => pages.getByRole("button", { name: `${name} page` });
  const insertAround = async () => {
    // Before, inside and after the rows that were already shown.
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
