import { type Page, expect as quick } from "@playwright/test";

/** A shared machine may be slow. */
export const expect = quick.configure({ timeout: 30_000 });

export type Screenshot = {
  name: string;
  as: "marta" | "ines" | null;
  path: string;
  /** Brings the page into the state of the screenshot. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Before the page is opened. */
  before?: (page: Page) => Promise<unknown>;
  after?: () => Promise<unknown>;
  /** Shows a page that is still loading. Pictures of all others wait until it is loaded. */
  isLoading?: true;
  /** Also in the dark and on a phone. */
  allVariants?: true;
  /** The relevant part is further down the page. */
  keepsScroll?: true;
};

export const heading = (page: Page, name: string) =>
  expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
export const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).click();
export const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** Fails if the page still shows a placeholder after a while, so that no picture is saved of one. */
export const expectLoaded = async (page: Page) => {
  await expect(page.getByText(/^loading(\.\.\.|…)$/i).filter({ visible: true })).toHaveCount(0);
  await expect(page.locator(".skeleton").filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);
};
