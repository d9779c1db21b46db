import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { callApi } from "../data/api.ts";
import { createOwner, newPerson, type Person } from "../data/team.ts";
import type { Product } from "../environment/product.ts";
import { expectSignedIn, setPassword, submitCredentials } from "../pages/signIn.ts";
import { openScreen, unknownPath } from "./openScreen.ts";

/** A user with two-factor authentication, and a link that sets a first password. */
export type SignedOutContext = { twoFactorOwner: Person; link: string };

/** Creates an owner with two-factor authentication. The page is signed out again. */
export const createTwoFactorOwner = async (page: Page, product: Product): Promise<Person> => {
  const twoFactorOwner = newPerson("Carla Careful");
  await setPassword(page, await createOwner(product, twoFactorOwner), twoFactorOwner);
  const { password } = twoFactorOwner;
  await expectSignedIn(page, twoFactorOwner);
  const path = "/session/confirmation/password";
  await callApi(page, { method: "POST", path, body: { password } });
  const { secret } = await callApi<{ secret: string }>(page, {
    method: "POST",
    path: "/two-factor/start",
    body: {},
  });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await callApi(page, { method: "POST", path: "/two-factor/confirm", body: { code } });
  await callApi(page, { method: "DELETE", path: "/session" });
  return twoFactorOwner;
};

type SignedOutScreen = {
  name: string;
  open: (page: Page, visitors: SignedOutContext) => Promise<void>;
};

const openCodeStep = async (page: Page, { twoFactorOwner }: SignedOutContext) => {
  await openScreen(page, "/login", "Sign in");
  await submitCredentials(page, twoFactorOwner);
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
};

/** The screens of a visitor without a session. */
export const signedOutScreens: SignedOutScreen[] = [
  { name: "login", open: (page) => openScreen(page, "/login", "Sign in") },
  {
    name: "rejected sign-in",
    open: async (page) => {
      await openScreen(page, "/login", "Sign in");
      await submitCredentials(page, newPerson("Nobody"));
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "two-factor code", open: openCodeStep },
  {
    name: "recovery code",
    open: async (page, visitors) => {
      await openCodeStep(page, visitors);
      await page.getByRole("button", { name: "Use a recovery code" }).click();
      await expect(page.getByLabel("Recovery code")).toBeFocused();
    },
  },
  {
    name: "forgotten password",
    open: async (page) => {
      await openScreen(page, "/login", "Sign in");
      await page.getByRole("button", { name: "Forgot password?" }).click();
      await page.getByLabel("Email", { exact: true }).fill(newPerson("Nobody").email);
      await page.getByRole("button", { name: "Send link" }).click();
      await expect(page.locator("#main").getByRole("status")).toContainText(
        "we sent a link to set a new password",
      );
    },
  },
  {
    name: "first password",
    open: async (page, { link }) => {
      await page.goto("about:blank");
      await openScreen(page, link, "Set your password");
      await expect(page.getByRole("button", { name: "Set password" })).toBeVisible();
    },
  },
  { name: "unknown path", open: (page) => openScreen(page, unknownPath, "Page not found") },
];
