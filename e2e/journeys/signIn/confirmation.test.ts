import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { callApi } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { createOwner, newPerson } from "../../data/team.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { expectAccessible } from "../../pages/accessibility.ts";
import { addPasskey, addVirtualAuthenticator } from "../../pages/passkeys.ts";
import { setPassword } from "../../pages/signIn.ts";

// @nightly: The gate confirms with a passkey; codes are covered over HTTP.

const expireProof = ({ database }: Product, { email }: { email: string }) =>
  database.query(
    `update sessions set proven_at = now() - interval '1 hour'
     where user_id = (select id from users where email = $1)`,
    [email],
  );

const confirmation = (page: Page) => page.getByRole("dialog", { name: "Confirm it's you" });

/** Submits the form of a new key. */
const createKey = async (page: Page, appId: string, name: string) => {
  await page.goto(`/apps/view/${appId}`);
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog", { name: /key/ });
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByRole("button", { name: "Create key" }).click();
};

const expectOneKey = async (page: Page, appId: string, name: string) => {
  await expect(
    page.getByText("Copy this key now. You won't be able to see it again."),
  ).toBeVisible();
  const { items } = await callApi<{ items: { name: string }[] }>(page, {
    path: `/apps/${appId}/keys`,
  });
  expect(items.filter((key) => key.name === name)).toHaveLength(1);
};

test("D6 A passkey confirms the named action on Enter, and the action continues", async ({
  page,
  owner,
  product,
}) => {
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto("/account");
  await addPasskey(page, owner, "Laptop");
  await expect(page.getByRole("list", { name: "Your passkeys" })).toContainText("Laptop");
  const app = await makeApp(page);
  await expireProof(product, owner);
  await page.reload();
  await createKey(page, app.id, "web-1");
  const dialog = confirmation(page);
  await expect(dialog).toContainText("Create the API key “web-1”");
  await expectAccessible(page);
  await expect(dialog.getByRole("button", { name: "Use passkey" })).toBeFocused();

  await authenticator.verifyUser(false);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("That didn't work. Try again.");
  await authenticator.verifyUser(true);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expectOneKey(page, app.id, "web-1");
});

test("D6 Without a passkey the code is asked for at once, and the action continues @nightly", async ({
  page,
  owner,
  product,
}) => {
  const path = "/two-factor/start";
  const { secret } = await callApi<{ secret: string }>(page, { method: "POST", path, body: {} });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = totp.generate();
  await callApi(page, { method: "POST", path: "/two-factor/confirm", body: { code } });
  const app = await makeApp(page);
  await expireProof(product, owner);
  await createKey(page, app.id, "web-2");
  const dialog = confirmation(page);
  const field = dialog.getByLabel("Code from your authenticator app");
  await expect(field).toBeFocused();
  await field.fill("000000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await field.fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expectOneKey(page, app.id, "web-2");
});

test("D7 The first owner of a new installation sets up two-factor authentication at the first sign-in", async ({
  browser,
  startWorkspace,
}) => {
  const { product } = await startWorkspace();
  // As after the first migration.
  await product.database.query(
    `update settings set second_factor_grace_days = 0,
       second_factor_roles = '{owner,admin,catalog,finance,support,viewer}'`,
  );
  const context = await browser.newContext({ baseURL: product.origin });
  const page = await context.newPage();
  const first = newPerson("Fiona First");
  await setPassword(page, await createOwner(product, first), first);
  await expect(page).toHaveURL("/account");
  await expect(page.getByText(/^Your role requires two-factor authentication\./)).toBeVisible();
  await page.getByRole("button", { name: "Set up 2FA" }).click();
  const dialog = confirmation(page);
  await expect(dialog).toContainText("Set up an authenticator app");
  await dialog.getByLabel("Your password", { exact: true }).fill(first.password);
  await page.keyboard.press("Enter");
  const form = page.locator("form", { hasText: "Add this secret to your authenticator app" });
  const secret = await form.getByText(/^[A-Z2-7]{16,}$/).innerText();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await page.getByLabel("Code from the app").fill(code);
  await page.getByRole("button", { name: "Turn on 2FA" }).click();
  await page.getByRole("button", { name: "I've saved them" }).click();
  await page.goto("/apps");
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  await expect(page.getByText(/requires two-factor authentication/)).toHaveCount(0);
  await context.close();
});
