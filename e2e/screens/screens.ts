import { expect, type Page } from "@playwright/test";
import { uniqueCode } from "../data/api.ts";
import { moneyScreens } from "./moneyScreens.ts";
import {
  openApp,
  openAppList,
  openScreen,
  type Screen,
  unknownAppId,
  unknownPath,
} from "./openScreen.ts";
import { peopleScreens } from "./peopleScreens.ts";

/** Every screen of `contract/src/pages/routes.ts`, and unknown URLs. */
export const screens: Screen[] = [
  {
    name: "home",
    open: async (page) => {
      await openScreen(page, "/", "Home");
      await expect(page.locator("ol.feed").getByRole("listitem").first()).toBeVisible();
      await expect(page.getByRole("link", { name: /^Set up/ })).toBeVisible();
    },
  },
  { name: "app list", open: (page, records) => openAppList(page, records) },
  {
    name: "app list without results",
    open: async (page) => {
      await openScreen(page, `/apps?q=${uniqueCode("none")}`, "Apps");
      await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
    },
  },
  { name: "new app form", open: (page) => openScreen(page, "/apps/create", "New app") },
  {
    name: "app edit form",
    open: (page, { active }) => openScreen(page, `/apps/edit/${active.id}`, `Edit ${active.name}`),
  },
  {
    name: "app overview",
    open: async (page, { active }) => {
      await openApp(page, active);
      await expect(page.getByRole("rowheader", { name: "web-server-1" })).toBeVisible();
    },
  },
  {
    name: "app integration",
    open: async (page, { active }) => {
      await openApp(page, active, "?tab=integration");
      await expect(page.getByRole("heading", { name: "Test check" })).toBeVisible();
    },
  },
  {
    name: "app activity",
    open: async (page, { active }) => {
      await openApp(page, active, "?tab=activity");
      await expect(page.locator("main time").first()).toBeVisible();
    },
  },
  {
    name: "app raw data",
    open: async (page, { active }) => {
      await openApp(page, active, "?tab=raw");
      await expect(page.locator("pre")).toContainText(active.code);
    },
  },
  ...["revenue", "mrr", "customers", "retention", "app-share", "tax", "promotions"].map((tab) => ({
    name: `report ${tab}`,
    open: async (page: Page) => {
      await openScreen(page, `/reports?tab=${tab}`, "Reports");
      await expect(page.locator(".report-age")).toBeVisible();
    },
  })),
  { name: "system", open: (page) => openScreen(page, "/system", "System") },
  { name: "webhooks", open: (page) => openScreen(page, "/webhook", "Webhooks") },
  { name: "settings", open: (page) => openScreen(page, "/settings", "Settings") },
  {
    name: "catalog as code",
    open: (page) => openScreen(page, "/catalog", "Catalog as code"),
  },
  {
    name: "feature list",
    open: async (page, { word, feature }) => {
      await openScreen(page, `/feature?q=${word}`, "Features");
      await expect(page.getByRole("row").filter({ hasText: feature.name })).toBeVisible();
    },
  },
  { name: "new feature form", open: (page) => openScreen(page, "/feature/create", "New feature") },
  {
    name: "feature edit form",
    open: (page, { feature }) =>
      openScreen(page, `/feature/edit/${feature.id}`, `Edit ${feature.name}`),
  },
  {
    name: "feature overview",
    open: async (page, { feature }) => {
      await openScreen(page, `/feature/view/${feature.id}`, feature.name);
      await expect(page.getByRole("rowheader", { name: "One ocean" })).toBeVisible();
    },
  },
  {
    name: "package list",
    open: async (page, { word, sold }) => {
      await openScreen(page, `/package?q=${word}`, "Packages");
      await expect(page.getByRole("row").filter({ hasText: sold.name })).toBeVisible();
    },
  },
  {
    name: "new package form",
    open: async (page) => {
      await openScreen(page, "/package/create", "New package");
      await page.getByRole("button", { name: "Add price" }).click();
      await expect(page.getByLabel("Price 1: amount")).toBeFocused();
    },
  },
  {
    name: "package edit form",
    open: async (page, { sold }) => {
      await openScreen(page, `/package/edit/${sold.id}`, `Edit ${sold.name}`);
      await expect(page.getByLabel("Price 2: amount")).toHaveValue(/^120/);
    },
  },
  {
    name: "package overview",
    open: async (page, { sold, active }) => {
      await openScreen(page, `/package/view/${sold.id}`, sold.name);
      await expect(page.getByRole("row", { name: /^1 / })).toBeVisible();
      await expect(page.getByRole("heading", { name: active.name })).toBeVisible();
    },
  },
  {
    name: "package activity",
    open: async (page, { sold }) => {
      await openScreen(page, `/package/view/${sold.id}?tab=activity`, sold.name);
      await expect(page.locator("main time").first()).toBeVisible();
    },
  },
  ...moneyScreens,
  ...peopleScreens,
  {
    name: "promotion list",
    open: async (page, { word, promotion }) => {
      await openScreen(page, `/promotion?q=${word}`, "Promotions");
      await expect(page.getByRole("row").filter({ hasText: promotion.name })).toBeVisible();
    },
  },
  {
    name: "promotion drawer",
    open: async (page, { word, promotion }) => {
      await openScreen(page, `/promotion?q=${word}&preview=${promotion.id}`, "Promotions");
      await expect(page.getByText("No redemptions yet.")).toBeVisible();
      await expect(page.getByRole("dialog").getByText("Promotion created")).toBeVisible();
    },
  },
  {
    name: "new promotion form",
    open: async (page) => {
      await openScreen(page, "/promotion/create", "New promotion");
      await expect(page.getByLabel("Package to preview")).toBeVisible();
    },
  },
  {
    name: "promotion edit form",
    open: async (page, { promotion }) => {
      await openScreen(page, `/promotion/edit/${promotion.id}`, `Edit ${promotion.name}`);
      await expect(page.getByText(/A customer who buys/)).toBeVisible();
    },
  },
  {
    name: "account page",
    open: async (page) => {
      await openScreen(page, "/account", "Profile and security");
      await expect(page.getByText("No passkeys yet.")).toBeVisible();
      await expect(page.getByText("This device")).toBeVisible();
    },
  },
  { name: "unknown path", open: (page) => openScreen(page, unknownPath, "Page not found") },
  {
    name: "unknown app",
    open: (page) => openScreen(page, `/apps/view/${unknownAppId}`, "Page not found"),
  },
];
