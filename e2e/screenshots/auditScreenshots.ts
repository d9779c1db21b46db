import type { Page } from "@playwright/test";
import { callApi } from "../data/api.ts";
import type { DemoCompany } from "./demoCompany.ts";
import { expect, heading, type Screenshot } from "./screenshot.ts";

type Settings = { version: number; updatedAt: string } & Record<string, unknown>;

const rules = {
  before: { EUR: 5000, GBP: 5000, JPY: 5000, USD: 5000 },
  after: { EUR: 20_000, GBP: 15_000, JPY: 5000, USD: 5000 },
};

/** A change of the settings by a second owner, who then only approves refunds again. */
const requestHigherLimits = async ({ database, colleaguePage }: DemoCompany) => {
  const setRole = (role: string) =>
    database.query("update users set role = $1 where email = 'tomasz@example.com'", [role]);
  await database.query("set session_replication_role = replica");
  await setRole("owner");
  const path = "/settings";
  const { version, updatedAt: _, ...settings } = await callApi<Settings>(colleaguePage, { path });
  await callApi(colleaguePage, {
    method: "POST",
    path: "/approvals",
    body: {
      operation: "PUT /settings",
      params: {},
      body: { ...settings, refundLimits: rules.after },
      version,
      reason: "Most refunds this month were between 50 and 200 EUR.",
    },
  });
  await setRole("admin");
  await database.query(
    `update approvals set created_at = created_at - interval '9 hours',
       takes_effect_at = takes_effect_at - interval '9 hours' where rule = 'safeguard'`,
  );
  await database.query("set session_replication_role = default");
};

let requested = false;

/**
 * From then on a refund requires approval, and a colleague has requested one. The rule is written to the database,
 * because a change of limits waits for a second owner.
 */
const requestRefund = async (company: DemoCompany) => {
  if (requested) return;
  requested = true;
  const { sales, colleaguePage, database } = company;
  await database.query(
    "update settings set approval_rules = '{refund,grant}', refund_limits = $1",
    [rules.before],
  );
  // New team members can only reject requests.
  await database.query("update users set role_given_at = null");
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
  await requestHigherLimits(company);
};

const openRequests = async (page: Page, company: DemoCompany) => {
  await requestRefund(company);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Approve “Refund/ })).toBeVisible();
};

const showFirst = async (page: Page) => {
  await heading(page, "History");
  await expect(page.locator("[data-row]").first()).toBeVisible();
};

/** At the end, because they change data that other screenshots show. */
export const auditScreenshots = (company: DemoCompany): Screenshot[] => [
  { name: "audit-log", as: "marta", path: "/audit", allVariants: true, prepare: showFirst },
  {
    name: "audit-entry",
    as: "marta",
    path: "/audit?q=name",
    allVariants: true,
    prepare: async (page) => {
      await showFirst(page);
      await page
        .getByRole("button", { name: /^Show changes/ })
        .first()
        .click();
      await expect(page.locator(".history-table").first()).toBeVisible();
    },
  },
  {
    name: "audit-revert",
    as: "marta",
    path: "/audit?f=entity:any:apps&f=action:any:update",
    prepare: async (page) => {
      await showFirst(page);
      const revert = page.getByRole("button", { name: /^Revert: .* changed app/ });
      await revert.first().click();
      await expect(page.getByRole("dialog", { name: /^Revert this change/ })).toBeVisible();
      await expect(page.locator(".dialog .diff")).toBeVisible();
    },
  },
  {
    name: "approvals",
    as: "marta",
    path: "/approvals",
    allVariants: true,
    prepare: (page) => openRequests(page, company),
  },
  {
    name: "approval-request",
    as: "marta",
    path: "/approvals",
    allVariants: true,
    prepare: async (page) => {
      await openRequests(page, company);
      await page.getByRole("link", { name: /^Refund 90/ }).click();
      await expect(page.getByRole("dialog", { name: /^Refund 90/ })).toBeVisible();
    },
  },
  {
    name: "approvals-waiting",
    as: "marta",
    path: "/approvals?tab=waiting",
    allVariants: true,
    prepare: async (page) => {
      await requestRefund(company);
      await page.reload();
      await page.getByRole("link", { name: /^Loosen/ }).click();
      await expect(page.getByRole("dialog", { name: /^Loosen/ })).toBeVisible();
    },
  },
  {
    name: "approval-dialog",
    as: "marta",
    path: "/approvals",
    prepare: async (page) => {
      await openRequests(page, company);
      await page.getByRole("button", { name: /^Approve “Refund/ }).click();
      await expect(page.getByRole("dialog", { name: /^Approve “Refund/ })).toBeVisible();
    },
  },
  {
    name: "step-up",
    as: "marta",
    path: "/approvals",
    allVariants: true,
    prepare: async (page) => {
      await openRequests(page, company);
      await company.database.query("update sessions set proven_at = now() - interval '1 hour'");
      await page.getByRole("button", { name: /^Approve “Refund/ }).click();
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await expect(page.getByRole("dialog", { name: "Confirm it's you" })).toBeVisible();
    },
    after: () =>
      company.database.query("update sessions set proven_at = now() + interval '1 hour'"),
  },
  {
    name: "role-limits",
    as: "marta",
    path: "/roles",
    allVariants: true,
    keepsScroll: true,
    prepare: async (page) => {
      const title = page.getByRole("heading", { name: "Access without approval" });
      await expect(title).toBeVisible();
      await title.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "role-limits-dialog",
    as: "marta",
    path: "/roles",
    allVariants: true,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Edit limits of Support" }).click();
      await expect(page.getByRole("dialog", { name: /^Access without approval/ })).toBeVisible();
    },
  },
];
