import { expect, type Page } from "@playwright/test";
import type { Change, Package } from "../data/packages.ts";

export const grid = (page: Page) => page.getByRole("treegrid");

/** The cell of a feature in the draft's column. */
export const cellOf = (page: Page, { name }: { name: string }) =>
  grid(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name }) })
    .locator("[data-kind=draft]");

/** The visual switch of a cell. Screen readers use the cell's accessible name. */
export const switchOf = (page: Page, feature: { name: string }) =>
  cellOf(page, feature).locator(".matrix-switch");

export const impactPanel = (page: Page) =>
  page.getByRole("complementary", { name: "Consequences" });

export const openMatrix = async (page: Page, { id, name }: Package, search = "") => {
  await page.goto(`/package/apps/${id}${search}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Apps and features of ${name}`);
  await expect(grid(page)).toBeVisible();
};

/** Records the requests that save a draft. */
export const watchSaves = (page: Page) => {
  const saves: Required<Change>[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/matrix"))
      saves.push(request.postDataJSON());
  });
  return saves;
};
