import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { type App, activateApp, changeApp, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, openEdit, toast } from "../../pages/forms.ts";
import { waitForStream } from "../../pages/liveChanges.ts";

// @nightly: The gate covers copying an id, the history and live updates; this is a variant.

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const entries = (page: Page) => page.locator(".history > li");

const openView = async (page: Page, { id, name }: App, search = "") => {
  await page.goto(`/apps/view/${id}${search}`);
  await expect(heading(page)).toHaveText(name);
};

/** Opens the page and waits until it receives live updates. */
const openLive = async (page: Page, app: App, search = "") => {
  const following = waitForStream(page);
  await openView(page, app, search);
  await following;
};

test("VW1 Copying an ID copies all of it and shows a confirmation @nightly", async ({
  ownerPage: page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const app = await makeApp(page);
  await openView(page, app);
  for (const [what, copied] of [
    ["ID", app.id],
    ["code", app.code],
  ] as const) {
    const button = page.getByRole("button", { name: `Copy ${what}` }).first();
    const said = page.getByRole("status").filter({ hasText: "Copied" });
    await Promise.all([said.waitFor(), button.click()]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
    await expect(button).toBeFocused();
    // The confirmation is announced again on the next copy.
    await expect(said).toHaveCount(0);
  }
});

test("VW2 After an edit the first history entry shows who, when and the previous value @nightly", async ({
  ownerPage: page,
  sharedOwner,
}) => {
  const app = await makeApp(page, { description: "Old words" });
  await openEdit(page, app);
  await fieldOf(page, "description").fill("New words");
  await page.keyboard.press("Control+s");
  await toast(page, "saved").getByRole("button", { name: "View" }).click();
  await page.getByRole("link", { name: "Activity" }).click();

  const first = entries(page).first();
  await expect(first).toContainText(`${sharedOwner.name} App changed`);
  await expect(first.getByRole("row")).toHaveCount(2);
  await expect(first.getByRole("row").last().locator("th, td")).toHaveText([
    "Description",
    "−Old words",
    "+New words",
  ]);
  const time = first.locator("time");
  await expect(time).toHaveText(/^(just now|\d+ seconds? ago|\d+ minutes? ago)$/);
  const at = new Date((await time.getAttribute("datetime")) ?? "");
  expect(Date.now() - at.getTime()).toBeLessThan(60_000);
  // The time is the link's name, so a screen reader reads it too.
  await expect(first.getByRole("link", { name: /ago|now/ })).toBeVisible();
  await expect(entries(page)).toHaveCount(2);
  await expect(entries(page).last()).toContainText(`${sharedOwner.name} App created`);
});

const activityOf = (page: Page, { id }: App) =>
  callApi<{ items: { id: string }[]; next: string | null }>(page, {
    path: `/apps/${id}/activity`,
  });

/** Changes the app so often that its history does not fit on the screen. */
const makeHistory = async (page: Page, app: App, amount: number) => {
  for (let change = 1; change <= amount; change += 1)
    await changeApp(page, app.id, { description: `Change ${change}` });
};

test("VW3 A link to a history entry opens that entry @nightly", async ({ ownerPage: page }) => {
  const app = await makeApp(page);
  await makeHistory(page, app, 20);
  const { items } = await activityOf(page, app);
  const wanted = items.at(-2)?.id ?? "";
  await openView(page, app, `?tab=activity#${wanted}`);
  const entry = entries(page).filter({ hasText: "Change 1" }).last();
  await expect(entry).toHaveAttribute("id", wanted);
  await expect(entry).toBeFocused();
  await expect(entry).toBeInViewport();

  // The entries' own links are such links.
  const other = entries(page).nth(2);
  await other.getByRole("link", { name: "Link to this entry" }).click();
  await expect(other).toBeFocused();
  await expect(page).toHaveURL(`/apps/view/${app.id}?tab=activity#${items[2]?.id}`);
});

test("VW3 A link to an older history entry loads and opens that entry @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await makeHistory(page, app, 27);
  const { next } = await activityOf(page, app);
  const { items } = await callApi<{ items: { id: string }[] }>(page, {
    path: `/apps/${app.id}/activity?after=${next}`,
  });
  const oldest = items.at(-1)?.id ?? "";
  await openView(page, app, `?tab=activity#${oldest}`);
  const entry = entries(page).filter({ hasText: "App created" });
  await expect(entry).toBeFocused();
  await expect(entry).toBeInViewport();
});

for (const [what, id] of Object.entries({
  "an unknown": randomUUID(),
  "a malformed": "01a1ddd8-7d71",
  "a strange": "<b>%20",
}))
  for (const kind of ["view", "edit"])
    test(`VW4 The ${kind} page of ${what} ID shows "not found" inside the layout @nightly`, async ({
      ownerPage: page,
    }) => {
      await page.goto(`/apps/${kind}/${encodeURIComponent(id)}`);
      await expect(heading(page)).toHaveText("Page not found");
      await expect(page.getByRole("main")).toContainText(`No record has the ID ${id}.`);
      await expect(page).toHaveTitle(/^Page not found · /);
      const nav = page.getByRole("navigation", { name: "Main" });
      await nav.getByRole("link", { name: "Apps" }).click();
      await expect(heading(page)).toHaveText("Apps");
    });

test("VW5 A change by another user appears live and keeps the focus", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await activateApp(page, await makeApp(page));
  await openLive(page, app);
  const button = page.getByRole("button", { name: "New key" });
  await button.focus();
  const name = `Renamed ${app.code}`;
  await changeApp(colleaguePage, app.id, { name, supportEmail: "help@example.com" });
  await expect(heading(page)).toHaveText(name, { timeout: 3000 });
  await expect(page.getByRole("link", { name: "help@example.com" })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`^${name} · `));
  await expect(button).toBeFocused();

  await callApi(colleaguePage, {
    method: "POST",
    path: `/apps/${app.id}/archive`,
    version: app.version + 1,
    body: {},
  });
  await expect(page.getByRole("button", { name: "Restore" })).toBeVisible({ timeout: 3000 });
});

test("VW5 An API key created or revoked by another user appears live @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openLive(page, app);
  const copy = page.getByRole("button", { name: "Copy ID" });
  await copy.focus();
  const key = await callApi<{ id: string }>(colleaguePage, {
    method: "POST",
    path: `/apps/${app.id}/keys`,
    body: { name: "theirs", kind: "server", scopes: ["usage:write"] },
  });
  const row = page.getByRole("row", { name: /^theirs/ });
  await expect(row).toContainText("Active", { timeout: 3000 });
  await expect(page.locator(".page-facts")).toContainText("1 active API key");
  await callApi(colleaguePage, {
    method: "POST",
    path: `/apps/${app.id}/keys/${key.id}/revoke`,
    body: {},
  });
  await expect(row).toContainText("Revoked", { timeout: 3000 });
  await expect(page.locator(".page-facts")).toContainText("0 active API keys");
  await expect(copy).toBeFocused();
});

test("VW5 An open history shows new entries by other users live @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openLive(page, app, "?tab=activity");
  await expect(entries(page)).toHaveCount(1);
  await changeApp(colleaguePage, app.id, { description: "Theirs" });
  await expect(entries(page)).toHaveCount(2, { timeout: 3000 });
  await expect(entries(page).first()).toContainText("Carl Colleague App changed");
});
