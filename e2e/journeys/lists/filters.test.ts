import { expect } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { test } from "../../fixtures/test.ts";
import { listQueryAfter, listRegion, openList, rowNames, uniqueWord } from "../../pages/lists.ts";
import { addFilter, makeVaried, namesOf, tick } from "./filters.ts";

// @nightly: The gate adds, changes and removes filters; each kind of filter is covered over HTTP.

test("Filters are combined, changed and removed by Backspace or a button", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeVaried(product, word);
  await openList(ownerPage, { q: word, sort: "name" });
  const chip = (name: string) => ownerPage.getByRole("button", { name, exact: true });
  await addFilter(ownerPage, { field: "Platforms", operator: "includes", fill: tick("iOS") });
  await addFilter(ownerPage, { field: "Status", operator: "is", fill: tick("Draft") });
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "a"));

  await chip("Status is Draft").click();
  const popup = ownerPage.getByRole("dialog", { name: "Filter by Status" });
  await expect(popup.getByRole("checkbox", { name: "Draft" })).toBeChecked();
  await popup.getByRole("checkbox", { name: "Draft" }).uncheck();
  await popup.getByRole("checkbox", { name: "Active" }).check();
  await popup.getByRole("button", { name: "Apply filter" }).click();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "d"));
  await expect(chip("Status is Draft")).toBeHidden();
  await expect(chip("Status is Active")).toBeVisible();

  await chip("Platforms includes iOS").press("Backspace");
  await expect(chip("Platforms includes iOS")).toBeHidden();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "bd"));
  await ownerPage.getByRole("button", { name: "Remove filter Status is Active" }).click();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "abcd"));

  // Each of these can be gone back to.
  await ownerPage.goBack();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "bd"));
  await expect(chip("Status is Active")).toBeVisible();
  await ownerPage.goBack();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "d"));
});

test("A view's tab applies its filter and shows the number of rows @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeVaried(product, word);
  await openList(ownerPage, { q: word });
  const counts = await callApi<Record<string, { count: number }>>(ownerPage, {
    path: "/apps/counts",
  });
  const tabs = ownerPage.getByRole("navigation", { name: "Views" });
  await expect(tabs.getByRole("link")).toHaveText([
    `All${Object.values(counts).reduce((sum, { count }) => sum + count, 0)}`,
    `Active${counts["active"]?.count}`,
    `Draft${counts["draft"]?.count}`,
    `Archived${counts["archived"]?.count}`,
    "Suspended",
  ]);
  await expect(tabs.getByRole("link", { name: /^All/ })).toHaveAttribute("aria-current", "page");
  const tab = tabs.getByRole("link", { name: /^Archived/ });
  const asked = await listQueryAfter(ownerPage, () => tab.click());
  expect(asked.getAll("f")).toEqual(["status:any:archived"]);
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(tabs.locator("[aria-current]")).toHaveCount(1);
  await expect(rowNames(ownerPage).filter({ hasText: `${word} c` })).toBeVisible();
  // The previous rows stay until the new ones are loaded.
  await expect(listRegion(ownerPage).getByRole("cell", { name: /^(Active|Draft)$/ })).toHaveCount(
    0,
  );
  const shown = Math.min(25, counts["archived"]?.count ?? 0);
  await expect(
    listRegion(ownerPage).getByRole("cell", { name: "Archived", exact: true }),
  ).toHaveCount(shown);
  await expect(rowNames(ownerPage)).toHaveCount(shown);
});

test("A list without results shows how many rows match without each filter, and removes one @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeVaried(product, word);
  await openList(ownerPage, {
    f: [`name:contains:${word}`, "status:any:archived", "platforms:any:ios"],
  });
  const empty = listRegion(ownerPage);
  await expect(empty.getByRole("heading", { name: "No matches" })).toBeVisible();
  const part = (name: string) => empty.getByRole("listitem").filter({ hasText: name });
  await expect(part("Platforms includes iOS")).toContainText("1 match without it");
  await expect(part("Status is Archived")).toContainText("2 matches without it");
  await part("Status is Archived").getByRole("button").click();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "da"));
  expect(new URL(ownerPage.url()).searchParams.getAll("f")).toEqual([
    `name:contains:${word}`,
    "platforms:any:ios",
  ]);

  await ownerPage.goBack();
  await expect(part("Status is Archived")).toBeVisible();
  await empty.getByRole("button", { name: "Clear search and filters" }).click();
  await expect(rowNames(ownerPage).first()).toBeVisible();
  expect(new URL(ownerPage.url()).search).toBe("");
});
