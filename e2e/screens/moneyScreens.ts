import { expect, type Page } from "@playwright/test";
import type { Sale } from "../data/transactions.ts";

type Screen = { name: string; open: (page: Page, records: { sale: Sale }) => Promise<void> };

const openScreen = async (page: Page, path: string, name: string) => {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
};

/** The addresses of transactions. */
export const moneyScreens: Screen[] = [
  {
    name: "transaction list",
    open: async (page, { sale }) => {
      await openScreen(page, `/transaction?q=${sale.number}`, "Transactions");
      await expect(page.getByRole("row").filter({ hasText: sale.number })).toBeVisible();
    },
  },
  {
    name: "new transaction form",
    open: (page) => openScreen(page, "/transaction/create", "New transaction"),
  },
  {
    name: "transaction edit form",
    open: (page, { sale }) =>
      openScreen(page, `/transaction/edit/${sale.id}`, `Edit ${sale.number}`),
  },
  {
    name: "transaction overview",
    open: async (page, { sale }) => {
      await openScreen(page, `/transaction/view/${sale.id}`, "14.28 EUR");
      await expect(page.getByRole("row", { name: /^Paid/ })).toBeVisible();
    },
  },
  {
    name: "transaction activity",
    open: async (page, { sale }) => {
      await openScreen(page, `/transaction/view/${sale.id}?tab=activity`, "14.28 EUR");
      await expect(page.locator("main time").first()).toBeVisible();
    },
  },
];

/** The overlays of those screens. */
export const moneyOverlays: Screen[] = [
  {
    name: "refund dialog",
    open: async (page, { sale }) => {
      await openScreen(page, `/transaction/view/${sale.id}`, "14.28 EUR");
      await page.getByRole("button", { name: "Refund", exact: true }).click();
      await expect(page.getByRole("radio", { name: /^Full/ })).toBeFocused();
      await expect(page.getByRole("textbox", { name: /^Refund of/ })).toBeVisible();
    },
  },
  {
    name: "package change dialog",
    open: async (page, { sale }) => {
      await openScreen(page, `/transaction/view/${sale.id}`, "14.28 EUR");
      await page.getByRole("button", { name: "Subscription actions" }).click();
      await page.getByRole("menuitem", { name: "Change package…" }).click();
      const dialog = page.getByRole("dialog", { name: "Change package" });
      await dialog.getByRole("radio", { name: /^On/ }).check();
      await dialog.getByRole("combobox", { name: "Interval" }).selectOption("year 1");
      await expect(dialog.getByRole("row", { name: /^Due now/ })).toBeVisible();
    },
  },
];
