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
