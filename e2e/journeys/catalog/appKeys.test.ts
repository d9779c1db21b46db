import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { type App, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { dropFirstResponse, toast } from "../../pages/forms.ts";

// @nightly: The gate creates and revokes a key; key rules are covered over HTTP.

const openApp = async (page: Page, { id, name }: App) => {
  await page.goto(`/apps/view/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
};

const rowOf = (page: Page, key: string) => page.getByRole("row", { name: new RegExp(`^${key} `) });
const newKey = (page: Page, { name }: App) =>
  page.getByRole("dialog", { name: `New API key for ${name}` });
const secretShown = (page: Page) => page.getByRole("dialog", { name: "Save your API key" });

const startKey = async (page: Page, app: App) => {
  await page.getByRole("button", { name: "New key" }).click();
  await expect(newKey(page, app).getByRole("textbox", { name: "Name" })).toBeFocused();
};

/** The API's response to an app that uses this key. */
const callWith = (request: APIRequestContext, origin: string, secret: string) =>
  request.get(`${origin}/api/calling-app`, { headers: { authorization: `Bearer ${secret}` } });

const makeKey = (page: Page, { id }: App, name: string) =>
  callApi<{ id: string; secret: string }>(page, {
    method: "POST",
    path: `/apps/${id}/keys`,
    body: { name, kind: "server", scopes: ["entitlements:read"] },
  });

test("An API key is shown once, can be copied and is never shown again", async ({
  ownerPage: page,
  context,
  product,
  playwright,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const app = await makeApp(page);
  await openApp(page, app);
  await expect(page.getByText("No API keys yet.")).toBeVisible();
  await startKey(page, app);
  await page.keyboard.type("web-server-1");
  await page.getByRole("checkbox", { name: "Record usage" }).check();
  await page.keyboard.press("Enter");

  const shown = secretShown(page);
  await shown.getByRole("button", { name: "Copy API key" }).click();
  await expect(shown.getByRole("status")).toHaveText("Copied");
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await expect(shown).toContainText(secret);
  // The dialog closes only by its button, so that the key isn't lost by accident.
  await page.keyboard.press("Escape");
  await page.mouse.click(4, 4);
  await expect(shown).toBeVisible();
  await expect(shown.getByRole("button", { name: "Close" })).toHaveCount(0);
  await shown.getByRole("button", { name: "I've saved it" }).click();
  await expect(shown).toBeHidden();
  expect(await page.content()).not.toContain(secret);

  const request = await playwright.request.newContext();
  const answer = await callWith(request, product.origin, secret);
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({
    app: { id: app.id, code: app.code },
    key: { kind: "server", scopes: ["entitlements:read", "usage:write"] },
  });
  await request.dispose();

  await page.reload();
  const row = rowOf(page, "web-server-1");
  await expect(row.getByRole("cell")).toHaveText([
    new RegExp(`^${secret.slice(0, 8)}.*…$`),
    "Server",
    "Check entitlements, Record usage",
    /^(just now|\d+ seconds? ago)$/,
    /^\w+ \d+, \d{4}$/,
    "Active",
    "",
  ]);
  expect(await page.content()).not.toContain(secret);
  await expect(page.locator(".page-facts")).toContainText("1 active API key");

  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.locator(".history > li").first()).toContainText(
    "Berta Boss API key web-server-1 created",
  );
  expect(await page.content()).not.toContain(secret);
});

test("Errors of a new API key are shown at its fields @nightly", async ({ ownerPage: page }) => {
  const app = await makeApp(page);
  await openApp(page, app);
  await startKey(page, app);
  const dialog = newKey(page, app);
  await dialog.getByRole("checkbox", { name: "Check entitlements" }).uncheck();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(name).toHaveAccessibleDescription(/This field is required\./);
  await expect(name).toBeFocused();
  await expect(dialog.getByRole("group", { name: "Permissions" })).toContainText(
    "This field is required.",
  );
  await expect(dialog.getByRole("group", { name: "Permissions" })).toHaveAccessibleDescription(
    "This field is required.",
  );

  // A publishable key cannot be given more than it may have.
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Publishable" }).click();
  await expect(dialog.getByRole("checkbox", { name: "Record usage" })).toBeDisabled();
  await expect(dialog.getByRole("combobox", { name: "Type" })).toHaveAccessibleDescription(
    /Safe to publish/,
  );
  await name.fill("browser");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const origins = dialog.getByRole("textbox", { name: "Origins" });
  await expect(origins).toBeFocused();
  await expect(origins).toHaveAccessibleDescription(/This field is required\./);
  await origins.fill("https://app.example.com");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(secretShown(page)).toBeVisible();
});

test("D1 Origins of a publishable key are checked as typed, shown in the list and edited @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openApp(page, app);
  await startKey(page, app);
  await page.keyboard.type("web");
  const dialog = newKey(page, app);
  await expect(dialog.getByRole("textbox", { name: "Origins" })).toHaveCount(0);
  await dialog.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Publishable" }).click();
  const typed = dialog.getByRole("textbox", { name: "Origins" });
  await typed.fill("https://app.example.com\nhttps://app.example.com/shop");
  await typed.blur();
  await expect(typed).toHaveAccessibleDescription(
    /https:\/\/app\.example\.com\/shop isn't valid\. Enter an origin/,
  );
  await typed.fill("https://app.example.com\n\n");
  await expect(typed).not.toHaveAttribute("aria-invalid", "true");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await secretShown(page).getByRole("button", { name: "I've saved it" }).click();
  await expect(rowOf(page, "web")).toContainText("https://app.example.com");

  await page.getByRole("button", { name: "Edit origins of web" }).click();
  const editing = page.getByRole("dialog", { name: "Origins of web" });
  const origins = editing.getByRole("textbox", { name: "Origins" });
  await expect(origins).toBeFocused();
  await expect(origins).toHaveValue("https://app.example.com");
  await origins.fill("*");
  await editing.getByRole("button", { name: "Save origins" }).click();
  await expect(origins).toHaveAccessibleDescription(/\* isn't valid\. Enter an origin/);
  await origins.fill("https://app.example.com\nhttps://beta.example.com");
  await editing.getByRole("button", { name: "Save origins" }).click();
  await expect(toast(page, "Origins of web saved")).toBeVisible();
  await expect(editing).toBeHidden();
  await expect(rowOf(page, "web")).toContainText("https://beta.example.com");
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.locator(".history > li").first()).toContainText("https://beta.example.com");
});

test("A double click creates one API key @nightly", async ({ ownerPage: page }) => {
  const app = await makeApp(page);
  await openApp(page, app);
  await startKey(page, app);
  await page.keyboard.type("only-one");
  await newKey(page, app).getByRole("button", { name: "Create key" }).dblclick();
  await secretShown(page).getByRole("button", { name: "I've saved it" }).click();
  await expect(rowOf(page, "only-one")).toHaveCount(1);
  const { items } = await callApi<{ items: unknown[] }>(page, { path: `/apps/${app.id}/keys` });
  expect(items).toHaveLength(1);
});

test("A retry after a lost response creates no second API key @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openApp(page, app);
  await startKey(page, app);
  await page.keyboard.type("only-one");
  await dropFirstResponse(page, "**/api/apps/*/keys");
  await page.keyboard.press("Enter");
  await expect(newKey(page, app).getByRole("alert")).toContainText("Can't reach the server");
  await newKey(page, app).getByRole("button", { name: "Create key" }).click();
  await secretShown(page).getByRole("button", { name: "I've saved it" }).click();
  const { items } = await callApi<{ items: unknown[] }>(page, { path: `/apps/${app.id}/keys` });
  expect(items).toHaveLength(1);
});

test("Revoking an API key lists the consequences and rejects the next request with it", async ({
  ownerPage: page,
  product,
  playwright,
}) => {
  const app = await makeApp(page);
  const { secret } = await makeKey(page, app, "old-server");
  await makeKey(page, app, "new-server");
  const request = await playwright.request.newContext();
  expect((await callWith(request, product.origin, secret)).status()).toBe(200);
  await openApp(page, app);
  await page.getByRole("button", { name: "Revoke old-server" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Revoke the API key old-server?" });
  await expect(dialog).toContainText(
    "This can't be undone. Requests with this key are rejected immediately.",
  );
  await expect(dialog.getByRole("row")).toHaveText([
    /API keys that stop working\s*1$/,
    new RegExp(`Active API keys left for ${app.name}\\s*1$`),
    /Last used\s*(just now|\d+ seconds? ago)$/,
  ]);
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await callWith(request, product.origin, secret)).status()).toBe(200);

  await page.getByRole("button", { name: "Revoke old-server" }).click();
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(toast(page, "API key old-server revoked")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, "old-server")).toContainText("Revoked");
  await expect(page.getByRole("button", { name: "Revoke old-server" })).toHaveCount(0);
  await expect(rowOf(page, "new-server")).toContainText("Active");
  expect((await callWith(request, product.origin, secret)).status()).toBe(401);
  await request.dispose();
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.locator(".history > li").first()).toContainText(
    "Berta Boss API key old-server revoked",
  );
});

test("An API key shows its status and warns before it expires @nightly", async ({
  ownerPage: page,
  product: { database },
}) => {
  const app = await makeApp(page);
  const words = {
    "for-ever": [null, "Active"],
    "in-a-month": ["30 days", "Active"],
    "in-two-weeks": ["14 days", "Expires in 14 days"],
    "in-half-a-week": ["3.5 days", "Expires in 4 days"],
    tomorrow: ["20 hours", "Expires in 1 day"],
    over: ["-1 hour", "Expired"],
  } as const;
  for (const [name, [lifetime]] of Object.entries(words)) {
    const { id } = await makeKey(page, app, name);
    await database.query(
      "update app_keys set expires_at = now() + $2::interval, created_at = now() - interval '9 days' where id = $1",
      [id, lifetime],
    );
  }
  await openApp(page, app);
  for (const [name, [lifetime, word]] of Object.entries(words)) {
    const row = rowOf(page, name);
    await expect(row.getByRole("cell").nth(5)).toHaveText(word);
    await expect(row.getByRole("cell").nth(4)).toHaveText(lifetime ? /\d{4}$/ : "Never");
    await expect(row.getByRole("button")).toHaveCount(word === "Expired" ? 0 : 1);
  }
  await expect(page.locator(".page-facts")).toContainText("5 active API keys");
});
