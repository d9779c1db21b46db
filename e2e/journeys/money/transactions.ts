import type { Page } from "@playwright/test";

export const dialog = (page: Page, name: string) =>
  page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name }));
export const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).click();
