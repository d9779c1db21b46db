import type { Page } from "@playwright/test";

export const createButton = (page: Page) => page.getByRole("button", { name: "Create app" });
export const leaveDialog = (page: Page) =>
  page.getByRole("dialog", { name: "Leave without saving?" });
export const answer = (page: Page, name: string) => leaveDialog(page).getByRole("button", { name });
