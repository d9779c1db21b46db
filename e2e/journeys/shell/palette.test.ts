import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeUser } from "../../data/customers.ts";
import { test } from "../../fixtures/test.ts";
import { expectHome } from "../../pages/navigation.ts";

// @nightly: The gate covers the keys before the palette appears and one option of each kind.

const field = (page: Page) => page.getByRole("combobox", { name: "Search or jump to" });
const chosen = (page: Page) =>
  page.getByRole("dialog", { name: "Search or jump to" }).getByRole("option", { selected: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const openPalette = async (page: Page) => {
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
};

const openHome = async (page: Page) => {
  await page.goto("/");
  await expectHome(page);
};

test("SH3 Keys typed before the palette appears land in its field", async ({ ownerPage: page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/Palette-[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await openHome(page);
  await page.keyboard.press("Control+k");
  // Single keys are shortcuts of the page. "g a" would open the apps, and "?" the list of shortcuts.
  await page.keyboard.type("g a?x");
  await page.keyboard.press("Backspace");
  release();
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue("g a?");
  await page.keyboard.type("b");
  await expect(field(page)).toHaveValue("g a?b");
  await expect(page).toHaveURL("/");
});

test("SH3 Keys typed while the palette is closing land in it once it is open again @nightly", async ({
  ownerPage: page,
}) => {
  await openHome(page);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  for (let frames = 0; frames < 24; frames += 1) {
    await openPalette(page);
    await page.keyboard.press("Escape");
    await page.evaluate(async (count) => {
      for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
    }, frames);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("promo");
    await expect(field(page), `after ${frames} frames`).toHaveValue("promo");
    await page.keyboard.press("Escape");
    await expect(field(page)).toBeHidden();
  }
});

test("SH3 Ctrl K, a word and Enter at once open the page, also from a field", async ({
  ownerPage: page,
  records: _,
}) => {
  await page.goto("/apps");
  const search = page.getByRole("searchbox", { name: "Search apps" });
  await search.click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("promotions");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Promotions")).toBeVisible();
  await page.goBack();
  await expect(search).toHaveValue("");
});

test("SH3 The palette finds actions by their words @nightly", async ({ ownerPage: page }) => {
  await openHome(page);
  for (const [typed, label, url] of [
    ["create package", "New package", "/package/create"],
    ["invite", "Invite team member", "/roles?invite=new"],
  ] as const) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await expect(chosen(page)).toContainText(label);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(url);
  }
  const dialog = page.getByRole("dialog", { name: "Invite a team member" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/roles");
});

test("SH3 The palette opens the section of a setting @nightly", async ({ ownerPage: page }) => {
  await openHome(page);
  for (const [typed, section] of [
    ["grace period", "Subscriptions"],
    ["single sign-on", "Sign-in"],
    ["refund limits", "Approvals"],
    ["bank account", "Documents"],
  ] as const) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await expect(chosen(page)).toContainText(section);
    await page.keyboard.press("Enter");
    await expect(heading(page, "Settings")).toBeVisible();
    const group = page.getByRole("group", { name: section, exact: true });
    await expect(group).toBeFocused();
    await expect(group).toBeInViewport();
  }
});

test("SH3 The palette finds records by every key @nightly", async ({
  ownerPage: page,
  records,
}) => {
  const user = await makeUser(page, {
    name: `Wilma ${uniqueCode("who")}`,
    externalId: uniqueCode("EXT"),
  });
  const sale = await callApi<{ id: string; number: string; reference: string }>(page, {
    path: `/transactions/${records.sale.id}`,
  });
  const { app, code } = await callApi<{ app: { code: string }; code: string }>(page, {
    path: `/features/${records.feature.id}`,
  });
  const cases: [typed: string, label: string, url: string][] = [
    [user.email, user.name, `/users/view/${user.id}`],
    [user.number, user.name, `/users/view/${user.id}`],
    [user.externalId ?? "", user.name, `/users/view/${user.id}`],
    [user.name.slice(6), user.name, `/users/view/${user.id}`],
    [user.id, user.name, `/users/view/${user.id}`],
    // References can look like IDs.
    [sale.reference, sale.number, `/transaction/view/${sale.id}`],
    [sale.number, sale.number, `/transaction/view/${sale.id}`],
    [records.sold.code, records.sold.name, `/package/view/${records.sold.id}`],
    [`${app.code}.${code}`, records.feature.name, `/feature/view/${records.feature.id}`],
    [records.promotion.name, records.promotion.name, `/promotion?preview=${records.promotion.id}`],
  ];
  const url = `https://${uniqueCode("hook")}.example.com/events`;
  await callApi(page, {
    method: "POST",
    path: "/webhook-endpoints",
    body: { url, description: "", types: ["subscription.changed"] },
  });
  cases.push([url, url, "/webhook"]);
  const account = uniqueCode("account");
  await callApi(page, {
    method: "POST",
    path: "/service-accounts",
    body: { name: account, role: "viewer" },
  });
  cases.push([account, account, "/settings#service-accounts"]);
  await openHome(page);
  for (const [typed, label, url] of cases) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await expect(chosen(page), typed).toContainText(label);
    await page.keyboard.press("Enter");
    await expect(page, typed).toHaveURL(url);
  }
});
