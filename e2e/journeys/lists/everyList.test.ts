import { expect, type Page } from "@playwright/test";
import { uniqueCode } from "../../data/api.ts";
import { test } from "../../fixtures/test.ts";
import { expectListLoaded, listRegion } from "../../pages/lists.ts";

// @nightly: The lists share their code, so the gate looks at two of them.

/** What differs between lists: the API path and an action with a confirmation. */
const lists = [
  { path: "/apps", api: "/api/apps", action: /^(Archive|Delete)/ },
  { path: "/feature", api: "/api/features", action: /^(Archive|Delete)/ },
  { path: "/package", api: "/api/packages", action: /^(Archive|Delete)/ },
  { path: "/promotion", api: "/api/promotions", action: /^(Archive|Delete)/ },
  { path: "/transaction", api: "/api/transactions", action: /^Refund/ },
  { path: "/users", api: "/api/users", action: /^Suspend/ },
];

const rowsIn = (page: Page) => listRegion(page).locator("tbody").getByRole("row");

const expectSorted = async (page: Page, { api }: (typeof lists)[number]) => {
  const header = page
    .getByRole("columnheader")
    .filter({ has: page.getByRole("button") })
    .first();
  const before = await header.getAttribute("aria-sort");
  const answered = page.waitForResponse((response) => {
    const { pathname, searchParams } = new URL(response.url());
    return pathname === api && searchParams.has("sort");
  });
  await header.getByRole("button").first().click();
  const { items } = await (await answered).json();
  await expectListLoaded(page);
  expect(await header.getAttribute("aria-sort")).not.toBe(before);
  await expect(rowsIn(page)).toHaveCount(items.length);
  await expect(page).toHaveURL(/[?&]sort=/);
};

const expectDialog = async (page: Page, action: RegExp) => {
  const row = rowsIn(page).filter({ hasText: /\S/ }).first();
  const opener = row.getByRole("button", { name: /^Actions/ });
  await opener.click();
  await page.getByRole("menuitem", { name: action }).first().click();
  const dialog = page.locator("[role=dialog][aria-modal=true], [role=alertdialog]").last();
  await expect(dialog).toBeVisible();
  for (let step = 0; step < 20; step++) await page.keyboard.press("Tab");
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.mouse.click(8, 8);
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
};

const expectStates = async (page: Page, { path, api }: (typeof lists)[number]) => {
  await page.goto(`${path}?q=${uniqueCode("none")}`);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  await page.route(
    ({ pathname }) => pathname === api || pathname === `${path}/_payload.json`,
    (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: "{}" }),
  );
  await page.goto(path);
  await expect(page.getByRole("alert").getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
};

const inGate = ["/transaction", "/users"];

for (const list of lists)
  test(`S2.2 S2.3 S2.4 ${list.path} has a sorted table, a paginator, a dialog, and empty and error states${
    inGate.includes(list.path) ? "" : " @nightly"
  }`, async ({ ownerPage: page, records: { word } }) => {
    await page.goto(list.path === "/transaction" ? list.path : `${list.path}?q=${word}`);
    await expectListLoaded(page);
    await expect(page.getByRole("table")).toBeVisible();
    await expectSorted(page, list);
    const pages = page.getByRole("navigation", { name: "Pages" });
    await expect(pages.locator("[aria-current=page]")).toHaveText("1");
    await expect(pages.getByRole("button", { name: "First page" })).toBeDisabled();
    await expectDialog(page, list.action);
    await expectStates(page, list);
  });
