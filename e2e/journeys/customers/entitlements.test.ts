import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { makeUser, type User } from "../../data/customers.ts";
import { activateFeature, makeManyFeatures } from "../../data/features.ts";
import { makeFeatureOfKind } from "../../data/packages.ts";
import { makeAppWithSeats, sellPackage } from "../../data/packageVersions.ts";
import { entitlementsOf, makeSellablePackage, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, wcag } from "../../pages/accessibility.ts";
import { toast } from "../../pages/forms.ts";
import { uniqueWord } from "../../pages/lists.ts";

// @nightly: The gate follows the explanation; tests over HTTP cover each of these actions.

const panel = (page: Page) =>
  page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Entitlements", exact: true }) });

/** With all features, because those without access are hidden at first. */
const openUser = async (page: Page, { id }: { id: string }) => {
  await page.goto(`/users/view/${id}?features=all`);
  await expect(panel(page).getByRole("columnheader", { name: "Source" })).toBeVisible();
};

const rowOf = (page: Page, feature: string) =>
  panel(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: feature, exact: true }) });

const calculationButton = (page: Page, feature: string) =>
  panel(page).getByRole("button", { name: `How ${feature} is calculated` });

const calculation = (page: Page, feature: string) =>
  panel(page).getByRole("table", { name: `How ${feature} is calculated` });

const dialogNamed = (page: Page, name: string | RegExp) =>
  page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name }));

const chooseAction = async (page: Page, name: string) => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
};

const pick = async (page: Page, label: string, name: string) => {
  const field = page.getByRole("dialog").getByLabel(label, { exact: true }).first();
  await field.click();
  await field.fill(name);
  await page.getByRole("option", { name }).click();
};

const give = (page: Page, user: Pick<User, "id">, details: object) =>
  callApi<{ id: string }>(page, {
    method: "POST",
    path: "/grants",
    body: { userId: user.id, endsAt: null, reason: "Ticket 48211", ...details },
  });

/** An app with a limit that is added, and two packages that give of it. */
const makeStorage = async (page: Page) => {
  const { app } = await makeAppWithSeats(page);
  const word = uniqueCode("f");
  const name = `Storage ${word}`;
  const feature = await makeFeatureOfKind(page, app, "limit", { name, combining: "sum" });
  const studio = await sellPackage(
    page,
    { name: `Studio ${word}`, trialDays: 14 },
    { app, feature, value: 100 },
  );
  const more = await sellPackage(page, { name: `More ${word}` }, { app, feature, value: 50 });
  return { app, feature, name, studio, more };
};

test("VW6 An entitlement shows how it was calculated and why a grant doesn't apply", async ({
  ownerPage: page,
}) => {
  const { name, studio, more, feature } = await makeStorage(page);
  const sale = await sell(page, studio);
  await give(page, sale.user, { packageId: more.id });
  const wrong = await give(page, sale.user, { featureId: feature.id, value: 20 });
  const path = `/grants/${wrong.id}/revoke`;
  await callApi(page, { method: "POST", path, body: { reason: "By mistake" } });
  await openUser(page, sale.user);
  await expect(rowOf(page, name)).toContainText("150");
  await expect(rowOf(page, name)).toContainText("+ 1 more");
  await calculationButton(page, name).click();
  const sum = calculation(page, name);
  await expect(sum.getByRole("row")).toHaveCount(4);
  await expect(sum).toContainText(`${studio.name} version 1`);
  await expect(sum.getByRole("link", { name: sale.number })).toBeVisible();
  await expect(sum.locator("s")).toHaveText(/^20/);
  await expect(sum).toContainText("Not applied: Revoked (By mistake)");
  await expect(sum.getByRole("row").last()).toContainText("The values are added together.");
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await sum.getByRole("link", { name: sale.number }).click();
  await expect(page).toHaveURL(new RegExp(`/transaction/view/${sale.id}`));
});

test("VW6 The shown features and open rows are part of the URL @nightly", async ({
  ownerPage: page,
}) => {
  const { name, studio, feature } = await makeStorage(page);
  const { user } = await sell(page, studio);
  await page.goto(`/users/view/${user.id}`);
  await calculationButton(page, name).press("ArrowRight");
  await expect(page).toHaveURL(new RegExp(`open=${feature.id}`));
  await panel(page).locator("label").filter({ hasText: /^All/ }).click();
  await expect(page).toHaveURL(/features=all/);
  await page.reload();
  await expect(calculation(page, name)).toBeVisible();
  await expect(panel(page).getByRole("radio", { name: /^All/ })).toBeChecked();
  await calculationButton(page, name).press("ArrowLeft");
  await expect(page).not.toHaveURL(/open=/);
});

test("VW6 Of 2,000 features only those near the window are rendered, and the keyboard reaches all @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { app } = await makeStorage(page);
  const word = uniqueWord();
  await makeManyFeatures(product, app, { word, amount: 2000 });
  const user = await makeUser(page);
  await page.goto(`/users/view/${user.id}?features=all`);
  const table = panel(page).locator("table.access");
  const first = calculationButton(page, `${word} 0001`);
  await first.scrollIntoViewIfNeeded();
  await first.focus();
  const rows = () => table.getByRole("row").count();
  expect(await rows()).toBeLessThan(200);
  await page.keyboard.press("ArrowDown");
  await expect(calculationButton(page, `${word} 0002`)).toBeFocused();
  await page.keyboard.press("End");
  const opener = table.locator("[data-place]").last().getByRole("button");
  await expect(opener).toBeFocused();
  await expect(opener).toBeInViewport();
  expect(await rows()).toBeLessThan(200);
  await page.keyboard.press("Enter");
  await expect(table.getByRole("table")).toBeVisible();
  // The row with the focus stays while the window moves away.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(opener).toBeFocused();
  await page.keyboard.press("Home");
  await expect(table.locator("[data-place]").first().getByRole("button")).toBeFocused();
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  // Other tests of this worker see all active apps.
  await product.database.query("update apps set status = 'archived' where id = $1", [app.id]);
});

/** The words of the table that continue on another line. */
const brokenWords = (page: Page) =>
  page.locator("table.access").evaluate((table) => {
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (node.parentElement?.closest(".unseen")) continue;
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          broken.push(word);
      }
    }
    return broken;
  });

test("No word of the entitlements is broken on a phone, and the page doesn't scroll sideways @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  const part = async (name: string, value: number) => ({
    app,
    feature: await makeFeatureOfKind(page, app, "metered", { name }),
    value,
  });
  const pack = await sellPackage(page, {}, await part("Collaborators", 3));
  const sale = await sell(page, pack);
  const more = await part("Batch transcriptions of recordings", 123_456_789);
  await activateFeature(page, more.feature);
  await give(page, sale.user, { featureId: more.feature.id, value: more.value });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/users/view/${sale.user.id}`);
  await expect(rowOf(page, "Collaborators")).toBeVisible();
  expect(await brokenWords(page)).toEqual([]);
  const until = rowOf(page, "Collaborators")
    .getByRole("cell")
    .filter({ hasText: /^Renews/ });
  const box = await until.boundingBox();
  expect(box && box.x + box.width, "the end date is next to the source").toBeLessThanOrEqual(390);
  await expect(rowOf(page, "Collaborators")).toContainText(`${pack.name} version 1`);
  await calculationButton(page, "Collaborators").click();
  await expect(calculation(page, "Collaborators")).toBeVisible();
  expect(await brokenWords(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

test("A feature that a customer was denied is granted or offered from their page @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { studio, app, feature } = await makeStorage(page);
  const { user } = await sell(page, studio);
  const other = await makeFeatureOfKind(page, app, "switch");
  await activateFeature(page, other);
  const deny = (code: string, reason: string) =>
    product.database.query(
      `insert into check_denials (user_id, app_id, feature, reason, day, denials, last_at)
       select $1, app_id, $2, $3, current_date, 4, now() from features where id = $4`,
      [user.id, code, reason, feature.id],
    );
  await deny(other.code, "not included");
  await deny(feature.code, "limit reached");
  await page.goto(`/users/view/${user.id}`);
  const wanted = panel(page).getByRole("group", { name: other.name });
  await expect(wanted.getByRole("button", { name: "Grant access" })).toBeVisible();
  await expect(rowOf(page, other.name)).toContainText("Denied 4 times");
  await openUser(page, user);
  const strip = page.locator(".summary-strip");
  await expect(strip, "100 are left").toContainText("Nothing needs attention");
  const denied = page.locator("section").filter({
    has: page.getByRole("heading", { name: "Denied lately" }),
  });
  await expect(denied.getByRole("listitem")).toHaveCount(2);
  await denied.getByRole("group", { name: other.name }).getByRole("button").click();
  const dialog = dialogNamed(page, `Grant ${user.name} access`);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Ticket 48211");
  await dialog.getByRole("radio", { name: "Never" }).check();
  await dialog.getByRole("button", { name: "Grant access" }).click();
  await expect(toast(page, "has access to")).toBeVisible();
});

test("A trial without payments is ended, and what it charges is shown, on the customer's page", async ({
  ownerPage: page,
}) => {
  const { studio } = await makeStorage(page);
  const user = await makeUser(page);
  await callApi(page, {
    method: "POST",
    path: "/trials",
    body: { user: user.id, packageId: studio.id, currency: "EUR", interval: "month" },
  });
  await page.goto(`/users/view/${user.id}?tab=payments`);
  await expect(page.getByText("No payments yet.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Record payment" })).toBeVisible();
  const next = page.locator(".strip-cell").filter({ hasText: "Next payment" }).locator("b");
  const amount = await next.last().textContent();
  await expect(page.getByText(`Trial, first payment of ${amount} EUR`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Change package" })).toBeVisible();
  await page.getByRole("button", { name: `Actions of ${studio.name}` }).click();
  await page.getByRole("menuitem", { name: "End subscription…" }).click();
  await expect(dialogNamed(page, /End/)).toBeVisible();
});

test("VW6 A past date is part of the URL and is marked as past @nightly", async ({
  ownerPage: page,
}) => {
  const { name, studio } = await makeStorage(page);
  const sale = await sell(page, studio);
  await openUser(page, sale.user);
  await expect(rowOf(page, name)).toContainText("100");
  const at = new Date(Date.now() - 3_600_000).toISOString();
  await page.goto(`/users/view/${sale.user.id}?at=${encodeURIComponent(at)}`);
  await expect(panel(page).getByText("Past usage isn't available.")).toBeVisible();
  await expect(rowOf(page, name)).toHaveCount(0);
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect(rowOf(page, name)).toContainText("100");
  await expect(page).not.toHaveURL(/at=/);
});

test("VW6 A test check as an app shows the API's answer, and changes appear immediately @nightly", async ({
  ownerPage: page,
}) => {
  const { name, studio, app } = await makeStorage(page);
  const user = await makeUser(page);
  await openUser(page, user);
  await expect(rowOf(page, name)).toContainText("0");
  await give(page, user, { packageId: studio.id });
  await expect(rowOf(page, name)).toContainText("100");
  await panel(page).getByRole("button", { name: "Test as an app" }).click();
  const dialog = dialogNamed(page, "Test as an app");
  await dialog.getByRole("combobox", { name: "App" }).selectOption({ label: app.name });
  await dialog.getByRole("combobox", { name: "Feature" }).selectOption({ label: name });
  await expect(dialog.getByText(/^Allowed\./)).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Response" })).toContainText('"value": 100');
  await expect(dialog.getByRole("region", { name: "Command" })).toContainText(
    `/api/check?user=${user.id}`,
  );
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
});

test("Access is granted, a trial is started, and each action reports its result @nightly", async ({
  ownerPage: page,
}) => {
  const { name, more, studio } = await makeStorage(page);
  const user = await makeUser(page);
  await openUser(page, user);
  await page.getByRole("button", { name: "Grant access" }).click();
  const dialog = dialogNamed(page, `Grant ${user.name} access`);
  await dialog.getByRole("button", { name: "Grant access" }).click();
  await expect(dialog).toContainText("Choose a package.");
  await pick(page, "Package", more.name);
  await dialog.getByRole("radio", { name: "Never" }).check();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("An apology");
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await dialog.getByRole("button", { name: "Grant access" }).click();
  await expect(toast(page, `has access to ${more.name}`)).toBeVisible();
  await expect(rowOf(page, name)).toContainText("50");

  await chooseAction(page, "Start trial…");
  const trial = dialogNamed(page, `Start a trial for ${user.name}`);
  await pick(page, "Package", studio.name);
  await expect(trial).toContainText("14-day free trial");
  await trial.getByRole("button", { name: "Start trial" }).click();
  await expect(toast(page, `Trial of ${studio.name} started`)).toBeVisible();
  await expect(rowOf(page, name)).toContainText("150");
});

test("A one-off discount shows the next payments and applies to the subscription @nightly", async ({
  ownerPage: page,
}) => {
  const sale = await sell(page, await makeSellablePackage(page));
  await openUser(page, sale.user);
  await chooseAction(page, "Apply discount…");
  const dialog = dialogNamed(page, /^Discount for /);
  await dialog.getByRole("textbox", { name: "Percent" }).fill("25");
  await dialog.getByRole("combobox", { name: "Number of payments" }).selectOption("2");
  await expect(dialog).toContainText("The next 2 payments are 9.00 EUR each instead of 12.00 EUR.");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Late emails");
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await dialog.getByRole("button", { name: "Apply discount" }).click();
  await expect(toast(page, "Discount applied to the next 2 payments")).toBeVisible();
  await expect(page.getByText("25% off the next 2 payments")).toBeVisible();
  const { items } = await callApi<{ items: { discounts: object[] }[] }>(page, {
    path: `/users/${sale.user.id}/subscriptions`,
  });
  expect(items[0]?.discounts).toMatchObject([{ basisPoints: 2500, paymentsLeft: 2 }]);
});

test("Access is transferred to another customer after a preview @nightly", async ({
  ownerPage: page,
}) => {
  const { more } = await makeStorage(page);
  const [from, to] = [await makeUser(page), await makeUser(page)];
  await give(page, from, { packageId: more.id });
  await openUser(page, from);
  await chooseAction(page, "Transfer access…");
  const dialog = dialogNamed(page, `Transfer access of ${from.name}`);
  await dialog.getByRole("checkbox", { name: new RegExp(`^${more.name} version 1`) }).check();
  await dialog.getByRole("textbox", { name: "Transfer to" }).fill(to.email);
  await expect(dialog).toContainText(`Grants transferred to ${to.name}`);
  await expect(dialog).toContainText(`${from.name} keeps the payments`);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Left the firm");
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await dialog.getByRole("button", { name: "Transfer 1 grant" }).click();
  await expect(toast(page, `Access transferred to ${to.name}`)).toBeVisible();
  expect(await entitlementsOf(page, from)).toEqual([]);
  expect(await entitlementsOf(page, to)).toHaveLength(1);
});

test("Two customers are merged after a preview with numbers @nightly", async ({
  ownerPage: page,
}) => {
  const kept = await makeUser(page);
  const sale = await sell(page, await makeSellablePackage(page));
  await openUser(page, kept);
  await chooseAction(page, "Merge with another customer…");
  const dialog = dialogNamed(page, `Merge another customer into ${kept.name}`);
  await dialog.getByRole("textbox", { name: "Other customer" }).fill(sale.user.email);
  await expect(dialog).toContainText(`Transactions kept by ${sale.user.email}`);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Two addresses");
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await dialog.getByRole("button", { name: "Merge customers" }).click();
  await expect(toast(page, `${sale.user.email} merged into`)).toBeVisible();
  await expect(panel(page)).toContainText(`${sale.user.email} was merged into this customer.`);
  expect(await entitlementsOf(page, kept)).toHaveLength(1);
  await page.goto(`/users/view/${sale.user.id}`);
  await expect(panel(page)).toContainText("This customer was merged into");
});
