import { expect, type Page } from "@playwright/test";
import type { Feature } from "../../data/features.ts";

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });
export const appPicker = (page: Page) => page.getByRole("combobox", { name: "App" });
export const choose = (page: Page, kind: string) => page.getByRole("radio", { name: kind }).check();
export const rail = (page: Page) => page.locator(".record-rail");
export const amount = (page: Page) => page.getByRole("textbox", { name: /package$/ });

export const openCreate = async (page: Page, search = "") => {
  await page.goto(`/feature/create${search}`);
  await expect(heading(page)).toHaveText("New feature");
};

export const openEdit = async (page: Page, { id, name }: Feature) => {
  await page.goto(`/feature/edit/${id}`);
  await expect(heading(page)).toHaveText(`Edit ${name}`);
};
