import { expect, type Page } from "@playwright/test";
import { type App, activateApp, callApi, makeApp, uniqueCode } from "../data/apps.ts";
import { makeUser, type User } from "../data/customers.ts";
import { type Feature, makeFeature, regions } from "../data/features.ts";
import type { Package } from "../data/packages.ts";
import { sellPackage } from "../data/packageVersions.ts";
import { makePromotion, type Promotion, publishPromotion } from "../data/promotions.ts";
import { openAccount } from "../data/team.ts";
import { type Sale, sell } from "../data/transactions.ts";
import { moneyOverlays, moneyScreens } from "./moneyScreens.ts";
import { peopleOverlays, peopleScreens } from "./peopleScreens.ts";

/** What the places of the office show: a word that finds both apps, and no other's. */
export type Records = {
  word: string;
  draft: App;
  active: App;
  feature: Feature;
  sold: Package;
  promotion: Promotion;
  sale: Sale;
  user: User;
};

export const makeRecords = async (page: Page): Promise<Records> => {
  const word = uniqueCode("both");
  const make = (kind: string) =>
    makeApp(page, { code: `${word}-${kind}`, name: `${kind} ${word}`, description: "For people." });
  const draft = await make("draft");
  const active = await activateApp(page, await make("active"));
  await callApi(page, {
    method: "POST",
    path: `/apps/${active.id}/keys`,
    body: { name: "web-server-1", kind: "server", scopes: ["entitlements:read"] },
  });
  const feature = await makeFeature(page, { ...regions, name: `Regions ${word}` }, active);
  const sold = await sellPackage(
    page,
    { name: `Sold ${word}` },
    { app: active, feature, value: "ocean" },
  );
  const promotion = await publishPromotion(
    page,
    await makePromotion(page, { name: `Offer ${word}`, packageIds: [sold.id], maxUses: 100 }),
  );
  const user = await makeUser(page, { name: `Buyer ${word}`, country: "PL", note: "Pays late." });
  const sale = await sell(page, sold, { tax: 228, email: user.email });
  return { word, draft, active, feature, sold, promotion, sale, user };
};

export const unknownPath = "/no/such/page";
export const unknownAppId = "01900000-0000-7000-8000-000000000000";

type Screen = { name: string; open: (page: Page, records: Records) => Promise<void> };

export const openScreen = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
};

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

export const openAppList = async (page: Page, { word, draft, active }: Records, query = "") => {
  await openScreen(page, `/apps?q=${word}${query}`, "Apps");
  for (const { name } of [draft, active])
    await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
};

const openApp = async (page: Page, { id, name }: App, query = "") =>
  openScreen(page, `/apps/view/${id}${query}`, name);

/** Every address of the office, as `contract/src/routes.ts` has them, and those that nothing has. */
export const screens: Screen[] = [
  {
    name: "home",
    open: async (page) => {
      await openScreen(page, "/", "Home");
      await expect(page.locator("ol.feed").getByRole("listitem").first()).toBeVisible();
      await expect(page.getByRole("link", { name: /^Set up/ })).toBeVisible();
    },
  },
  { name: "the list", open: (page, records) => openAppList(page, records) },
  {
    name: "a list that finds nothing",
    open: async (page) => {
      await openScreen(page, `/apps?q=${uniqueCode("none")}`, "Apps");
      await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
    },
  },
  { name: "the new app", open: (page) => openScreen(page, "/apps/create", "New app") },
  {
    name: "the change of an app",
    open: (page, { active }) => openScreen(page, `/apps/edit/${active.id}`, `Edit ${active.name}`),
  },
  {
    name: "an app, overview",
    open: async (page, { active }) => {
      await openApp(page, active);
      await expect(page.getByRole("rowheader", { name: "web-server-1" })).toBeVisible();
    },
  },
  {
    name: "an app, activity",
    open: async (page, { active }) => {
      await openApp(page, active, "?tab=activity");
      await expect(page.locator("main time").first()).toBeVisible();
    },
  },
  {
    name: "an app, raw",
    open: async (page, { active }) => {
      await openApp(page, active, "?tab=raw");
      await expect(page.locator("pre")).toContainText(active.code);
    },
  },
  { name: "the webhooks", open: (page) => openScreen(page, "/webhook", "Webhooks") },
  { name: "the settings", open: (page) => openScreen(page, "/settings", "Settings") },
  {
    name: "the catalogue as code",
    open: (page) => openScreen(page, "/catalogue", "Catalogue as code"),
  },
  {
    name: "the list of features",
    open: async (page, { word, feature }) => {
      await openScreen(page, `/feature?q=${word}`, "Features");
      await expect(page.getByRole("row").filter({ hasText: feature.name })).toBeVisible();
    },
  },
  { name: "the new feature", open: (page) => openScreen(page, "/feature/create", "New feature") },
  {
    name: "the change of a feature",
    open: (page, { feature }) =>
      openScreen(page, `/feature/edit/${feature.id}`, `Edit ${feature.name}`),
  },
  {
    name: "a feature, overview",
    open: async (page, { feature }) => {
      await openScreen(page, `/feature/view/${feature.id}`, feature.name);
      await expect(page.getByRole("rowheader", { name: "One ocean" })).toBeVisible();
    },
  },
  {
    name: "the list of packages",
    open: async (page, { word, sold }) => {
      await openScreen(page, `/package?q=${word}`, "Packages");
      await expect(page.getByRole("row").filter({ hasText: sold.name })).toBeVisible();
    },
  },
  {
    name: "the new package",
    open: async (page) => {
      await openScreen(page, "/package/create", "New package");
      await page.getByRole("button", { name: "Add price" }).click();
      await expect(page.getByLabel("Price 1: amount")).toBeFocused();
    },
  },
  {
    name: "the change of a package",
    open: async (page, { sold }) => {
      await openScreen(page, `/package/edit/${sold.id}`, `Edit ${sold.name}`);
      await expect(page.getByLabel("Price 2: amount")).toHaveValue("120.00");
    },
  },
  {
    name: "a package, overview",
    open: async (page, { sold, active }) => {
      await openScreen(page, `/package/view/${sold.id}`, sold.name);
      await expect(page.getByRole("row", { name: /^1 On sale/ })).toBeVisible();
      await expect(page.getByRole("heading", { name: active.name })).toBeVisible();
    },
  },
  {
    name: "a package, activity",
    open: async (page, { sold }) => {
      await openScreen(page, `/package/view/${sold.id}?tab=activity`, sold.name);
      await expect(page.locator("main time").first()).toBeVisible();
    },
  },
  ...moneyScreens,
  ...peopleScreens,
  {
    name: "the list of promotions",
    open: async (page, { word, promotion }) => {
      await openScreen(page, `/promotion?q=${word}`, "Promotions");
      await expect(page.getByRole("row").filter({ hasText: promotion.name })).toBeVisible();
    },
  },
  {
    name: "a promotion beside the list",
    open: async (page, { word, promotion }) => {
      await openScreen(page, `/promotion?q=${word}&preview=${promotion.id}`, "Promotions");
      await expect(page.getByText("Nobody has used it yet.")).toBeVisible();
      await expect(page.getByRole("dialog").getByText("created the promotion")).toBeVisible();
    },
  },
  {
    name: "the new promotion",
    open: async (page) => {
      await openScreen(page, "/promotion/create", "New promotion");
      await expect(page.getByLabel("Package to try")).toBeVisible();
    },
  },
  {
    name: "the change of a promotion",
    open: async (page, { promotion }) => {
      await openScreen(page, `/promotion/edit/${promotion.id}`, `Edit ${promotion.name}`);
      await expect(page.getByText(/^A user buying/)).toBeVisible();
    },
  },
  {
    name: "the account",
    open: async (page) => {
      await openScreen(page, "/account", "Profile and security");
      await expect(page.getByText("You have no passkey yet.")).toBeVisible();
      await expect(page.getByText("this device")).toBeVisible();
    },
  },
  { name: "an unknown path", open: (page) => openScreen(page, unknownPath, "Page not found") },
  {
    name: "an unknown app",
    open: (page) => openScreen(page, `/apps/view/${unknownAppId}`, "Page not found"),
  },
];

const openRowMenu = async (page: Page, records: Records) => {
  await openAppList(page, records);
  await page.getByRole("button", { name: `Actions for ${records.draft.name}` }).click();
  await expect(page.getByRole("menuitem", { name: "Delete" })).toBeVisible();
};

/** What opens over the rooms. */
export const overlays: Screen[] = [
  {
    name: "the palette",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
      await page.keyboard.type(records.word);
      await expect(page.getByRole("option", { name: records.draft.name })).toBeVisible();
    },
  },
  {
    name: "the shortcuts",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.keyboard.press("?");
      await expect(dialogOf(page, "Keyboard shortcuts")).toBeVisible();
    },
  },
  {
    name: "the account panel",
    open: async (page) => {
      await openScreen(page, "/", "Home");
      const panel = await openAccount(page);
      await expect(panel.getByLabel("Single-key shortcuts")).toBeVisible();
    },
  },
  { name: "a row's menu", open: openRowMenu },
  {
    name: "the column chooser",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.getByRole("button", { name: "Columns" }).click();
      await expect(dialogOf(page, "Columns").getByLabel("Pin Code")).toBeVisible();
    },
  },
  {
    name: "the choice of a filter",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await expect(
        dialogOf(page, "Add a filter").getByRole("button", { name: "Status" }),
      ).toBeVisible();
    },
  },
  {
    name: "a filter being made, beside one",
    open: async (page, records) => {
      await openAppList(page, records, "&f=status:any:draft,active");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      const popover = dialogOf(page, "Add a filter");
      await popover.getByRole("button", { name: "Status" }).click();
      await expect(popover.getByRole("button", { name: "Apply filter" })).toBeVisible();
    },
  },
  {
    name: "a selection",
    open: async (page, records) => {
      await openAppList(page, records);
      for (const { name } of [records.draft, records.active])
        await page.getByRole("checkbox", { name: `Select ${name}` }).check();
      await expect(page.getByRole("toolbar", { name: "Selected apps" })).toContainText(
        "2 selected",
      );
    },
  },
  {
    name: "a preview",
    open: async (page, records) => {
      await openAppList(page, records, `&preview=${records.active.id}`);
      await expect(dialogOf(page, `Preview of ${records.active.name}`)).toBeVisible();
    },
  },
  {
    name: "the export",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.getByRole("button", { name: "Export" }).click();
      await expect(dialogOf(page, "Export apps")).toBeVisible();
    },
  },
  {
    name: "the archive question",
    open: async (page, { active }) => {
      await openApp(page, active);
      await page.getByRole("button", { name: "Archive" }).click();
      await expect(dialogOf(page, `Archive ${active.name}?`)).toBeVisible();
    },
  },
  ...moneyOverlays,
  ...peopleOverlays,
  {
    name: "the delete question",
    open: async (page, records) => {
      await openRowMenu(page, records);
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await expect(page.getByLabel(/^Type .* to confirm$/)).toBeFocused();
    },
  },
  {
    name: "the new key, and its kinds",
    open: async (page, { active }) => {
      await openApp(page, active);
      await page.getByRole("button", { name: "New key" }).click();
      await dialogOf(page, /^New key for/)
        .getByRole("combobox", { name: "Kind" })
        .click();
      await expect(page.getByRole("option", { name: "Server" })).toBeVisible();
    },
  },
  {
    name: "the key that is shown once",
    open: async (page, { active }) => {
      await openApp(page, active);
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(uniqueCode("key"));
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(dialogOf(page, "Keep this key now")).toBeVisible();
    },
  },
  {
    name: "the errors of a form",
    open: async (page) => {
      await openScreen(page, "/apps/create", "New app");
      await page.getByRole("button", { name: "Create app" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "the question before leaving a form",
    open: async (page, { active }) => {
      await openScreen(page, `/apps/edit/${active.id}`, `Edit ${active.name}`);
      await page.getByRole("textbox", { name: "Name" }).fill("Not saved");
      await page.getByRole("navigation", { name: "Main" }).getByText("Home").click();
      await expect(dialogOf(page, "Leave without saving?")).toBeVisible();
    },
  },
];
