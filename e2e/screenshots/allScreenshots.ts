import type { Page } from "@playwright/test";
import { openAccount, submitCredentials } from "../pages/signIn.ts";
import { appFormScreenshots } from "./appFormScreenshots.ts";
import { appListScreenshots, list } from "./appListScreenshots.ts";
import { auditScreenshots } from "./auditScreenshots.ts";
import { type DemoCompany, marta, password } from "./demoCompany.ts";
import { featureScreenshots } from "./featureScreenshots.ts";
import { importScreenshots } from "./importScreenshots.ts";
import { packageScreenshots } from "./packageScreenshots.ts";
import { promotionScreenshots } from "./promotionScreenshots.ts";
import { reportScreenshots } from "./reportScreenshots.ts";
import { expect, field, heading, press, type Screenshot } from "./screenshot.ts";
import { systemScreenshots } from "./systemScreenshots.ts";
import { transactionScreenshots } from "./transactionScreenshots.ts";
import { userScreenshots } from "./userScreenshots.ts";

const signIn = async (page: Page, given: string) => {
  await submitCredentials(page, { ...marta, password: given });
};

const signInScreenshots: Screenshot[] = [
  {
    name: "login",
    as: null,
    path: "/login",
    allVariants: true,
    prepare: async (page) => {
      await page.getByLabel("Email", { exact: true }).fill(marta.email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByLabel("Password", { exact: true }).blur();
    },
  },
  {
    name: "login-error",
    as: null,
    path: "/login",
    prepare: async (page) => {
      await signIn(page, "not the password");
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "two-factor",
    as: null,
    path: "/login",
    prepare: async (page) => {
      await signIn(page, password);
      await page.getByLabel("Digit 1 of 6").pressSequentially("418");
    },
  },
];

const settingsScreenshots: Screenshot[] = [
  {
    name: "settings",
    as: "marta",
    path: "/settings",
    allVariants: true,
    prepare: async (page) => {
      await expect(page.getByRole("heading", { name: "Encryption keys" })).toBeVisible();
      await field(page, "Grace period").fill("10");
    },
  },
  {
    name: "settings-service-accounts",
    as: "marta",
    path: "/settings",
    keepsScroll: true,
    prepare: (page) =>
      page.getByRole("heading", { name: "Service accounts" }).scrollIntoViewIfNeeded(),
  },
  {
    name: "settings-encryption",
    as: "marta",
    path: "/settings",
    allVariants: true,
    keepsScroll: true,
    prepare: (page) =>
      page.getByRole("heading", { name: "Encryption keys" }).scrollIntoViewIfNeeded(),
  },
];

const appPageScreenshots = ({ app }: DemoCompany): Screenshot[] => {
  const path = `/apps/view/${app("harbor").id}`;
  const draft = `/apps/view/${app("galley").id}`;
  return [
    {
      name: "app-view",
      as: "marta",
      path,
      allVariants: true,
      prepare: (page) => expect(page.getByText("Expires in 6 days")).toBeVisible(),
    },
    {
      name: "app-integration",
      as: "marta",
      path: `${path}?tab=integration`,
      allVariants: true,
      prepare: (page) => expect(page.getByRole("heading", { name: "Test check" })).toBeVisible(),
    },
    {
      name: "app-integration-denials",
      as: "marta",
      path: `${path}?tab=integration&reason=not%20included`,
      allVariants: true,
      prepare: (page) => expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible(),
    },
    {
      name: "app-activity",
      as: "marta",
      path: `${path}?tab=activity`,
      prepare: (page) => expect(page.getByText("harbor@example.com").first()).toBeVisible(),
    },
    {
      name: "app-new-key",
      as: "marta",
      path,
      allVariants: true,
      prepare: async (page) => {
        await press(page, "New key");
        await page.getByRole("combobox", { name: "Type" }).click();
        await page.getByRole("option", { name: "Publishable" }).click();
        await field(page, "Origins").fill("https://harbor.example.com");
      },
    },
    { name: "archive-dialog", as: "marta", path, prepare: (page) => press(page, "Archive") },
    {
      name: "delete-dialog",
      as: "marta",
      path: draft,
      prepare: async (page) => {
        await press(page, "More actions");
        await page.getByRole("menuitem", { name: "Delete" }).click();
        await page.getByLabel("to confirm").fill("galley");
      },
    },
    {
      name: "palette",
      as: "marta",
      path,
      prepare: async (page) => {
        await heading(page, "Harbor");
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Search or jump to" }).fill("ha");
        await expect(page.getByRole("option", { name: "Harbor" }).last()).toBeVisible();
      },
    },
    {
      name: "shortcuts",
      as: "marta",
      path: "/apps",
      prepare: async (page) => {
        await expect(list(page)).toBeVisible();
        await page.keyboard.press("?");
      },
    },
    {
      name: "webhooks",
      as: "marta",
      path: "/webhook",
      allVariants: true,
      prepare: (page) => heading(page, "Webhooks"),
    },
    {
      name: "account",
      as: "marta",
      path: "/account",
      allVariants: true,
      prepare: (page) => heading(page, "Profile and security"),
    },
    {
      name: "notifications",
      as: "marta",
      path,
      prepare: (page) => page.getByRole("button", { name: /^Notifications/ }).click(),
    },
    { name: "account-panel", as: "marta", path, prepare: openAccount },
    { name: "not-found", as: "marta", path: "/apps/harbor/berths" },
  ];
};

/** Screenshots that change data come last. */
export const allScreenshots = (company: DemoCompany) => [
  ...signInScreenshots,
  ...reportScreenshots,
  ...appListScreenshots(company),
  ...appPageScreenshots(company),
  ...featureScreenshots(company),
  ...packageScreenshots(company),
  ...promotionScreenshots(company),
  ...transactionScreenshots(company),
  ...userScreenshots(company),
  ...appFormScreenshots(company),
  ...settingsScreenshots,
  ...auditScreenshots(company),
  ...importScreenshots,
  ...systemScreenshots(company),
];
