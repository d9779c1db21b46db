import { expect, type Page } from "@playwright/test";
import type { User } from "../data/customers.ts";

type Screen = { name: string; open: (page: Page, records: { user: User }) => Promise<void> };

const openScreen = async (page: Page, path: string, name: string) => {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
};

const openUser = async (page: Page, { id, name }: User, search = "") => {
  await openScreen(page, `/users/view/${id}${search}`, name);
  await expect(page.locator("main time").first()).toBeVisible();
};

/** The screens of users. */
export const peopleScreens: Screen[] = [
  {
    name: "user list",
    open: async (page, { user }) => {
      await openScreen(page, `/users?q=${user.email}`, "Users");
      await expect(page.getByRole("row").filter({ hasText: user.name })).toBeVisible();
    },
  },
  { name: "new user form", open: (page) => openScreen(page, "/users/create", "New user") },
  {
    name: "new team member form",
    open: async (page) => {
      await openScreen(page, "/users/create", "New user");
      await page.getByRole("radio", { name: /^Team member/ }).check();
      await expect(page.getByRole("radio", { name: /^Finance/ })).toBeVisible();
    },
  },
  {
    name: "user edit form",
    open: (page, { user }) => openScreen(page, `/users/edit/${user.id}`, `Edit ${user.name}`),
  },
  {
    name: "user overview",
    open: async (page, { user }) => {
      await openUser(page, user);
      await expect(page.getByText("Pays late.").first()).toBeVisible();
      const figures = page.locator(".summary-strip .strip-cell");
      await expect(figures.first()).toBeVisible();
      await expect(figures.and(page.locator("[aria-busy=true]"))).toHaveCount(0);
    },
  },
  {
    name: "user payments",
    open: async (page, { user }) => {
      await openUser(page, user, "?tab=payments");
      await expect(page.getByRole("rowheader", { name: /^TX-/ })).toBeVisible();
    },
  },
  { name: "user notes", open: (page, { user }) => openUser(page, user, "?tab=notes") },
  { name: "user activity", open: (page, { user }) => openUser(page, user, "?tab=activity") },
];

/** The overlays of those screens. */
export const peopleOverlays: Screen[] = [
  {
    name: "suspend dialog",
    open: async (page, { user }) => {
      await openUser(page, user);
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Suspend…" }).click();
      await expect(page.getByRole("dialog", { name: `Suspend ${user.name}?` })).toBeVisible();
    },
  },
  {
    name: "new note",
    open: async (page, { user }) => {
      await openUser(page, user);
      await page.getByRole("link", { name: "Add note" }).click();
      await page.getByRole("textbox", { name: "Add note" }).fill("@");
      await expect(page.getByRole("option").first()).toBeVisible();
    },
  },
];
