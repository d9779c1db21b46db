import type { Page } from "@playwright/test";
import { callApi } from "../data/api.ts";
import { changeUser } from "../data/customers.ts";
import type { Sale } from "../data/transactions.ts";
import { expect, field, heading, type Screenshot } from "./screenshot.ts";

/** The customer of the screenshots, with a complete profile. */
export const fillCustomerProfile = async (page: Page, colleaguePage: Page, { user }: Sale) => {
  const { id } = user;
  await changeUser(page, id, {
    externalId: "nq-20417",
    country: "PL",
    locale: "pl",
    timeZone: "Europe/Warsaw",
  });
  const note = (by: Page, text: string) =>
    callApi(by, { method: "POST", path: `/users/${id}/notes`, body: { text } });
  await note(page, "Runs a sailing school. Renews every spring.");
  await note(colleaguePage, "Requested invoices in the school's name, ticket 48211.");
  return id;
};

type DemoCompany = { janaId: string; invitedId: string; tomaszId: string };

export const userScreenshots = ({ janaId, invitedId, tomaszId }: DemoCompany): Screenshot[] => [
  {
    name: "users-list",
    as: "marta",
    path: "/users",
    allVariants: true,
    prepare: (page) => expect(page.getByRole("row").nth(8)).toBeVisible(),
  },
  {
    name: "users-team",
    as: "marta",
    path: "/users?f=role:any:owner,admin,catalog,finance,support,viewer",
    prepare: (page) => expect(page.getByRole("row", { name: /Marta Ilves/ })).toBeVisible(),
  },
  {
    name: "users-selected",
    as: "marta",
    path: "/users?q=keller",
    prepare: async (page) => {
      for (const place of [0, 1, 2])
        await page
          .getByRole("checkbox", { name: /^Select .* Keller$/ })
          .nth(place)
          .check();
      await expect(page.getByRole("toolbar", { name: "Selected rows" })).toBeVisible();
    },
  },
  {
    name: "users-select-all",
    as: "marta",
    path: "/users",
    prepare: async (page) => {
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByRole("button", { name: /^Select all .* that match$/ }).click();
      await expect(page.getByText(/that match are selected/)).toBeVisible();
    },
  },
  {
    name: "user-view",
    as: "marta",
    path: `/users/view/${janaId}`,
    allVariants: true,
    prepare: async (page) => {
      await heading(page, "Jana Kowalczyk");
      await expect(page.locator(".summary-strip")).toContainText("payment");
    },
  },
  ...(["payments", "documents", "notes", "usage", "activity"] as const).map(
    (tab): Screenshot => ({
      name: `user-${tab}`,
      as: "marta",
      path: `/users/view/${janaId}?tab=${tab}`,
      allVariants: true,
      prepare: async (page) => {
        await heading(page, "Jana Kowalczyk");
        await expect(page.locator(".tabs [aria-current]")).toBeVisible();
      },
    }),
  ),
  {
    name: "user-invited",
    as: "marta",
    path: `/users/view/${invitedId}`,
    prepare: (page) =>
      expect(
        page.getByRole("status").getByRole("button", { name: "Resend invitation" }),
      ).toBeVisible(),
  },
  {
    name: "user-reset-2fa",
    as: "marta",
    path: `/users/view/${tomaszId}`,
    allVariants: true,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Reset", exact: true }).click();
      await expect(page.getByRole("alertdialog", { name: /^Reset two-factor/ })).toBeVisible();
    },
  },
  {
    name: "user-suspend",
    as: "marta",
    path: `/users/view/${janaId}`,
    allVariants: true,
    prepare: async (page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Suspend…" }).click();
      await expect(page.getByRole("dialog", { name: "Suspend Jana Kowalczyk?" })).toBeVisible();
    },
  },
  {
    name: "user-create",
    as: "marta",
    path: "/users/create",
    allVariants: true,
    prepare: async (page) => {
      await heading(page, "New user");
      await field(page, "Name").fill("Priya Arrieta");
      await field(page, "Email").fill("priya.arrieta@example.com");
      await page.getByRole("combobox", { name: /^Country/ }).selectOption("ES");
    },
  },
  {
    name: "user-create-team",
    as: "marta",
    path: "/users/create",
    prepare: async (page) => {
      await page.getByRole("radio", { name: /^Team member/ }).check();
      await expect(page.getByRole("radio", { name: /^Support/ })).toBeVisible();
    },
  },
];
