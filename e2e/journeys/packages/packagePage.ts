import type { Page } from "@playwright/test";

export const section = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
export const menuItem = async (page: Page, name: string) => {
  await page.getByRole("button", { name: "More actions" }).click();
  return page.getByRole("menuitem", { name });
};
