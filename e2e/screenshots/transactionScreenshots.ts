import type { Page } from "@playwright/test";
import type { Package } from "../data/packages.ts";
import { refund, type Sale, sell } from "../data/transactions.ts";
import type { Product } from "../environment/product.ts";
import { expect, field, heading, press, type Screenshot } from "./screenshot.ts";

type Workspace = { page: Page; product: Product; pack: (code: string) => Package; now: Date };

/** The sales of the screenshots: one paid and one partially refunded. */
export const makeSales = async ({ page, product, pack, now }: Workspace) => {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const sale = await sell(page, pack("studio"), {
    email: "jana.kowalczyk@example.com",
    interval: "year",
    codes: ["BACKTOWORK"],
    occurredAt: ago(9),
    reference: `SEPA ${ago(9).slice(0, 10)} nq-20417`,
    note: "Paid by transfer, ticket 48211",
  });
  const partly = await sell(page, pack("team"), {
    email: "viggo.haddadin@example.com",
    interval: "year",
    occurredAt: ago(30),
    reference: `SEPA ${ago(30).slice(0, 10)} nq-20388`,
  });
  await refund(page, partly, 4000, "end with period");
  for (const [email, name] of [
    [sale.user.email, "Jana Kowalczyk"],
    [partly.user.email, "Viggo Haddadin"],
  ])
    await product.database.query("update users set name = $2 where email = $1", [email, name]);
  return { sale, partly };
};

const showSale = async (page: Page, { number }: Sale) =>
  expect(page.locator(".page-facts")).toContainText(number);

const openRefund = async (page: Page, sale: Sale) => {
  await showSale(page, sale);
  await press(page, "Refund");
  const dialog = page.getByRole("alertdialog", { name: `Refund ${sale.number}?` });
  await dialog.getByRole("radio", { name: /^Unused time/ }).check();
  await field(page, "Note optional").fill("Switching to Team with the agency.");
  await dialog.getByRole("radio", { name: /^End access now/ }).check();
  await expect(dialog.getByText(/loses \d+ features? immediately/)).toBeVisible();
};

const fillSale = async (page: Page) => {
  await heading(page, "New transaction");
  const form = page.locator("form");
  await form.getByRole("textbox", { name: "Email" }).fill("priya.arrieta@example.com");
  await page.getByRole("combobox", { name: "Package" }).fill("Studio");
  await page.getByRole("option", { name: "Studio" }).first().click();
  await page.getByRole("combobox", { name: "Interval" }).selectOption("year 1");
  await form.getByRole("textbox", { name: "Promotion codes" }).fill("AUTUMN20");
  await form.getByRole("textbox", { name: "Promotion codes" }).press("Enter");
  await form
    .getByRole("textbox", { name: "Reference" })
    .fill(`SEPA ${new Date().toISOString().slice(0, 10)} nq-20431`);
  await expect(page.locator(".record-rail").getByText("AUTUMN20")).toBeVisible();
};

type DemoCompany = { sales: Awaited<ReturnType<typeof makeSales>> };

export const transactionScreenshots = ({ sales: { sale, partly } }: DemoCompany): Screenshot[] => {
  const view = `/transaction/view/${sale.id}`;
  return [
    {
      name: "transactions-list",
      as: "marta",
      path: "/transaction",
      allVariants: true,
      prepare: (page) => expect(page.getByRole("row").nth(8)).toBeVisible(),
    },
    {
      name: "transactions-filter",
      as: "marta",
      path: "/transaction?f=total:gte:10000&f=currency:is:EUR",
      prepare: async (page) => {
        await press(page, "Amount at least 100.00 EUR");
        await expect(page.getByRole("dialog", { name: "Filter by Amount" })).toBeVisible();
      },
    },
    {
      name: "transactions-date-range",
      as: "marta",
      path: "/transaction",
      allVariants: true,
      prepare: async (page) => {
        await page.locator("button.date-range").click();
        await expect(page.getByRole("dialog", { name: "Date range" })).toBeVisible();
      },
    },
    {
      name: "transaction-view",
      as: "marta",
      path: view,
      allVariants: true,
      prepare: (page) => showSale(page, sale),
    },
    {
      name: "transaction-view-refunded",
      as: "marta",
      path: `/transaction/view/${partly.id}`,
      prepare: (page) => showSale(page, partly),
    },
    {
      name: "transaction-refund",
      as: "marta",
      path: view,
      allVariants: true,
      prepare: (page) => openRefund(page, sale),
    },
    {
      name: "transaction-change-package",
      as: "marta",
      path: view,
      allVariants: true,
      prepare: async (page) => {
        await press(page, "Subscription actions");
        await page.getByRole("menuitem", { name: "Change package…" }).click();
        await page.getByRole("combobox", { name: "Package" }).fill("Team");
        await page.getByRole("option", { name: "Team" }).first().click();
        await expect(page.getByRole("row", { name: /^Due now/ })).toBeVisible();
      },
    },
    {
      name: "transaction-create",
      as: "marta",
      path: "/transaction/create",
      allVariants: true,
      prepare: fillSale,
    },
  ];
};
