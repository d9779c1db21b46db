import { expect, type Page } from "@playwright/test";
import { addOwner, type Person } from "../data/team.ts";
import type { Product } from "../environment/product.ts";

/** Opens the link and sets the password, which also signs in or asks for the second step. */
export const setPassword = async (page: Page, link: string, { email, password }: Person) => {
  await page.goto(link);
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Set your password" })).toBeHidden();
};

export const submitCredentials = async (page: Page, { email, password }: Person) => {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

const accountButton = (page: Page, name: string) =>
  page.getByRole("button", { name: `Account of ${name}` });

export const expectSignedIn = (page: Page, { name }: Person) =>
  expect(accountButton(page, name)).toBeVisible();

/** Opens the account panel of the signed-in user. */
export const openAccount = async (page: Page) => {
  await accountButton(page, "").click();
  const panel = page.getByRole("dialog", { name: "Account" });
  await expect(panel).toBeVisible();
  return panel;
};

export const signOut = async (page: Page) => {
  const panel = await openAccount(page);
  await panel.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
};

/** A new owner who is signed in on that page. */
export const signInAsOwner = async (page: Page, product: Product, name = "Olga Owner") => {
  const owner = await addOwner(page.context(), product, name);
  await page.goto("/");
  await expectSignedIn(page, owner);
  return owner;
};
