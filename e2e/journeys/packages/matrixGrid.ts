import { expect, type Page } from "@playwright/test";

export const five = ["limit", "limit", "limit", "limit", "limit"] as const;

/** Tab from the head of the page into the grid. */
export const enterGrid = async (page: Page) => {
  await page.getByRole("button", { name: "More actions" }).focus();
  await page.keyboard.press("Tab");
};

export const unsaved = (page: Page, amount: number) =>
  expect(
    page.getByRole("button", { name: `${amount} unsaved change${amount === 1 ? "" : "s"}` }),
  ).toBeVisible();
