import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { uniqueCode } from "../../data/api.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";

// @nightly: The gate creates an API key in the same dialogs; rotation is covered over HTTP.

const secretShown = (page: Page) => page.getByRole("dialog", { name: "Save your key" });

/** The secret that is shown once. */
const saveSecret = async (page: Page) => {
  const shown = secretShown(page);
  await shown.getByRole("button", { name: "Copy key" }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await expect(shown).toContainText(secret);
  await page.keyboard.press("Escape");
  await expect(shown).toBeVisible();
  await shown.getByRole("button", { name: "I've saved it" }).click();
  await expect(shown).toBeHidden();
  expect(await page.content()).not.toContain(secret);
  return secret;
};

const statusWith = async (request: APIRequestContext, origin: string, secret: string) => {
  const headers = { authorization: `Bearer ${secret}` };
  return (await request.get(`${origin}/api/packages`, { headers })).status();
};

test("A service account's key is shown once, works, is rotated with an overlap and revoked @nightly", async ({
  ownerPage: page,
  context,
  product,
  playwright,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const request = await playwright.request.newContext();
  const name = uniqueCode("Shop backend");
  await page.goto("/settings");
  await page.getByRole("button", { name: "New service account" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(toast(page, "Service account created")).toBeVisible();
  const account = page.getByRole("region", { name, exact: true });
  await expect(account).toContainText("No keys yet.");

  await account.getByRole("button", { name: `New key for ${name}` }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("web-1");
  await page.keyboard.press("Enter");
  const first = await saveSecret(page);
  expect(await statusWith(request, product.origin, first)).toBe(200);
  const rows = account.getByRole("row", { name: /^web-1 / });
  await expect(rows).toContainText("Active");

  await account.getByRole("button", { name: "Rotate web-1" }).click();
  await page.getByRole("button", { name: "Rotate key" }).click();
  const second = await saveSecret(page);
  expect(second).not.toBe(first);
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "Expires in 1 day" })).toHaveCount(1);
  for (const secret of [first, second])
    expect(await statusWith(request, product.origin, secret)).toBe(200);

  const current = rows.filter({ hasText: "Active" });
  await current.getByRole("button", { name: "Revoke web-1" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(toast(page, "Key web-1 revoked")).toBeVisible();
  await expect(rows.filter({ hasText: "Revoked" })).toHaveCount(1);
  expect(await statusWith(request, product.origin, second)).toBe(401);
  expect(await statusWith(request, product.origin, first)).toBe(200);
  await request.dispose();
});
