import { expect, type Page } from "@playwright/test";
import type { Feature } from "../../data/features.ts";

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });
export const appPicker = (page: Page) => page.getByRole("combobox", { name: "App" });
/** Chooses the kind. Its radio button is named by the kind and its help text. */
export const choose = (page: Page, kind: string) =>
  page.getByRole("radio", { name: new RegExp(`^${kind} `) }).check();
export const rail = (page: Page) => page.locator(".record-rail");
export const amount = (page: Page) =>
  page.getByRole("textbox", { name: /^(Default value|Default allowance)$/ });

export const openCreate = async (page: Page, search = "") => {
  await page.goto(`/feature/create${search}`);
  await expect(heading(page)).toHaveText("New feature");
};

export const openEdit = async (page: Page, { id, name }: Feature) => {
  await page.goto(`/feature/edit/${id}`);
  await expect(heading(page)).toHaveText(`Edit ${name}`);
};
