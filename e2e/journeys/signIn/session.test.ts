import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { changeApp, makeApp } from "../../data/apps.ts";
import type { Person } from "../../data/team.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { streamOfChanges } from "../../pages/liveChanges.ts";
import { expectSignedIn, signOut, submitCredentials } from "../../pages/signIn.ts";

// @nightly: The gate covers an expired session; this is a variant.

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const expireSessions = ({ database }: Product, { email }: Person) =>
  database.query(
    `update sessions set last_seen_at = last_seen_at - interval '1 day'
     where user_id = (select id from users where email = $1)`,
    [email],
  );

const signInAgain = (page: Page) => page.getByRole("dialog", { name: "Sign in again to continue" });

test("SH7 Saving with an expired session asks to sign in again, keeps the input and saves once", async ({
  page,
  owner,
  product,
}) => {
  const app = await makeApp(page);
  await page.goto(`/apps/edit/${app.id}`);
  const name = page.getByLabel("Name", { exact: true });
  const description = page.getByLabel(/^Description/);
  await name.fill(`Renamed ${app.code}`);
  await description.fill("Typed before the session ended.");
  await expireSessions(product, owner);
  const saves: number[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "PUT" && response.url().endsWith(`/api/apps/${app.id}`))
      saves.push(response.status());
  });

  await page.keyboard.press("Control+s");
  const dialog = signInAgain(page);
  await expect(dialog).toBeVisible();
  // Neither Escape nor another save leads past it.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await expect(dialog).toBeVisible();
  await expect(name).toHaveValue(`Renamed ${app.code}`);
  await expect(description).toHaveValue("Typed before the session ended.");
  await expect(dialog.getByLabel("Email", { exact: true })).toHaveValue(owner.email);
  await expect(dialog.getByLabel("Password", { exact: true })).toBeFocused();

  await page.keyboard.type(owner.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`Renamed ${app.code} saved`)).toBeVisible();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
  await expect(page.getByRole("button", { name: /unsaved change/ })).toHaveCount(0);
  expect(saves).toEqual([401, 200]);
  const { rows } = await product.database.query(
    `select version, name, description,
      (select count(*)::int from audit_entries where record_id = apps.id and action = 'update') as changes
     from apps where id = $1`,
    [app.id],
  );
  expect(rows).toEqual([
    {
      version: app.version + 1,
      name: `Renamed ${app.code}`,
      description: "Typed before the session ended.",
      changes: 1,
    },
  ]);
});

test("SH7 A new record with an expired session is created once @nightly", async ({
  page,
  owner,
  product,
}) => {
  const code = uniqueCode();
  await page.goto("/apps/create");
  await page.getByLabel("Name", { exact: true }).fill(`Late ${code}`);
  await page.getByLabel("Code", { exact: true }).fill(code);
  await expect(page.getByText("This code is available.")).toBeVisible();
  await expireSessions(product, owner);
  await page.keyboard.press("Control+Enter");
  const dialog = signInAgain(page);
  await dialog.getByLabel("Password", { exact: true }).fill("not the password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("Incorrect email or password.");
  await expect(page.getByLabel("Code", { exact: true })).toHaveValue(code);
  await dialog.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.keyboard.press("Enter");
  await expect(heading(page, `Late ${code}`)).toBeVisible();
  const { rows } = await product.database.query("select version from apps where code = $1", [code]);
  expect(rows).toEqual([{ version: 1 }]);
});

type Staff = { items: { id: string; email: string; role: string; version: number }[] };

test("SH7 After signing in again the page continues to receive live changes @nightly", async ({
  page,
  owner,
  product,
  browser,
  sharedOwner,
}) => {
  const app = await makeApp(page);
  await page.goto(`/apps/view/${app.id}`);
  await expect(heading(page, app.name)).toBeVisible();
  const context = await browser.newContext({
    baseURL: product.origin,
    storageState: sharedOwner.state,
  });
  const other = await context.newPage();
  const { items } = await callApi<Staff>(other, { path: `/team?q=${owner.email}` });
  const [member] = items;
  if (!member) throw new Error("The owner is not among the staff.");

  // A change of the user makes the server check their session immediately.
  await expireSessions(product, owner);
  const turnedAway = page.waitForResponse(
    (response) => streamOfChanges.test(response.url()) && response.status() === 401,
  );
  await callApi(other, {
    method: "PUT",
    path: `/team/${member.id}`,
    version: member.version,
    body: { name: "Olga Renamed", role: member.role },
  });
  await turnedAway;
  await page.getByRole("link", { name: "Activity" }).click();
  const dialog = signInAgain(page);
  await dialog.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();

  await changeApp(other, app.id, { name: `Renamed ${app.code}` });
  await expect(heading(page, `Renamed ${app.code}`)).toBeVisible();
  await context.close();
});

test("Signing out in one tab redirects the others to sign-in @nightly", async ({
  page,
  owner,
  context,
}) => {
  const others = [await context.newPage(), await context.newPage()];
  for (const [place, other] of others.entries()) {
    await other.goto(place === 0 ? "/" : "/apps?sort=name");
    await expectSignedIn(other, owner);
  }
  await signOut(page);
  await expect(page).toHaveURL("/login");
  for (const other of others) await expect(heading(other, "Sign in")).toBeVisible();
  await expect(others[0] ?? page).toHaveURL("/login");
  // It knows the way back.
  await expect(others[1] ?? page).toHaveURL(/\/login\?redirect=%2Fapps%3Fsort%3Dname$/);
});

test("Signing out everywhere redirects the other tabs to sign-in @nightly", async ({
  page,
  owner,
  context,
}) => {
  const other = await context.newPage();
  await other.goto("/apps");
  await expectSignedIn(other, owner);
  await page.goto("/account");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(heading(page, "Sign in")).toBeVisible();
  await expect(heading(other, "Sign in")).toBeVisible();
});

test("A tab with unsaved input stays open when another tab signs out @nightly", async ({
  page,
  owner,
  context,
}) => {
  const app = await makeApp(page);
  const other = await context.newPage();
  await other.goto(`/apps/edit/${app.id}`);
  const name = other.getByLabel("Name", { exact: true });
  await name.fill("Not saved yet");
  await signOut(page);
  // The other tab handles messages in order.
  await expect(name).toHaveValue("Not saved yet");
  await other.keyboard.press("Control+s");
  await expect(signInAgain(other)).toBeVisible();
  await expect(name).toHaveValue("Not saved yet");
  await signInAgain(other).getByLabel("Password", { exact: true }).fill(owner.password);
  await other.keyboard.press("Enter");
  await expect(other.getByText("Not saved yet saved")).toBeVisible();
  // The tab that waits at the login follows.
  await expectSignedIn(page, owner);
});

test("Signing in in one tab signs in the others @nightly", async ({
  context,
  page,
  sharedOwner,
}) => {
  const waiting = await context.newPage();
  const wanting = await context.newPage();
  await waiting.goto("/login");
  await wanting.goto("/apps/create");
  for (const tab of [waiting, wanting]) await expect(heading(tab, "Sign in")).toBeVisible();
  await page.goto("/login");
  await submitCredentials(page, sharedOwner);
  await expectSignedIn(page, sharedOwner);
  await expectSignedIn(waiting, sharedOwner);
  await expect(waiting).toHaveURL("/");
  await expect(heading(wanting, "New app")).toBeVisible();
  await expect(wanting).toHaveURL("/apps/create");
});
