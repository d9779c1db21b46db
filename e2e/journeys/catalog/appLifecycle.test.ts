import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { type App, activateApp, makeApp } from "../../data/apps.ts";
import { makeAppWithSeats, sellPackage } from "../../data/packageVersions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { streamOfChanges } from "../../pages/liveChanges.ts";

// @nightly: The gate follows one app through its states; refusals are covered over HTTP.

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const stateOf = async (page: Page, { id }: App) =>
  (await callApi<App>(page, { path: `/apps/${id}` })).status;

const openView = async (page: Page, { id, name }: App) => {
  await page.goto(`/apps/view/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
};

/** The status in the page header. */
const expectState = (page: Page, word: string) =>
  expect(page.locator(".page-meta")).toHaveText(word);

/** The actions in the page header and its menu. */
const offered = async (page: Page) => {
  const acts = page.locator(".page-actions");
  const shown = await acts.locator("a, button:not([aria-haspopup])").allInnerTexts();
  await acts.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  const more = await page.getByRole("menuitem").allInnerTexts();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  return [...shown, ...more];
};

test("An app is activated, archived and restored, and each step shows its consequences @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openView(page, app);
  await expectState(page, "Draft");
  expect(await offered(page)).toEqual(["Activate", "Edit", "Duplicate", "Copy link", "Delete"]);

  await button(page, "Activate").click();
  const activating = dialog(page, `Activate ${app.name}?`);
  await expect(activating).toContainText("Active apps can be added to packages and sold.");
  await expect(activating).toContainText(`The code ${app.code} can't be changed after activation.`);
  await expect(button(page, "Cancel")).toBeFocused();
  await button(page, "Cancel").click();
  await expect(activating).toBeHidden();
  expect(await stateOf(page, app)).toBe("draft");
  await button(page, "Activate").click();
  await button(page, `Activate ${app.name}`).click();
  await expect(toast(page, `${app.name} activated`)).toBeVisible();
  await expectState(page, "Active");
  const whileActive = ["Archive", "Suspend app", "Edit", "Duplicate", "Copy link"];
  expect(await offered(page)).toEqual(whileActive);

  await button(page, "Archive").click();
  const archiving = dialog(page, `Archive ${app.name}?`);
  await expect(archiving.getByRole("row")).toHaveText([
    /Apps that can no longer be added to packages\s*1$/,
    /API keys that keep working\s*0$/,
    /Packages that can't be sold\s*0$/,
    /Customers who keep access\s*0$/,
    /Customers whose subscriptions keep renewing\s*0$/,
    /Customers who lose access\s*0$/,
  ]);
  await button(page, "Cancel").click();
  await expect(archiving).toBeHidden();
  expect(await stateOf(page, app)).toBe("active");
  await button(page, "Archive").click();
  await button(page, `Archive ${app.name}`).click();
  await expect(toast(page, `${app.name} archived`)).toBeVisible();
  await expectState(page, "Archived");
  expect(await offered(page)).toEqual(["Restore", "Suspend app", "Duplicate", "Copy link"]);
  // Customers keep their access, so the app may need a new key.
  await expect(button(page, "New key")).toBeVisible();

  // An action that can be undone asks for no confirmation.
  await button(page, "Restore").click();
  await expect(toast(page, `${app.name} restored`)).toBeVisible();
  await expectState(page, "Active");
  expect(await stateOf(page, app)).toBe("active");
});

/** An app in a package on sale, and a customer who has the package. */
const sellApp = async (page: Page) => {
  const part = await makeAppWithSeats(page);
  const pack = await sellPackage(page, {}, part);
  await callApi(page, {
    method: "POST",
    path: "/grants",
    body: {
      email: `${pack.code}@example.com`,
      packageId: pack.id,
      endsAt: null,
      reason: "For the test",
    },
  });
  const app = await callApi<App>(page, { path: `/apps/${part.app.id}` });
  return { app, pack };
};

test("M11 Suspending an app shows how many customers lose access, requires a reason and can be undone", async ({
  ownerPage: page,
}) => {
  const { app } = await sellApp(page);
  await openView(page, app);
  await button(page, "Suspend app").click();
  const suspending = page.getByRole("alertdialog", { name: `Suspend ${app.name}?` });
  await expect(suspending.getByRole("row")).toHaveText([
    /Customers who lose access now\s*1$/,
    /Customers whose subscriptions keep renewing\s*0$/,
    /Packages that remain on sale\s*1$/,
    /Active API keys\s*0$/,
    /Last API request\s*Never$/,
  ]);
  const confirm = suspending.getByRole("button", { name: `Suspend ${app.name}` });
  await confirm.click();
  await expect(suspending.getByText("This field is required.")).toBeVisible();
  await suspending.getByRole("textbox", { name: "Reason" }).fill("A security incident");
  await confirm.click();
  await expectState(page, "Suspended");
  await expect(page.getByText("No customer can use this app until you resume it.")).toBeVisible();
  expect(await offered(page)).toContain("Resume app");

  await toast(page, `${app.name} suspended`).getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, `App ${app.name} resumed`)).toBeVisible();
  await expectState(page, "Active");
  await page.getByRole("link", { name: "Activity" }).click();
  const entries = page.locator(".history > li");
  await expect(entries.nth(0)).toContainText("App resumed");
  await expect(entries.nth(1)).toContainText("App suspended");
  await expect(entries.nth(1)).toContainText("A security incident");
});

test("M11 Archiving an app names the packages that can't be sold, and they show why @nightly", async ({
  ownerPage: page,
}) => {
  const { app, pack } = await sellApp(page);
  await openView(page, app);
  await button(page, "Archive").click();
  const archiving = dialog(page, `Archive ${app.name}?`);
  await expect(archiving).toContainText("1 customer has access without an end date.");
  await expect(archiving.getByRole("listitem")).toHaveText(`${pack.name}Version 1 (On sale)`);
  await archiving.getByRole("button", { name: `Archive ${app.name}` }).click();
  await expectState(page, "Archived");

  await page.goto(`/package/view/${pack.id}`);
  await expectState(page, "Can't be sold");
  await expect(page.getByText("Version 1 can't be sold.")).toContainText(
    `Includes ${app.name}, which is archived.`,
  );
  await page.getByRole("link", { name: `Open ${app.name}` }).click();
  await button(page, "Restore").click();
  await page.goto(`/package/view/${pack.id}`);
  await expectState(page, "On sale");
});

test("An archived app can't be edited, and its form says how to restore it @nightly", async ({
  ownerPage: page,
}) => {
  const active = await activateApp(page, await makeApp(page));
  await callApi(page, {
    method: "POST",
    path: `/apps/${active.id}/archive`,
    version: active.version,
    body: {},
  });
  await page.goto(`/apps/edit/${active.id}`);
  await expect(page.getByRole("heading", { name: `${active.name} is archived` })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Restore it to make changes.");
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page).toHaveTitle(new RegExp(active.name));
  await page.getByRole("link", { name: "Restore it" }).click();
  await expect(button(page, "Restore")).toBeVisible();
  // The edit shortcut is off as well.
  await page.keyboard.press("e");
  await button(page, "Restore").click();
  await expectState(page, "Active");
  await expect(page).toHaveURL(`/apps/view/${active.id}`);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeVisible();
});

test("Only a draft without API keys can be deleted, even if its keys are revoked @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  const { id } = await callApi<{ id: string }>(page, {
    method: "POST",
    path: `/apps/${app.id}/keys`,
    body: { name: "server-1", kind: "server", scopes: ["usage:write"] },
  });
  await openView(page, app);
  expect(await offered(page)).toEqual(["Activate", "Edit", "Duplicate", "Copy link"]);
  await callApi(page, { method: "POST", path: `/apps/${app.id}/keys/${id}/revoke`, body: {} });
  await openView(page, app);
  expect(await offered(page)).not.toContain("Delete");
  await expect(
    callApi(page, { method: "DELETE", path: `/apps/${app.id}`, version: app.version }),
  ).rejects.toThrow(/409|412/);
  expect(await stateOf(page, app)).toBe("draft");
});

test("An action on an app that was changed meanwhile is rejected in its dialog @nightly", async ({
  ownerPage: page,
}) => {
  const app = await activateApp(page, await makeApp(page));
  // This page does not hear of others' changes.
  await page.route(streamOfChanges, (route) => route.abort());
  await openView(page, app);
  await button(page, "Archive").click();
  await expect(dialog(page, `Archive ${app.name}?`)).toBeVisible();
  await callApi(page, {
    method: "POST",
    path: `/apps/${app.id}/archive`,
    version: app.version,
    body: {},
  });
  await button(page, `Archive ${app.name}`).click();
  await expect(dialog(page, `Archive ${app.name}?`).getByRole("alert")).toContainText(
    "Someone else saved changes since you opened this.",
  );
});
