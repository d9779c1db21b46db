import type { Page } from "@playwright/test";
import { cellOf, impactPanel } from "../pages/matrix.ts";
import type { DemoCompany } from "./demoCompany.ts";
import { expect, heading, type Screenshot } from "./screenshot.ts";

const set = async (page: Page, feature: string, text: string) => {
  await cellOf(page, { name: feature }).first().focus();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
};

/** Lowers the number of berths in Studio, so that subscribers lose something. */
const lower = async (page: Page) => {
  await heading(page, "Apps and features of Studio");
  await set(page, "Berths", "40");
  await expect(impactPanel(page).getByText(/[1-9][\d,]* loses? something/)).toBeVisible();
};

const file = `version: 1
apps:
  - code: harbor
    name: Harbor
    status: active
    features:
      - code: night-mooring
        name: Night mooring
        kind: switch
        defaultValue: false
`;

export const packageScreenshots = ({ pack }: DemoCompany): Screenshot[] => {
  const { id } = pack("studio");
  const view = `/package/view/${id}`;
  const apps = `/package/apps/${id}`;
  return [
    {
      name: "packages-list",
      as: "marta",
      path: "/package?sort=sort",
      allVariants: true,
      prepare: (page) => expect(page.getByRole("row", { name: "Studio" })).toBeVisible(),
    },
    {
      name: "package-view",
      as: "marta",
      path: view,
      allVariants: true,
      prepare: (page) => heading(page, "Studio"),
    },
    {
      name: "package-compare",
      as: "marta",
      path: view,
      prepare: async (page) => {
        await page.getByRole("button", { name: "Compare" }).first().click();
        await expect(page.getByRole("dialog")).toBeVisible();
      },
    },
    {
      name: "package-form",
      as: "marta",
      path: `/package/edit/${id}`,
      allVariants: true,
      prepare: (page) => heading(page, "Edit Studio"),
    },
    {
      name: "package-apps",
      as: "marta",
      path: `${apps}?with=${pack("solo").id},${pack("team").id}`,
      prepare: lower,
    },
    {
      name: "package-apps-draft",
      as: "marta",
      path: apps,
      allVariants: true,
      prepare: (page) => heading(page, "Apps and features of Studio"),
    },
    {
      name: "package-publish",
      as: "marta",
      path: `/package/publish/${id}`,
      allVariants: true,
      prepare: async (page) => {
        await heading(page, "Review and publish Studio version 4");
        await expect(page.getByRole("button", { name: "Publish version 4" })).toBeVisible();
      },
    },
    {
      name: "catalog",
      as: "marta",
      path: "/catalog",
      prepare: async (page) => {
        await page.getByRole("textbox", { name: "File content" }).fill(file);
        await page.getByRole("button", { name: "Preview changes" }).click();
        await expect(page.getByRole("button", { name: /^Apply/ })).toBeVisible();
      },
    },
  ];
};
