import { expect, type Page } from "@playwright/test";
import { type App, activateApp, makeApp } from "../../data/apps.ts";

export const openView = async (page: Page, { id, name }: App, search = "") => {
  await page.goto(`/apps/view/${id}${search}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
};
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
export const menuItem = (page: Page, name: string) => page.getByRole("menuitem", { name });
/** Any layer above the page, except the list's preview and the page's own content. */
export const dialog = (page: Page, name: string | RegExp) =>
  page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name }));

export const onView = async (page: Page) => {
  const app = await makeApp(page);
  await openView(page, app);
  return app;
};
export const onActive = async (page: Page) => {
  const app = await activateApp(page, await makeApp(page));
  await openView(page, app);
  return app;
};
