import { expect, type Page } from "@playwright/test";
import { uniqueCode } from "../data/api.ts";
import { openAccount } from "../pages/signIn.ts";
import { moneyOverlays } from "./moneyScreens.ts";
import { dialogOf, openApp, openAppList, openScreen, type Screen } from "./openScreen.ts";
import { peopleOverlays } from "./peopleScreens.ts";
import type { Records } from "./records.ts";

const openRowMenu = async (page: Page, records: Records) => {
  await openAppList(page, records);
  await page.getByRole("button", { name: `Actions for ${records.draft.name}` }).click();
  await expect(page.getByRole("menuitem", { name: "Delete" })).toBeVisible();
};

/** Everything that opens above a screen. */
export const overlays: Screen[] = [
  {
    name: "palette",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
      await page.keyboard.type(records.word);
      await expect(page.getByRole("option", { name: records.draft.name })).toBeVisible();
    },
  },
  {
    name: "shortcut sheet",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.keyboard.press("?");
      await expect(dialogOf(page, "Keyboard shortcuts")).toBeVisible();
    },
  },
  {
    name: "account panel",
    open: async (page) => {
      await openScreen(page, "/", "Home");
      const panel = await openAccount(page);
      await expect(panel.getByLabel("Single-key shortcuts")).toBeVisible();
    },
  },
  { name: "row menu", open: openRowMenu },
  {
    name: "column chooser",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.getByRole("button", { name: "Columns" }).click();
      await expect(dialogOf(page, "Columns").getByRole("listitem").nth(1)).toBeVisible();
    },
  },
  {
    name: "filter menu",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await expect(
        dialogOf(page, "Add filter").getByRole("button", { name: "Status" }),
      ).toBeVisible();
    },
  },
  {
    name: "second filter",
    open: async (page, records) => {
      await openAppList(page, records, "&f=status:any:draft,active");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      const popover = dialogOf(page, "Add filter");
      await popover.getByRole("button", { name: "Status" }).click();
      await expect(popover.getByRole("button", { name: "Apply filter" })).toBeVisible();
    },
  },
  {
    name: "selection",
    open: async (page, records) => {
      await openAppList(page, records);
      for (const { name } of [records.draft, records.active])
        await page.getByRole("checkbox", { name: `Select ${name}` }).check();
      const toolbar = page.getByRole("toolbar", { name: "Selected rows" });
      await expect(toolbar.getByText("2 selected")).toBeVisible();
    },
  },
  {
    name: "preview",
    open: async (page, records) => {
      await openAppList(page, records, `&preview=${records.active.id}`);
      await expect(dialogOf(page, `Preview of ${records.active.name}`)).toBeVisible();
    },
  },
  {
    name: "export dialog",
    open: async (page, records) => {
      await openAppList(page, records);
      await page.getByRole("button", { name: "Export" }).click();
      await expect(dialogOf(page, "Export apps")).toBeVisible();
    },
  },
  {
    name: "archive dialog",
    open: async (page, { active }) => {
      await openApp(page, active);
      await page.getByRole("button", { name: "Archive" }).click();
      await expect(dialogOf(page, `Archive ${active.name}?`)).toBeVisible();
    },
  },
  {
    name: "suspend app dialog",
    open: async (page, { active }) => {
      await openApp(page, active);
      await page.getByRole("button", { name: "Suspend app" }).click();
      await expect(
        page.getByRole("alertdialog", { name: `Suspend ${active.name}?` }),
      ).toBeVisible();
    },
  },
  ...moneyOverlays,
  ...peopleOverlays,
  {
    name: "delete dialog",
    open: async (page, records) => {
      await openRowMenu(page, records);
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await expect(page.getByRole("textbox", { name: /^Type .* to confirm$/ })).toBeFocused();
    },
  },
  {
    name: "new API key dialog",
    open: async (page, { active }) => {
      await openApp(page, active);
      await page.getByRole("button", { name: "New key" }).click();
      await dialogOf(page, /^New API key for/)
        .getByRole("combobox", { name: "Type" })
        .click();
      await expect(page.getByRole("option", { name: "Server" })).toBeVisible();
    },
  },
  {
    name: "created API key",
    open: async (page, { active }) => {
      await openApp(page, active);
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(uniqueCode("key"));
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(dialogOf(page, "Save your API key")).toBeVisible();
    },
  },
  {
    name: "form errors",
    open: async (page) => {
      await openScreen(page, "/apps/create", "New app");
      await page.getByRole("button", { name: "Create app" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "leave dialog",
    open: async (page, { active }) => {
      await openScreen(page, `/apps/edit/${active.id}`, `Edit ${active.name}`);
      await page.getByRole("textbox", { name: "Name" }).fill("Not saved");
      await page.getByRole("navigation", { name: "Main" }).getByText("Home").click();
      await expect(dialogOf(page, "Leave without saving?")).toBeVisible();
    },
  },
];
