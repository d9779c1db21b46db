import type { Page } from "@playwright/test";
import { withoutPayloads } from "../pages/payloads.ts";
import type { DemoCompany } from "./demoCompany.ts";
import { expect, heading, press, type Screenshot } from "./screenshot.ts";

const emptyPage = {
  items: [],
  next: null,
  previous: null,
  total: { count: 0, kind: "exact" },
};
const none = { count: 0, kind: "exact" };
export const list = (page: Page) => page.getByRole("row", { name: "Harbor" });

export const appListScreenshots = ({ app }: DemoCompany): Screenshot[] => [
  {
    name: "apps-list",
    as: "marta",
    path: "/apps",
    allVariants: true,
    prepare: (page) => expect(list(page)).toBeVisible(),
  },
  {
    name: "apps-loading",
    isLoading: true,
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
    prepare: (page) => expect(page.getByText(/match(es)? without it/).first()).toBeVisible(),
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
            detail: "Something went wrong on our side. If it happens again, report the request ID.",
            requestId: "7b0c4f52-5d1e-4a5b-9c5e-2f6a1c3d9e10",
          },
        }),
      );
    },
    prepare: (page) => heading(page, "Couldn't load the list"),
  },
  {
    name: "apps-forbidden",
    as: "ines",
    path: "/apps/create",
    prepare: (page) => heading(page, "You don't have access to this page"),
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
