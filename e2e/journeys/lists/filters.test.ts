import { expect, type Locator, type Page } from "@playwright/test";
import { callApi } from "../../data/apps.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import {
  insertApp,
  listQueryAfter,
  listRegion,
  openList,
  rowNames,
  uniqueWord,
} from "../../pages/lists.ts";

// @nightly: The gate adds, changes and removes filters; each kind of filter is covered over HTTP.

/** Four apps that differ in everything a list is filtered by. */
const makeVaried = async (product: Product, word: string) => {
  const apps = [
    { name: "a", status: "draft", platforms: ["web", "ios"], createdAt: "2024-03-10T12:00:00Z" },
    { name: "b", status: "active", platforms: ["android"], createdAt: "2024-03-20T12:00:00Z" },
    { name: "c", status: "archived", platforms: [], createdAt: "2024-04-05T12:00:00Z" },
    { name: "d", status: "active", platforms: ["ios"], createdAt: new Date().toISOString() },
  ] as const;
  for (const { name, platforms, ...rest } of apps)
    await insertApp(product, {
      ...rest,
      name: `${word} ${name}`,
      platforms: [...platforms],
      ...(name === "b" && { supportEmail: `help@${word}.example.com` }),
    });
};

const namesOf = (word: string, letters: string) => [...letters].map((one) => `${word} ${one}`);

const addFilter = async (
  page: Page,
  { field, operator, fill }: { field: string; operator: string; fill: (popup: Locator) => unknown },
) => {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const popup = page.getByRole("dialog", { name: "Add a filter" });
  await popup.getByRole("button", { name: field, exact: true }).click();
  await popup.getByLabel("Operator").selectOption({ label: operator });
  await fill(popup);
  await popup.getByRole("button", { name: "Apply filter" }).click();
  await expect(popup).toBeHidden();
};

const type = (value: string) => (popup: Locator) => popup.getByLabel("Value").fill(value);
const tick =
  (...options: string[]) =>
  async (popup: Locator) => {
    for (const name of options) await popup.getByRole("checkbox", { name }).check();
  };
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
      "Support mail",
      "contains",
      type(word),
      "b",
      `Support mail contains ${word}`,
      `supportEmail:contains:${word}`,
    ],
    [
      "Support mail",
      "starts with",
      type("help@"),
      "b",
      "Support mail starts with help@",
      "supportEmail:starts:help@",
    ],
    ["Support mail", "is empty", nothing, "acd", "Support mail is empty", "supportEmail:empty:"],
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
    ["Platforms", "has", tick("iOS"), "ad", "Platforms has iOS", "platforms:any:ios"],
    [
      "Platforms",
      "has not",
      tick("iOS", "Android"),
      "c",
      "Platforms has not iOS or Android",
      "platforms:none:ios,android",
    ],
  ],
  date: () => [
    ["Created", "on", type("2024-03-10"), "a", "Created on 2024-03-10", "createdAt:on:2024-03-10"],
    [
      "Created",
      "before",
      type("2024-03-20"),
      "a",
      "Created before 2024-03-20",
      "createdAt:before:2024-03-20",
    ],
    [
      "Created",
      "after",
      type("2024-03-20"),
      "cd",
      "Created after 2024-03-20",
      "createdAt:after:2024-03-20",
    ],
    [
      "Created",
      "between",
      async (popup) => {
        await popup.getByLabel("Value").fill("2024-03-15");
        await popup.getByLabel("Up to").fill("2024-04-05");
      },
      "bc",
      "Created between 2024-03-15 and 2024-04-05",
      "createdAt:between:2024-03-15,2024-04-05",
    ],
    ["Created", "in the last", type("7"), "d", "Created in the last 7 days", "createdAt:last:7"],
    ["Changed", "in this", select("year"), "d", "Changed in this year", "updatedAt:this:year"],
  ],
};

for (const [kind, casesFor] of Object.entries(kinds))
  test(`a filter by ${kind} shows its rows and reads as a sentence @nightly`, async ({
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

test("filters add up, and each can be changed, and taken away by Backspace or its button", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeVaried(product, word);
  await openList(ownerPage, { q: word, sort: "name" });
  const chip = (name: string) => ownerPage.getByRole("button", { name, exact: true });
  await addFilter(ownerPage, { field: "Platforms", operator: "has", fill: tick("iOS") });
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

  await chip("Platforms has iOS").press("Backspace");
  await expect(chip("Platforms has iOS")).toBeHidden();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "bd"));
  await ownerPage.getByRole("button", { name: "Remove the filter Status is Active" }).click();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "abcd"));

  // Each of these can be gone back to.
  await ownerPage.goBack();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "bd"));
  await expect(chip("Status is Active")).toBeVisible();
  await ownerPage.goBack();
  await expect(rowNames(ownerPage)).toHaveText(namesOf(word, "d"));
});

test("a view's tab filters, and shows how many it holds @nightly", async ({
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
  ]);
  await expect(tabs.getByRole("link", { name: /^All/ })).toHaveAttribute("aria-current", "page");
  const tab = tabs.getByRole("link", { name: /^Archived/ });
  const asked = await listQueryAfter(ownerPage, () => tab.click());
  expect(asked.getAll("f")).toEqual(["status:any:archived"]);
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expect(tabs.locator("[aria-current]")).toHaveCount(1);
  await expect(rowNames(ownerPage).filter({ hasText: `${word} c` })).toBeVisible();
  // The rows from before stand until the new ones are there.
  await expect(listRegion(ownerPage).getByRole("cell", { name: /^(Active|Draft)$/ })).toHaveCount(
    0,
  );
  const shown = Math.min(25, counts["archived"]?.count ?? 0);
  await expect(
    listRegion(ownerPage).getByRole("cell", { name: "Archived", exact: true }),
  ).toHaveCount(shown);
  await expect(rowNames(ownerPage)).toHaveCount(shown);
});

test("where nothing matches, the list tells how many would without each part, and takes one away", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeVaried(product, word);
  await openList(ownerPage, {
    f: [`name:contains:${word}`, "status:any:archived", "platforms:any:ios"],
  });
  const empty = listRegion(ownerPage);
  await expect(empty.getByRole("heading", { name: "No app matches" })).toBeVisible();
  const part = (name: string) => empty.getByRole("listitem").filter({ hasText: name });
  await expect(part("Platforms has iOS")).toContainText("1 match without it");
  await expect(part("Status is Archived")).toContainText("2 match without it");
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
