import { expect, type Page } from "@playwright/test";
import { heading } from "../../data/packageVersions.ts";
import { readPromotion } from "../../data/promotions.ts";
import { summaryOf } from "../../pages/forms.ts";

export const create = (page: Page) =>
  page.getByRole("button", { name: "Create promotion" }).click();

export const openCreate = async (page: Page) => {
  await page.goto("/promotion/create");
  await expect(heading(page)).toHaveText("New promotion");
};

export const told = async (page: Page) => {
  await expect(summaryOf(page)).toBeVisible();
  return summaryOf(page).getByRole("link").allInnerTexts();
};

export const storedAt = async (page: Page) => {
  await expect(page).toHaveURL(/\/promotion\?preview=/);
  return readPromotion(page, new URL(page.url()).searchParams.get("preview") ?? "");
};
