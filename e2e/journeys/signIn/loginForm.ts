import { expect, type Page } from "@playwright/test";

export const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

export const openLogin = async (page: Page, query = "") => {
  await page.goto(`/login${query}`);
  await expect(heading(page, "Sign in")).toBeVisible();
};
