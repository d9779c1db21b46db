import type { Page } from "@playwright/test";
import { activateApp, makeApp } from "../../data/apps.ts";
import { makeManyFeatures } from "../../data/features.ts";
import type { Product } from "../../environment/product.ts";
import { rowNames, uniqueWord } from "../../pages/lists.ts";

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });
export const names = (page: Page) => rowNames(page).locator("b");

/** Features in an app of their own, named by a unique word. */
export const makeRows = async (page: Page, product: Product, amount: number) => {
  const word = uniqueWord();
  const app = await activateApp(page, await makeApp(page, { name: `App of ${word}` }));
  await makeManyFeatures(product, app, { word, amount });
  return { word, app };
};
