import { expect, type Locator, type Page } from "@playwright/test";
import type { Package } from "../../data/packages.ts";
import { summaryOf } from "../../pages/forms.ts";

export const amountOf = (page: Page, place: number) => page.getByLabel(`Price ${place}: amount`);
export const currencyOf = (page: Page, place: number) =>
  page.getByRole("combobox", { name: `Price ${place}: currency` });

export const pickCurrency = async (page: Page, place: number, code: string, typed = code) => {
  await currencyOf(page, place).fill(typed);
  await page.getByRole("option", { name: code }).first().click();
  await expect(currencyOf(page, place)).toHaveValue(code);
};

export type Stored = Package & Record<string, unknown>;

export const told = async (page: Page) => {
  await expect(summaryOf(page)).toBeVisible();
  return summaryOf(page).getByRole("link").allInnerTexts();
};

/** Types key by key and leaves the field. */
export const type = async (field: Locator, text: string) => {
  await field.fill(text);
  await field.press("Tab");
};
