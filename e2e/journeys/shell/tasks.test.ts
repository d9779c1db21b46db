import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeUser } from "../../data/customers.ts";
import { makeFeatureOfKind } from "../../data/packages.ts";
import {
  changePackage,
  makeAppWithSeats,
  prices,
  publishWith,
  sellPackage,
} from "../../data/packageVersions.ts";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { type Actions, choose, countActions, typeInto } from "../../pages/actions.ts";
import { fieldOf, toast } from "../../pages/forms.ts";
import { insertApp, listRegion, uniqueWord } from "../../pages/lists.ts";
import { cellOf } from "../../pages/matrix.ts";

// @nightly: The gate counts one task. The others use the same parts.

const documentation = readFileSync(new URL("../../../docs/tasks.md", import.meta.url), "utf8");

/** The limits of each task in docs/tasks.md. */
const limits = new Map<string, Actions>(
  [...documentation.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm)].map(
    ([, task = "", clicks, keys]) => [task, { clicks: Number(clicks), keys: Number(keys) }],
  ),
);

const expectWithin = (task: string, counted: Actions) => {
  const { clicks = -1, keys = -1 } = limits.get(task) ?? {};
  const needed = `${task}: ${counted.clicks} clicks and ${counted.keys} keys`;
  expect(counted.clicks, needed).toBeLessThanOrEqual(clicks);
  expect(counted.keys, needed).toBeLessThanOrEqual(keys);
};

type Context = {
  /** Prepares the data. */
  owner: Page;
  product: Product;
  signInAs: (role: string, name: string) => Promise<Page>;
};
type Task = (context: Context) => Promise<Actions>;

const menu = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name, exact: true }).first().click();
const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

/** Types into the palette once it has the focus. */
const searchEverything = async (page: Page, text: string) => {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect(field).toBeFocused();
  await page.keyboard.type(text);
};

const tasks: Record<string, Task> = {
  "Find a customer by part of the name": async ({ owner: page }) => {
    const word = uniqueWord();
    await makeUser(page, { name: `Ada ${word}` });
    const counted = await countActions(page);
    await searchEverything(page, word.slice(0, 8));
    await expect(page.getByRole("option", { name: new RegExp(`Ada ${word}`) })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`Ada ${word}`);
    return counted;
  },

  "Find out why a customer can't use a feature": async ({ owner, signInAs }) => {
    const seats = await makeAppWithSeats(owner);
    const { app } = seats;
    const basic = await sellPackage(owner, { name: "Basic" }, seats);
    const name = `Export ${uniqueCode("f")}`;
    const feature = await makeFeatureOfKind(owner, app, "switch", { name });
    await sellPackage(owner, { name: "Professional" }, { app, feature, value: true });
    const user = await makeUser(owner, { name: `Ada ${uniqueCode("u")}` });
    await sell(owner, basic, { email: user.email });
    const page = await signInAs("support", "Sam Support");
    const counted = await countActions(page);
    await menu(page, "Users");
    await page.getByRole("link", { name: user.name }).first().click();
    const panel = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Entitlements", exact: true }) });
    // Features without access are shown on request.
    await panel.getByText(/^All\b/).click();
    await panel.getByRole("button", { name: `How ${name} is calculated` }).click();
    const calculation = panel.getByRole("table", { name: `How ${name} is calculated` });
    await expect(calculation).toContainText("No package of this customer includes it");
    await expect(calculation.getByRole("row", { name: /^Available in/ })).toContainText(
      "Professional On",
    );
    await expect(panel.getByRole("button", { name: "Grant access" })).toBeVisible();
    return counted;
  },

  "Refund half of a payment": async ({ owner: page }) => {
    const pack = await makeSellablePackage(page);
    const sale = await sell(page, pack);
    const counted = await countActions(page);
    await searchEverything(page, sale.number);
    await expect(page.getByRole("option", { name: new RegExp(sale.number) })).toBeVisible();
    await page.keyboard.press("Enter");
    await press(page, "Refund");
    const dialog = page.getByRole("alertdialog", { name: `Refund ${sale.number}?` });
    await typeInto(dialog.getByRole("textbox", { name: `Refund of ${pack.name}` }), "6");
    await dialog.getByText(/^Keep access until/).click();
    await dialog.getByRole("button", { name: "Refund 6.00 EUR" }).click();
    await expect(toast(page, "6.00 EUR refunded")).toBeVisible();
    return counted;
  },

  "See who changed a price, and change it back": async ({ owner, signInAs }) => {
    const pack = await sellPackage(owner, { name: `Studio ${uniqueCode("p")}`, prices });
    const page = await signInAs("catalog", "Cato Colleague");
    const raised = prices.map((price) => ({ ...price, amount: price.amount * 2 }));
    await changePackage(page, pack.id, { prices: raised });
    await publishWith(page, pack);
    const counted = await countActions(owner);
    await menu(owner, "History");
    await owner.getByRole("link", { name: "Prices", exact: true }).click();
    const entry = owner.getByRole("listitem").filter({ hasText: `published ${pack.name}` });
    await expect(entry.first()).toContainText("Cato Colleague");
    await entry
      .first()
      .getByRole("button", { name: /^Revert/ })
      .click();
    const dialog = owner.getByRole("dialog", { name: /^Revert this change to Studio/ });
    await expect(dialog.locator(".diff-after").first()).toContainText("12.00");
    await dialog.getByRole("button", { name: "Review draft" }).click();
    await expect(owner.getByRole("textbox", { name: "Note" })).toHaveValue(/prices restored$/);
    await press(owner, "Publish version 3");
    await expect(toast(owner, "version 3 published")).toBeVisible();
    return counted;
  },

  "Create and publish a package in two currencies": async ({ owner: page, product }) => {
    await product.database.query("update settings set currencies = '{EUR,USD}'");
    const { app } = await makeAppWithSeats(page);
    const counted = await countActions(page);
    await searchEverything(page, "new package");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("New package");
    await typeInto(fieldOf(page, "name"), `Studio ${uniqueCode("p")}`);
    for (const amount of ["12", "13"]) {
      await press(page, "Add price");
      await typeInto(page.locator(".number-input input:focus"), amount);
    }
    await page.keyboard.press("Control+s");
    await expect(page).toHaveURL(/\/package\/view\//);
    await page.getByRole("link", { name: "Apps and features" }).first().click();
    await press(page, "Add app");
    await page.getByRole("dialog", { name: "Add app" }).getByRole("searchbox").fill(app.name);
    await expect(page.getByRole("dialog", { name: "Add app" }).getByRole("button")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(cellOf(page, { name: "Seats" })).toBeVisible();
    await page.getByRole("button", { name: "Review version 1" }).click();
    await typeInto(page.getByRole("textbox", { name: "Note" }), "The first");
    await press(page, "Publish version 1");
    await expect(toast(page, "version 1 published")).toBeVisible();
    return counted;
  },

  "Create a promotion, simulate it and publish it": async ({ owner: page }) => {
    await sell(page, await makeSellablePackage(page));
    const counted = await countActions(page);
    await menu(page, "Promotions");
    await page.getByRole("link", { name: "New promotion" }).first().click();
    const name = `Autumn ${uniqueCode("x")}`;
    await typeInto(fieldOf(page, "name"), name);
    await press(page, "Generate code");
    await typeInto(page.getByLabel("Percent off"), "20");
    await press(page, "Simulate");
    await expect(page.locator(".record-rail")).toContainText(/\d+ redemptions? by/);
    await page.keyboard.press("Control+s");
    await expect(page).toHaveURL(/preview=/);
    await press(page, "Publish");
    await press(page, `Publish ${name}`);
    await expect(toast(page, `${name} published`)).toBeVisible();
    return counted;
  },

  "See last month's revenue by country": async ({ owner: page }) => {
    const counted = await countActions(page);
    await menu(page, "Reports");
    // Home has a period, too.
    await expect(page.getByRole("heading", { level: 1, name: "Reports" })).toBeVisible();
    await choose(counted, page.getByLabel("Period"), "Last month");
    await choose(counted, page.getByLabel("Group by"), "Country");
    await expect(page).toHaveURL(/group=country/);
    return counted;
  },

  "Invite a team member": async ({ owner: page }) => {
    const counted = await countActions(page);
    await menu(page, "Team & roles");
    await press(page, "Invite team member");
    const dialog = page.getByRole("dialog", { name: "Invite a team member" });
    await typeInto(dialog.getByLabel("Email", { exact: true }), `${uniqueCode("t")}@example.com`);
    await typeInto(dialog.getByLabel("Name", { exact: true }), "Nora New");
    await dialog.getByText("Support", { exact: true }).click();
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await expect(dialog).toBeHidden();
    return counted;
  },

  "Archive several apps and undo it": async ({ owner: page, product }) => {
    const word = uniqueWord();
    for (const place of [1, 2, 3])
      await insertApp(product, { name: `${word} ${place}`, status: "active" });
    const counted = await countActions(page);
    await menu(page, "Apps");
    await typeInto(page.getByRole("searchbox", { name: "Search apps" }), word);
    await expect(listRegion(page).getByRole("rowheader")).toHaveCount(3);
    await listRegion(page).getByRole("checkbox", { name: "Select all on this page" }).click();
    await press(page, "Archive 3");
    await press(page, "Archive 3 apps");
    await toast(page, "3 apps archived").getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("3 apps restored")).toBeVisible();
    return counted;
  },

  "Export the customers": async ({ owner: page }) => {
    const counted = await countActions(page);
    await menu(page, "Users");
    await press(page, "Export");
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    expect((await started).suggestedFilename()).toMatch(/\.csv$/);
    return counted;
  },

  "Import customers from a file": async ({ owner: page }) => {
    const code = uniqueCode("task");
    const counted = await countActions(page);
    await menu(page, "Users");
    await page.getByRole("link", { name: "Import", exact: true }).click();
    const asked = page.waitForEvent("filechooser");
    await press(page, "Choose file");
    const buffer = Buffer.from(`email\n${code}@example.com`);
    await (await asked).setFiles({ name: "customers.csv", mimeType: "text/csv", buffer });
    await press(page, "Preview 1 row");
    await press(page, "Import 1 row");
    await expect(page.getByText("Import finished", { exact: true })).toBeVisible();
    return counted;
  },

  "Approve a request on a phone": async ({ owner, product, signInAs }) => {
    await product.database.query(
      `update settings set approval_rules = '{refund}', refund_limits = '{"EUR": 500}'`,
    );
    const sale = await sell(owner, await makeSellablePackage(owner));
    const requester = await signInAs("finance", "Fin Requester");
    const { version } = await callApi<{ version: number }>(requester, {
      path: `/transactions/${sale.id}`,
    });
    await callApi(requester, {
      method: "POST",
      path: "/approvals",
      body: {
        operation: "POST /transactions/:id/refund",
        params: { id: sale.id },
        body: { amount: 1200, access: "keep", reason: "Charged twice." },
        reason: "Charged twice.",
        version,
      },
    });
    await owner.setViewportSize({ width: 390, height: 844 });
    const counted = await countActions(owner);
    await menu(owner, "Approvals");
    const request = owner.getByRole("listitem").filter({ hasText: sale.number });
    await request.getByRole("button", { name: /^Approve/ }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await expect(owner.getByText("Request approved")).toBeVisible();
    return counted;
  },
};

// Rules and currencies apply to everyone in the product that the tests of a worker share.
test.afterEach(({ product }) =>
  product.database.query(
    "update settings set approval_rules = '{grant}', refund_limits = '{}', currencies = '{}'",
  ),
);

test("Every task of docs/tasks.md is tested", () => {
  expect([...limits.keys()]).toEqual(Object.keys(tasks));
});

/** The gate counts the first task; the others use the same parts. */
const [gateTask] = Object.keys(tasks);

for (const [task, run] of Object.entries(tasks))
  test(
    task === gateTask ? task : `${task} @nightly`,
    async ({ ownerPage: owner, product, signInAs }) => {
      expectWithin(task, await run({ owner, product, signInAs }));
    },
  );
