import type { Page } from "@playwright/test";
import type { DemoCompany } from "./demoCompany.ts";
import { expect, field, heading, press, type Screenshot } from "./screenshot.ts";

/** The radio button of a kind is named by the kind and its help text. */
const kinds = (page: Page, kind: string) =>
  page.getByRole("radio", { name: new RegExp(`^${kind} `) }).check();

/** Picks an app in the new feature's form and names the feature. */
const begin = async (page: Page, name: string) => {
  await page.getByRole("combobox", { name: "App" }).fill("harb");
  await page.getByRole("option", { name: "Harbor" }).click();
  await field(page, "Name").fill(name);
};

export const featureScreenshots = ({ app, feature }: DemoCompany): Screenshot[] => {
  const create = { as: "marta", path: "/feature/create" } as const;
  const berths = `/feature/view/${feature("berths").id}`;
  return [
    {
      name: "features-list",
      as: "marta",
      path: "/feature?sort=name",
      allVariants: true,
      prepare: (page) => expect(page.getByRole("row", { name: "Berths" })).toBeVisible(),
    },
    {
      name: "features-filter",
      as: "marta",
      path: `/feature?f=app:any:${app("harbor").id}`,
      prepare: async (page) => {
        await expect(page.getByRole("row", { name: "Berths" })).toBeVisible();
        await page.getByRole("button", { name: "App is Harbor", exact: true }).click();
        await expect(page.getByLabel("Ledgerly")).toBeVisible();
      },
    },
    { name: "feature-create-switch", ...create, prepare: (page) => begin(page, "Night mooring") },
    {
      name: "feature-create-limit",
      ...create,
      allVariants: true,
      prepare: async (page) => {
        await begin(page, "Jetties");
        await kinds(page, "Limit");
        await page.getByLabel("Unit, singular").fill("jetty");
        await page.getByLabel("Unit, plural").fill("jetties");
        await page.getByLabel("Default value", { exact: true }).fill("3");
      },
    },
    {
      name: "feature-create-metered",
      ...create,
      prepare: async (page) => {
        await begin(page, "Weather reports");
        await kinds(page, "Metered");
        await page.getByLabel("Unit, singular").fill("report");
        await page.getByLabel("Unit, plural").fill("reports");
        await page.getByLabel("Default allowance").fill("50");
      },
    },
    {
      name: "feature-create-choice",
      ...create,
      allVariants: true,
      prepare: async (page) => {
        await begin(page, "Color profiles");
        await kinds(page, "Choice");
        await press(page, "Add option");
        for (const [place, name] of ["Standard", "Print", "Print and proof"].entries())
          await field(page, `Name of option ${place + 1}`).fill(name);
      },
    },
    {
      name: "feature-create-errors",
      ...create,
      prepare: async (page) => {
        await kinds(page, "Choice");
        await press(page, "Create feature");
        await expect(page.getByRole("alert")).toBeVisible();
      },
    },
    {
      name: "feature-picker",
      ...create,
      prepare: async (page) => {
        await page.getByRole("combobox", { name: "App" }).fill("l");
        await expect(page.getByRole("option", { name: "Ledgerly" })).toBeVisible();
      },
    },
    {
      name: "feature-quick-app",
      ...create,
      prepare: async (page) => {
        await page.getByRole("combobox", { name: "App" }).fill("Chandlery");
        await page.getByRole("option", { name: "Create “Chandlery”" }).click();
        await heading(page, "New app");
      },
    },
    {
      name: "feature-edit-frozen",
      as: "marta",
      path: `/feature/edit/${feature("berths").id}`,
      allVariants: true,
      prepare: async (page) => {
        await page.getByLabel("Default value", { exact: true }).fill("8");
        await page.getByLabel("Default value", { exact: true }).blur();
      },
    },
    {
      name: "feature-edit-options",
      as: "marta",
      path: `/feature/edit/${feature("reports").id}`,
      prepare: (page) => expect(page.getByLabel("Name of option 3")).toBeVisible(),
    },
    {
      name: "feature-view",
      as: "marta",
      path: berths,
      allVariants: true,
      prepare: (page) => expect(page.getByRole("link", { name: "Fleet" })).toBeVisible(),
    },
    {
      name: "feature-view-choice",
      as: "marta",
      path: `/feature/view/${feature("reports").id}`,
      prepare: (page) => expect(page.getByRole("link", { name: "Studio" }).first()).toBeVisible(),
    },
    {
      name: "feature-usage",
      as: "marta",
      path: `/feature/view/${feature("text-messages").id}?tab=usage`,
      allVariants: true,
      prepare: (page) => heading(page, "Usage"),
    },
    {
      name: "feature-activity",
      as: "marta",
      path: `${berths}?tab=activity`,
      prepare: (page) => expect(page.locator(".history time").first()).toBeVisible(),
    },
    {
      name: "feature-archive-dialog",
      as: "marta",
      path: berths,
      prepare: (page) => press(page, "Archive"),
    },
  ];
};
