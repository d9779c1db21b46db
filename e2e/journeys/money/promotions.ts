import type { Page } from "@playwright/test";
import { openList } from "../../pages/lists.ts";

export const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/promotion");

export const drawer = (page: Page, name: string) =>
  page.getByRole("dialog", { name: `Preview of ${name}` });
