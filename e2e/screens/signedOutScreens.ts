import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { callApi } from "../data/apps.ts";
import { createOwner, giveCredentials, newPerson, type Person, setPassword } from "../data/team.ts";
import type { Product } from "../environment/product.ts";
import { nowhere, show } from "./screens.ts";

/** Somebody whom the login asks for a code, and somebody's link to a first password. */
export type Visitors = { careful: Person; link: string };

/** A person with an authenticator. Nobody stays signed in. */
export const makeCareful = async (page: Page, product: Product): Promise<Person> => {
  const careful = newPerson("Carla Careful");
  await setPassword(page, await createOwner(product, careful), careful);
  const { email, password } = careful;
  await callApi(page, { method: "POST", path: "/session", body: { email, password } });
  const { secret } = await callApi<{ secret: string }>(page, {
    method: "POST",
    path: "/second-factor/start",
    body: { password },
  });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await callApi(page, { method: "POST", path: "/second-factor/confirm", body: { code } });
  await callApi(page, { method: "DELETE", path: "/session" });
  return careful;
};

type Outside = { name: string; open: (page: Page, visitors: Visitors) => Promise<void> };

const openCodeStep = async (page: Page, { careful }: Visitors) => {
  await show(page, "/login", "Sign in");
  await giveCredentials(page, careful);
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
};

/** What somebody sees who is not signed in. */
export const doorsteps: Outside[] = [
  { name: "the login", open: (page) => show(page, "/login", "Sign in") },
  {
    name: "a refused sign-in",
    open: async (page) => {
      await show(page, "/login", "Sign in");
      await giveCredentials(page, newPerson("Nobody"));
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "the second factor", open: openCodeStep },
  {
    name: "the recovery code",
    open: async (page, visitors) => {
      await openCodeStep(page, visitors);
      await page.getByRole("button", { name: "Use a recovery code" }).click();
      await expect(page.getByLabel("Recovery code")).toBeFocused();
    },
  },
  {
    name: "the forgotten password",
    open: async (page) => {
      await show(page, "/login", "Sign in");
      await page.getByRole("button", { name: "Forgot password?" }).click();
      await page.getByLabel("Mail", { exact: true }).fill(newPerson("Nobody").email);
      await page.getByRole("button", { name: "Send a link" }).click();
      await expect(page.locator("#main").getByRole("status")).toContainText("is on its way");
    },
  },
  {
    name: "the first password",
    open: async (page, { link }) => {
      await page.goto("about:blank");
      await show(page, link, "Set your password");
      await expect(page.getByRole("button", { name: "Set password" })).toBeVisible();
    },
  },
  { name: "an unknown path", open: (page) => show(page, nowhere, "Page not found") },
];
