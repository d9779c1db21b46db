import { expect, type Page } from "@playwright/test";
import type { Sale } from "../data/transactions.ts";

type Inside = { name: string; open: (page: Page, records: { sale: Sale }) => Promise<void> };

const show = async (page: Page, path: string, name: string) => {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
};

/** The addresses of transactions. */
export const moneyRooms: Inside[] = [
  {
    name: "the list of transactions",
    open: async (page, { sale }) => {
      await show(page, `/transaction?q=${sale.number}`, "Transactions");
      await expect(page.getByRole("row").filter({ hasText: sale.number })).toBeVisible();
    },
  },
  {
    name: "the new transaction",
    open: (page) => show(page, "/transaction/create", "New transaction"),
  },
  {
    name: "the change of a transaction",
    open: (page, { sale }) => show(page, `/transaction/edit/${sale.id}`, `Edit ${sale.number}`),
  },
  {
    name: "a transaction, overview",
    open: async (page, { sale }) => {
      await show(page, `/transaction/view/${sale.id}`, "14.28 EUR");
      await expect(page.getByRole("row", { name: /^Paid by the user/ })).toBeVisible();
    },
  },
  {
    name: "a transaction, activity",
    open: async (page, { sale }) => {
      await show(page, `/transaction/view/${sale.id}?tab=activity`, "14.28 EUR");
      await expect(page.locator("main time").first()).toBeVisible();
    },
  },
];

/** What opens over them. */
export const moneyLayers: Inside[] = [
  {
    name: "the refund",
    open: async (page, { sale }) => {
      await show(page, `/transaction/view/${sale.id}`, "14.28 EUR");
      await page.getByRole("button", { name: "Refund", exact: true }).click();
      await expect(page.getByRole("textbox", { name: "Amount" })).toBeFocused();
    },
  },
];
