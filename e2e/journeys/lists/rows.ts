import { expect, type Locator, type Page } from "@playwright/test";
import { makeManyApps } from "../../data/apps.ts";
import type { Product } from "../../environment/product.ts";
import { numberedNames, openList, rowNames, uniqueWord } from "../../pages/lists.ts";

/** Opens a list of new apps sorted by name and returns the unique word in their names. */
export const openRows = async (page: Page, product: Product, amount: number) => {
  const word = uniqueWord();
  await makeManyApps(product, word, amount);
  await openList(page, { q: word, sort: "name" });
  await expect(rowNames(page)).toHaveText(numberedNames(word, 1, amount));
  return word;
};

export const boxOf = (row: Locator) => row.getByRole("checkbox");
export const selectedIn = (page: Page) => page.getByRole("toolbar", { name: "Selected rows" });

export const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

export const holdsFocus = (place: Locator) =>
  place.evaluate((element) => element.contains(document.activeElement));
