import { expect, type Locator } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { listQueryAfter, openList, rowNames, uniqueWord } from "../../pages/lists.ts";
import { addFilter, makeVaried, namesOf, tick } from "./filters.ts";

// @nightly: The gate adds, changes and removes filters; each kind of filter is covered over HTTP.

const type = (value: string) => (popup: Locator) => popup.getByLabel("Value").fill(value);
const select = (value: string) => (popup: Locator) => popup.getByLabel("Value").selectOption(value);
const nothing = () => undefined;

type Case = [
  field: string,
  operator: string,
  fill: (popup: Locator) => unknown,
  shown: string,
  chip: string,
  asked: string,
];

const kinds: Record<string, (word: string) => Case[]> = {
  text: (word) => [
    ["Name", "is", type(`${word} c`), "c", `Name is ${word} c`, `name:is:${word} c`],
    ["Name", "is not", type(`${word} c`), "abd", `Name is not ${word} c`, `name:not:${word} c`],
    [
      "Support email",
      "contains",
      type(word),
      "b",
      `Support email contains ${word}`,
      `supportEmail:contains:${word}`,
    ],
    [
      "Support email",
      "starts with",
      type("help@"),
      "b",
      "Support email starts with help@",
      "supportEmail:starts:help@",
    ],
    ["Support email", "is empty", nothing, "acd", "Support email is empty", "supportEmail:empty:"],
  ],
  choice: () => [
    [
      "Status",
      "is",
      tick("Draft", "Archived"),
      "ac",
      "Status is Draft or Archived",
      "status:any:draft,archived",
    ],
    ["Status", "is not", tick("Active"), "ac", "Status is not Active", "status:none:active"],
  ],
  set: () => [
    ["Platforms", "includes", tick("iOS"), "ad", "Platforms includes iOS", "platforms:any:ios"],
    [
      "Platforms",
      "doesn't include",
      tick("iOS", "Android"),
      "c",
      "Platforms doesn't include iOS or Android",
      "platforms:none:ios,android",
    ],
  ],
  date: () => [
    [
      "Created",
      "on",
      type("2024-03-10"),
      "a",
      "Created on Mar 10, 2024",
      "createdAt:on:2024-03-10",
    ],
    [
      "Created",
      "before",
      type("2024-03-20"),
      "a",
      "Created before Mar 20, 2024",
      "createdAt:before:2024-03-20",
    ],
    [
      "Created",
      "after",
      type("2024-03-20"),
      "cd",
      "Created after Mar 20, 2024",
      "createdAt:after:2024-03-20",
    ],
    [
      "Created",
      "between",
      async (popup) => {
        await popup.getByLabel("From").fill("2024-03-15");
        await popup.getByLabel("To", { exact: true }).fill("2024-04-05");
      },
      "bc",
      "Created between Mar 15, 2024 and Apr 5, 2024",
      "createdAt:between:2024-03-15,2024-04-05",
    ],
    ["Created", "in the last", type("7"), "d", "Created in the last 7 days", "createdAt:last:7"],
    ["Updated", "in the current", select("year"), "d", "Updated this year", "updatedAt:this:year"],
  ],
};

for (const [kind, casesFor] of Object.entries(kinds))
  test(`A filter by ${kind} shows the matching rows and reads as a sentence @nightly`, async ({
    ownerPage,
    product,
  }) => {
    const word = uniqueWord();
    await makeVaried(product, word);
    await openList(ownerPage, { q: word, sort: "name" });
    for (const [field, operator, fill, shown, chip, filter] of casesFor(word)) {
      await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "abcd"));
      const asked = await listQueryAfter(ownerPage, () =>
        addFilter(ownerPage, { field, operator, fill }),
      );
      expect(asked.getAll("f")).toEqual([filter]);
      await expect(rowNames(ownerPage)).toHaveText(namesOf(word, shown));
      await expect(ownerPage.getByRole("button", { name: chip, exact: true })).toBeVisible();
      expect(new URL(ownerPage.url()).searchParams.getAll("f")).toEqual([filter]);
      await ownerPage.getByRole("button", { name: "Clear all" }).click();
    }
    await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "abcd"));
  });
