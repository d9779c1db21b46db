import type { Page } from "@playwright/test";
import { changeApp } from "../data/apps.ts";
import { type DemoCompany, now } from "./demoCompany.ts";
import { expect, field, heading, press, type Screenshot } from "./screenshot.ts";

const change = async (page: Page) => {
  await field(page, "Name").fill("Harbor Pilot");
  await field(page, "Support email optional").fill("pilot@example.com");
  await field(page, "Support email optional").blur();
};

export const appFormScreenshots = ({ app, colleaguePage }: DemoCompany): Screenshot[] => {
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
        await field(page, "Support email optional").fill("galley at example");
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
          name: "Harbor Marina",
          platforms: ["web", "ios", "android"],
        });
        await press(page, "Save app");
        await page.getByLabel("Name, yours: Harbor Pilot").check();
      },
      after: () =>
        changeApp(colleaguePage, id, {
          name: "Harbor",
          platforms: ["web", "ios", "android", "api"],
        }),
    },
  ];
};
