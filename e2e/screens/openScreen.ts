import { expect, type Page } from "@playwright/test";
import type { App } from "../data/apps.ts";
import type { Records } from "./records.ts";

export const unknownPath = "/no/such/page";
export const unknownAppId = "01900000-0000-7000-8000-000000000000";

export type Screen = { name: string; open: (page: Page, records: Records) => Promise<void> };

export const openScreen = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
};

export const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

export const openAppList = async (page: Page, { word, draft, active }: Records, query = "") => {
  await openScreen(page, `/apps?q=${word}${query}`, "Apps");
  for (const { name } of [draft, active])
    await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
};

export const openApp = async (page: Page, { id, name }: App, query = "") =>
  openScreen(page, `/apps/view/${id}${query}`, name);
