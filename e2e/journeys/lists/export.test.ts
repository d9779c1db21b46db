import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makeManyApps } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { insertApp, numberedNames, openList, rowOf, uniqueWord } from "../../pages/lists.ts";

// @nightly: The gate covers sorting, paging and export once; this is a variant.

const openExport = async (page: Page) => {
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export apps" });
  await expect(dialog).toBeVisible();
  return dialog;
};

type Format = "CSV" | "JSON Lines";

/** The lines of the exported file. Rows that the list hasn't counted are exported with **Start export**. */
const download = async (page: Page, format: Format, { counted = true } = {}) => {
  const dialog = page.getByRole("dialog", { name: "Export apps" });
  const started = page.waitForEvent("download");
  await (counted
    ? dialog.getByRole("link", { name: `Download ${format}` })
    : dialog.getByRole("button", { name: "Start export" })
  ).click();
  const file = await started;
  expect(file.suggestedFilename()).toMatch(format === "CSV" ? /\.csv$/ : /\.jsonl$/);
  const text = await readFile(await file.path(), "utf8");
  await expect(page.getByRole("dialog", { name: "Export apps" })).toBeHidden();
  return text.trimEnd().split(/\r?\n/);
};

test("LS7 Filtered rows are exported, one per line: CSV with a header, JSON Lines without", async ({
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
    dialog.getByRole("radio", { name: "Current search and filters (31)" }),
  ).toBeChecked();
  const csv = await download(ownerPage, "CSV");
  expect(csv).toHaveLength(32);
  expect(csv[0]?.split(",")).toEqual(["name", "code", "status", "platforms", "keys", "updatedAt"]);
  expect(csv[1]).toContain(`${word} 0001`);
  expect(csv[31]).toContain(`${word} 0031`);

  await openExport(ownerPage);
  await dialog.getByRole("radio", { name: "JSON Lines for scripts" }).check();
  await dialog.getByRole("radio", { name: /^All columns \(\d+\)$/ }).check();
  const lines = (await download(ownerPage, "JSON Lines")).map((line) => JSON.parse(line));
  expect(lines.map(({ name }) => name)).toEqual(numberedNames(word, 1, 31));
  expect(lines[0]).toMatchObject({ code: `${word.toLowerCase()}-0001`, status: "active" });
});

test("LS7 An export contains only the selected rows unless all are requested @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 5);
  await openList(ownerPage, { q: word, sort: "name" });
  for (const one of [2, 4])
    await rowOf(ownerPage, `${word} 000${one}`).getByRole("checkbox").click();
  const dialog = await openExport(ownerPage);
  await expect(dialog.getByRole("radio", { name: "Selected rows (2)" })).toBeChecked();
  await dialog.getByRole("radio", { name: "JSON Lines for scripts" }).check();
  const chosen = (await download(ownerPage, "JSON Lines")).map((line) => JSON.parse(line).name);
  expect(chosen).toEqual([`${word} 0002`, `${word} 0004`]);

  await openExport(ownerPage);
  await dialog.getByRole("radio", { name: "Current search and filters (5)" }).check();
  expect(await download(ownerPage, "CSV")).toHaveLength(6);

  await openExport(ownerPage);
  await dialog.getByRole("radio", { name: "All rows" }).check();
  const { total } = await callApi<{ total: { count: number } }>(ownerPage, {
    path: "/apps?size=1&count=exact",
  });
  expect(await download(ownerPage, "CSV", { counted: false })).toHaveLength(total.count + 1);
});

test("LS7 An export has all rows that match once they are selected @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 12);
  await openList(ownerPage, { q: word, sort: "name", size: "10" });
  await ownerPage.getByRole("checkbox", { name: "Select all on this page" }).click();
  await ownerPage.getByRole("button", { name: "Select all 12 that match" }).click();
  const dialog = await openExport(ownerPage);
  await expect(
    dialog.getByRole("radio", { name: "Current search and filters (12)" }),
  ).toBeChecked();
  await expect(dialog.getByRole("radio", { name: /^Selected rows/ })).toHaveCount(0);
  expect(await download(ownerPage, "CSV")).toHaveLength(13);
});
