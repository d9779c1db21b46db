import { expect } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { expectAccessible } from "../../pages/accessibility.ts";

// @nightly: The gate reverts one change; approvals are covered over HTTP.

test("An owner finds a colleague's mistake in the audit log and reverts it @nightly", async ({
  ownerPage: page,
  signInAs,
}) => {
  const code = uniqueCode("mistake");
  const app = await makeApp(page, { code, name: "Harbour Charts" });
  const colleaguePage = await signInAs("catalog", "Cato Colleague");
  await colleaguePage.goto(`/apps/edit/${app.id}`);
  await colleaguePage.getByRole("textbox", { name: "Name", exact: true }).fill("Harbor Carts");
  await colleaguePage.keyboard.press("Control+s");
  await expect(
    colleaguePage.getByRole("heading", { level: 1, name: "Harbor Carts" }),
  ).toBeVisible();

  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "History", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
  const row = page
    .getByRole("listitem")
    .filter({ hasText: "Cato Colleague changed app Harbor Carts" });
  await expect(row).toContainText(/Name\s*Harbour Charts\s*Harbor Carts/);
  await expectAccessible(page);
  await row.getByRole("button", { name: /^Show changes/ }).click();
  await expect(row.getByRole("row").last()).toContainText(/Harbor Carts\s*Name/);
  await expectAccessible(page);
  await row.getByRole("button", { name: /^Revert/ }).click();
  const dialog = page.getByRole("dialog", { name: "Revert this change to Harbor Carts?" });
  await expect(dialog.locator(".diff-after")).toContainText("Harbour Charts");
  await expectAccessible(page);
  await dialog.getByRole("textbox", { name: /^Reason/ }).fill("It has a u.");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Change reverted")).toBeVisible();
  const reverted = page
    .getByRole("listitem")
    .filter({ hasText: "reverted a change of Harbour Charts" });
  await reverted.getByRole("link", { name: /^Reverts entry/ }).click();
  expect(page.url()).toMatch(/preview=\d+/);
  const linked = page.getByRole("region", { name: /^Entry/ });
  await expect(linked.getByText(/^Reverted by entry/)).toBeVisible();
  await expect(linked.getByRole("listitem")).toBeFocused();

  // The record's history shows both and offers the revert too.
  await page.goto(`/apps/view/${app.id}?tab=activity`);
  const history = page.locator("ol.history");
  await expect(history.getByText(/^Reverts entry \d+/)).toBeVisible();
  await expect(history.getByText(/^Reverted by entry \d+/)).toBeVisible();
  await history.getByRole("button", { name: "Revert…" }).first().click();
  await expect(page.getByRole("dialog", { name: /^Revert this change/ })).toContainText(
    "Harbor Carts",
  );
});

test("A change that was changed again links to the later change @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page, { code: uniqueCode("again"), name: "One" });
  const change = async (name: string, version: number) =>
    callApi(page, {
      method: "PUT",
      path: `/apps/${app.id}`,
      body: { code: app.code, name },
      version,
    });
  await change("Two", 1);
  await change("Three", 2);
  await page.goto(`/audit?f=record:any:${app.id}&f=action:any:update`);
  const older = page.getByRole("listitem").filter({ hasText: "changed app Three" }).nth(1);
  await older.getByRole("button", { name: /^Revert/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Revert this change/ });
  await expect(dialog.getByRole("alert")).toContainText("changed again later");
  await expect(dialog.getByRole("button", { name: "Revert", exact: true })).toBeDisabled();
  await dialog.getByRole("button", { name: "Revert that change first" }).click();
  await expect(dialog.locator(".diff-after")).toContainText("Two");
  await expect(dialog.getByRole("button", { name: "Revert", exact: true })).toBeEnabled();
});

test("J and K move, Enter opens and R reverts an action", async ({ ownerPage: page }) => {
  const app = await makeApp(page, { code: uniqueCode("keys"), name: "First" });
  for (const [place, name] of ["Second", "Third"].entries())
    await callApi(page, {
      method: "PUT",
      path: `/apps/${app.id}`,
      body: { code: app.code, name },
      version: place + 1,
    });
  await page.goto(`/audit?f=record:any:${app.id}`);
  const rows = page.getByRole("region", { name: "History" }).locator("[data-row]");
  await expect(rows).toHaveCount(3);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(rows.first().getByRole("row").last().locator("td, th")).toHaveText([
    "Third",
    "Name",
    "− Second",
    "+ Third",
  ]);
  await page.keyboard.press("Enter");
  await expect(rows.first().getByRole("table")).toBeHidden();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Revert this change to Third?" });
  await dialog.getByRole("button", { name: "Revert", exact: true }).click();
  await expect(rows.first()).toContainText("reverted a change of Second");
});

test("An action of a colleague is announced, and one's own are not @nightly", async ({
  ownerPage: page,
  signInAs,
}) => {
  const colleaguePage = await signInAs("catalog", "Cato Colleague");
  await page.goto("/audit");
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await makeApp(page, { code: uniqueCode("own"), name: "Own" });
  await makeApp(colleaguePage, { code: uniqueCode("other"), name: "Of a colleague" });
  await page.getByRole("button", { name: "1 new action" }).click();
  await expect(page.locator("[data-row]").first()).toContainText(
    "Cato Colleague created app Of a colleague",
  );
});

test("A search names the filter to remove @nightly", async ({ ownerPage: page }) => {
  const app = await makeApp(page, { code: uniqueCode("found"), name: "Findable" });
  await page.goto(`/audit?f=record:any:${app.id}&q=zz-absent`);
  await expect(page.getByText("No matches", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /zz-absent/ }).click();
  await expect(page.locator("[data-row]").first()).toContainText("created app Findable");
});

/** In the database, because an owner alone can't turn a rule off. */
const setRules = ({ database }: Product, rules: string[], limits: Record<string, number> = {}) =>
  database.query("update settings set approval_rules = $1, refund_limits = $2", [rules, limits]);

// Approval rules apply to everyone in the product that the tests of a worker share.
test.afterEach(({ product }) => setRules(product, ["grant"]));

test("T26 A refund above the limit requires approval and is executed once @nightly", async ({
  ownerPage: page,
  product,
  signInAs,
}) => {
  await setRules(product, ["refund"], { EUR: 500 });
  const sale = await sell(page, await makeSellablePackage(page));
  const requester = await signInAs("finance", "Fin Requester");
  const second = await signInAs("finance", "Sam Second");

  await second.goto("/approvals");
  await expect(second.getByText("No requests to review")).toBeVisible();
  await requester.goto(`/transaction/view/${sale.id}`);
  await requester.getByRole("button", { name: "Refund", exact: true }).click();
  const refund = requester.getByRole("alertdialog", { name: `Refund ${sale.number}?` });
  await refund
    .getByRole("radio", { name: /^Keep access/ })
    .last()
    .check();
  await refund.getByRole("button", { name: /^Refund 12\.00 EUR/ }).click();
  await expect(refund.getByRole("alert")).toContainText(
    "Refunds above 5.00 EUR per sale require approval.",
  );
  await expectAccessible(requester);
  await refund.getByRole("textbox", { name: "Reason for the approver" }).fill("Charged twice.");
  await refund.getByRole("button", { name: "Request approval" }).click();
  await expect(
    requester.getByText("Approval requested. We'll email you the decision."),
  ).toBeVisible();
  await requester.goto("/approvals?tab=mine");
  await expect(requester.getByRole("button", { name: /^Withdraw/ })).toBeVisible();
  await expect(requester.getByRole("button", { name: /^Approve/ })).toBeHidden();

  // It appears live, with the count in the menu.
  const request = second.getByRole("listitem").filter({ hasText: sale.number });
  await expect(request).toContainText("Charged twice.");
  await expect(
    second.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ }),
  ).toContainText("1");
  await expectAccessible(second);
  // The side panel opens with the keyboard, and the URL keeps it.
  await second.keyboard.press("j");
  await expect(request).toBeFocused();
  await second.keyboard.press("Enter");
  const panel = second.getByRole("dialog", { name: /^Refund 12\.00 EUR of/ });
  await expect(panel).toContainText("Refund above the limit");
  await expect(panel).toContainText("Fin Requester");
  expect(second.url()).toContain("preview=");
  await expectAccessible(second);
  await second.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(request).toBeFocused();
  await request.getByRole("button", { name: /^Approve/ }).press("Enter");
  const dialog = second.getByRole("dialog", { name: /^Approve “Refund 12\.00 EUR of/ });
  await expect(dialog).toContainText("Requested by Fin Requester");
  await expect(dialog).toContainText("Charged twice.");
  await expectAccessible(second);
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(second.getByText("Request approved")).toBeVisible();
  await expect(second.getByText("No requests to review")).toBeVisible();
  const done = await callApi<{ refunds: unknown[] }>(page, { path: `/transactions/${sale.id}` });
  expect(done.refunds).toHaveLength(1);
  await expect(requester.getByText("No pending requests")).toBeVisible();
  await requester.getByRole("link", { name: "Decided" }).click();
  await expect(requester.getByRole("listitem").filter({ hasText: sale.number })).toContainText(
    "Approved",
  );
});

test("A role without access to the audit log has no link to it @nightly", async ({ signInAs }) => {
  const viewer = await signInAs("viewer", "Vera Viewer");
  await expect(viewer.getByRole("link", { name: "History", exact: true })).toBeHidden();
  await viewer.goto("/audit");
  await expect(viewer.getByRole("main")).toContainText(
    "Ask an owner for the permission View the history.",
  );
});

test("T26 Inviting an owner requires approval, which is requested from the form @nightly", async ({
  ownerPage: page,
  product,
  signInAs,
}) => {
  await setRules(product, ["owner"]);
  const second = await signInAs("owner", "Sam Second");
  const email = `${uniqueCode("owner")}@example.com`;
  await page.goto("/users/create");
  await page.getByRole("radio", { name: /^Team member/ }).check();
  await page.getByRole("textbox", { name: "Name" }).fill("Olga Next");
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("radio", { name: /^Owner/ }).check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  const refused = page.getByRole("alert").filter({ hasText: "requires approval" });
  await expect(refused).toBeVisible();
  await expectAccessible(page);
  await refused.getByRole("textbox", { name: "Reason for the approver" }).fill("She runs it.");
  await refused.getByRole("button", { name: "Request approval" }).click();
  await expect(page.getByText("Approval requested. We'll email you the decision.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("");

  await second.goto("/approvals");
  const request = second.getByRole("listitem").filter({ hasText: "Invite Olga Next as an owner" });
  await request.getByRole("button", { name: /^Approve/ }).click();
  await second.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(second.getByText("Request approved")).toBeVisible();
  const { items } = await callApi<{ items: object[] }>(page, { path: `/users?q=${email}` });
  expect(items).toMatchObject([{ email, role: "owner", status: "invited" }]);
});

test("D4 Any owner sees when a change takes effect and stops it @nightly", async ({
  ownerPage: page,
  product,
  signInAs,
}) => {
  await setRules(product, ["refund", "grant"], { EUR: 500 });
  const second = await signInAs("owner", "Sam Second");
  type Settings = { version: number; updatedAt: string };
  const {
    version,
    updatedAt: _,
    ...settings
  } = await callApi<Settings>(page, { path: "/settings" });
  await callApi(page, {
    method: "POST",
    path: "/approvals",
    body: {
      operation: "PUT /settings",
      params: {},
      body: { ...settings, refundLimits: { EUR: 90_000 } },
      version,
      reason: "Bigger orders.",
    },
  });
  await second.goto("/approvals?tab=waiting");
  const change = second.getByRole("listitem").filter({ hasText: "Refund limit, EUR" });
  await expect(change).toContainText(/Takes effect \w+day, /);
  await expect(change.locator(".diff-before")).toContainText("5.00 EUR");
  await expect(change.locator(".diff-after")).toContainText("900.00 EUR");
  await expectAccessible(second);
  await change.getByRole("button", { name: /^Stop change/ }).click();
  const dialog = second.getByRole("dialog", { name: /^Stop “Loosen/ });
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Not agreed.");
  await dialog.getByRole("button", { name: "Stop change" }).click();
  await expect(second.getByText("Change stopped")).toBeVisible();
  await expect(second.getByRole("heading", { name: "No changes are waiting" })).toBeVisible();
});
