import type { Page } from "@playwright/test";
import { callApi } from "../data/api.ts";
import type { DemoCompany } from "./demoCompany.ts";
import { expect, heading, type Screenshot } from "./screenshot.ts";

type Settings = { version: number; updatedAt: string; approvalRules: string[] };

let requested = false;

/** From then on a refund requires approval, and a colleague has requested one. */
const requestRefund = async (page: Page, { sales, colleaguePage }: DemoCompany) => {
  const {
    version,
    updatedAt: _,
    ...settings
  } = await callApi<Settings>(page, {
    path: "/settings",
  });
  if (requested) return;
  requested = true;
  if (!settings.approvalRules.includes("refund"))
    await callApi(page, {
      method: "PUT",
      path: "/settings",
      body: {
        ...settings,
        approvalRules: ["refund"],
        refundLimits: { EUR: 5000, GBP: 5000, JPY: 5000, USD: 5000 },
      },
      version,
    });
  await callApi(colleaguePage, {
    method: "POST",
    path: "/approvals",
    body: {
      operation: "POST /transactions/:id/refund",
      params: { id: sales.sale.id },
      body: { amount: 9000, access: "end with period", reason: "Duplicate charge" },
      reason: "The bank statement shows two payments, ticket 48211.",
    },
  });
};

const showFirst = async (page: Page) => {
  await heading(page, "Audit log");
  await expect(page.locator("tr[data-row]").first()).toBeVisible();
};

/** At the end, because they change data that other screenshots show. */
export const auditScreenshots = (company: DemoCompany): Screenshot[] => [
  { name: "audit-log", as: "marta", path: "/audit", allVariants: true, prepare: showFirst },
  {
    name: "audit-entry",
    as: "marta",
    path: "/audit?f=entity:any:apps&f=action:any:update",
    allVariants: true,
    prepare: async (page) => {
      await showFirst(page);
      await page
        .getByRole("link", { name: /App changed/ })
        .first()
        .click();
      await expect(page.locator(".preview .diff")).toBeVisible();
    },
  },
  {
    name: "audit-revert",
    as: "marta",
    path: "/audit?f=entity:any:apps&f=action:any:update",
    prepare: async (page) => {
      await showFirst(page);
      await page
        .getByRole("link", { name: /App changed/ })
        .first()
        .click();
      await page.getByRole("button", { name: "Revert…" }).click();
      await expect(page.getByRole("dialog", { name: /^Revert this change/ })).toBeVisible();
      await expect(page.locator(".dialog .diff")).toBeVisible();
    },
  },
  {
    name: "approvals",
    as: "marta",
    path: "/approvals",
    allVariants: true,
    prepare: async (page) => {
      await requestRefund(page, company);
      await page.reload();
      await expect(page.getByRole("button", { name: /^Approve/ })).toBeVisible();
    },
  },
  {
    name: "approval-dialog",
    as: "marta",
    path: "/approvals",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^Approve/ }).click();
      await expect(page.getByRole("dialog", { name: /^Approve “Refund/ })).toBeVisible();
    },
  },
];
