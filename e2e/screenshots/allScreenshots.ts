import type { Page } from "@playwright/test";
import { changeApp } from "../data/apps.ts";
import { openAccount, submitCredentials } from "../data/team.ts";
import { withoutPayloads } from "../pages/payloads.ts";
import { auditScreenshots } from "./auditScreenshots.ts";
import { type DemoCompany, marta, now, password } from "./demoCompany.ts";
import { featureScreenshots } from "./featureScreenshots.ts";
import { packageScreenshots } from "./packageScreenshots.ts";
import { promotionScreenshots } from "./promotionScreenshots.ts";
import { expect, field, heading, press, type Screenshot } from "./screenshot.ts";
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
      await page.getByLabel("Mail", { exact: true }).fill(marta.email);
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
    name: "second-factor",
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
      await field(page, "Days of grace").fill("10");
      await page.getByRole("button", { name: "Add limit" }).click();
      await page.getByRole("textbox", { name: "Limit in EUR" }).fill("500");
    },
  },
];

const emptyPage = {
  items: [],
  next: null,
  previous: null,
  total: { count: 0, kind: "exact" },
};
const none = { count: 0, kind: "exact" };
const list = (page: Page) => page.getByRole("row", { name: "Harbor" });

const appListScreenshots = ({ app }: DemoCompany): Screenshot[] => [
  {
    name: "home",
    as: "marta",
    path: "/",
    allVariants: true,
    prepare: (page) => expect(page.getByText("still a draft").first()).toBeVisible(),
  },
  {
    name: "apps-list",
    as: "marta",
    path: "/apps",
    allVariants: true,
    prepare: (page) => expect(list(page)).toBeVisible(),
  },
  {
    name: "apps-loading",
    as: "marta",
    path: "/apps",
    before: async (page) => {
      await withoutPayloads(page);
      await page.route("**/api/apps?*", () => new Promise(() => undefined));
    },
    prepare: (page) => expect(page.locator(".skeleton").first()).toBeVisible(),
  },
  {
    name: "apps-empty",
    as: "marta",
    path: "/apps",
    before: async (page) => {
      await withoutPayloads(page);
      await page.route("**/api/apps?*", (route) => route.fulfill({ json: emptyPage }));
      await page.route("**/api/apps/counts", (route) =>
        route.fulfill({ json: { draft: none, active: none, archived: none } }),
      );
    },
    prepare: (page) => heading(page, "No apps yet"),
  },
  {
    name: "apps-no-result",
    as: "marta",
    path: "/apps?q=harbor&f=status:any:archived&f=platforms:any:web",
    prepare: (page) => expect(page.getByText("match without it").first()).toBeVisible(),
  },
  {
    name: "apps-error",
    as: "marta",
    path: "/apps",
    before: async (page) => {
      await withoutPayloads(page);
      await page.route("**/api/apps?*", (route) =>
        route.fulfill({
          status: 500,
          contentType: "application/problem+json",
          json: {
            type: "urn:purser:problem:internal",
            title: "Internal Server Error",
            status: 500,
            detail: "Something broke here. It is recorded; try again in a moment.",
            requestId: "7b0c4f52-5d1e-4a5b-9c5e-2f6a1c3d9e10",
          },
        }),
      );
    },
    prepare: (page) => heading(page, "The list did not load"),
  },
  {
    name: "apps-forbidden",
    as: "ines",
    path: "/apps/create",
    prepare: (page) => heading(page, "You cannot see this form"),
  },
  {
    name: "apps-selection",
    as: "marta",
    path: "/apps",
    prepare: async (page) => {
      for (const name of ["Harbor", "Ledgerly", "Galley"])
        await page.getByLabel(`Select ${name}`).check();
    },
  },
  {
    name: "apps-columns",
    as: "marta",
    path: "/apps",
    prepare: async (page) => {
      await expect(list(page)).toBeVisible();
      await press(page, "Columns");
      await expect(page.getByRole("dialog", { name: "Columns" })).toBeVisible();
    },
  },
  {
    name: "apps-filter",
    as: "marta",
    path: "/apps?f=status:any:active",
    prepare: async (page) => {
      await expect(list(page)).toBeVisible();
      await press(page, "Filter");
      await press(page, "Platforms");
      await page.getByLabel("iOS").check();
    },
  },
  {
    name: "preview",
    as: "marta",
    path: `/apps?preview=${app("harbor").id}`,
    prepare: (page) =>
      expect(page.getByRole("dialog", { name: "Preview of Harbor" })).toBeVisible(),
  },
];

const change = async (page: Page) => {
  await field(page, "Name").fill("Harbor Pilot");
  await field(page, "Support mail optional").fill("pilot@example.com");
  await field(page, "Support mail optional").blur();
};

const appFormScreenshots = ({ app, colleaguePage }: DemoCompany): Screenshot[] => {
  const { id } = app("harbor");
  const path = `/apps/edit/${id}`;
  const draft = {
    form: `apps-edit-${id}`,
    version: app("harbor").version,
    base: { name: "Harbor" },
    values: { name: "Harbor Pilot" },
    savedAt: new Date(now.getTime() - 42 * 60_000).toISOString(),
  };
  return [
    { name: "app-form", as: "marta", path, prepare: (page) => heading(page, "Edit Harbor") },
    { name: "app-form-dirty", as: "marta", path, allVariants: true, prepare: change },
    {
      name: "app-form-draft",
      as: "marta",
      path,
      allVariants: true,
      before: (page) =>
        page.route("**/api/drafts/*", (route) => route.fulfill({ json: { draft } })),
      prepare: (page) => expect(page.getByRole("button", { name: "Restore" })).toBeVisible(),
    },
    {
      name: "app-form-errors",
      as: "marta",
      path: `/apps/edit/${app("galley").id}`,
      prepare: async (page) => {
        await field(page, "Name").fill("");
        await field(page, "Support mail optional").fill("galley at example");
        await press(page, "Save app");
        await expect(page.getByRole("alert")).toBeVisible();
      },
    },
    {
      name: "app-conflict",
      as: "marta",
      path,
      allVariants: true,
      prepare: async (page) => {
        await change(page);
        await changeApp(colleaguePage, id, {
          name: "Harbour",
          platforms: ["web", "ios", "android"],
        });
        await press(page, "Save app");
        await page.getByLabel("Name: yours, Harbor Pilot").check();
      },
      after: () =>
        changeApp(colleaguePage, id, {
          name: "Harbor",
          platforms: ["web", "ios", "android", "api"],
        }),
    },
  ];
};

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
      name: "app-activity",
      as: "marta",
      path: `${path}?tab=activity`,
      prepare: (page) => expect(page.getByText("harbor@example.com").first()).toBeVisible(),
    },
    { name: "app-new-key", as: "marta", path, prepare: (page) => press(page, "New key") },
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
    { name: "account-panel", as: "marta", path, prepare: openAccount },
    { name: "not-found", as: "marta", path: "/apps/harbor/berths" },
  ];
};

export const allScreenshots = (company: DemoCompany) => [
  ...signInScreenshots,
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
];
