import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { heading } from "../../data/packageVersions.ts";
import {
  makeSellablePackage,
  markPaymentUnknown,
  newEmail,
  refund,
  type Sale,
  sell,
} from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import {
  accessibilityViolations,
  expectAccessible,
  schemes,
  useColorScheme,
  wcag,
} from "../../pages/accessibility.ts";
import { columnHeader, listRegion, openList } from "../../pages/lists.ts";
import { selectedIn } from "../lists/rows.ts";
import { dialog, press } from "./transactions.ts";

// @nightly: Every list shares the behavior that the gate checks on apps; actions are covered over HTTP.

const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/transaction");
const rowOf = (page: Page, { number }: Sale) =>
  listRegion(page).getByRole("row").filter({ hasText: number });

test("S2.23 LS1 A row shows customer, amount, method and date, newest first", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const email = newEmail();
  const sale = await sell(page, pack, { email, reference: `bank-${email}` });
  const back = await refund(page, sale, 200);
  await open(page, { q: email });
  const rows = listRegion(page).getByRole("rowheader");
  await expect(rows).toHaveText([new RegExp(back.number), new RegExp(sale.number)]);
  const row = rowOf(page, sale).filter({ hasText: "Purchase" });
  await expect(row).toContainText(`${pack.name} monthly`);
  await expect(row).toContainText(`bank-${email}`);
  await expect(row).toContainText("Partially refunded");
  await expect(row.getByRole("cell", { name: "12.00 EUR", exact: true })).toBeVisible();
  const refunded = rowOf(page, back).filter({ hasText: "Refund" });
  await expect(refunded.getByRole("cell", { name: "−2.00 EUR", exact: true })).toBeVisible();

  await columnHeader(page, "Created").getByRole("button").click();
  await expect(rows).toHaveText([new RegExp(sale.number), new RegExp(back.number)]);
  await expect(page).toHaveURL(/sort=occurredAt/);
});

test("S2.23 The list is searched by number and reference, filtered by package, and has a view of open payments @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await makeSellablePackage(page);
  const [paid, waiting, lost] = [
    await sell(page, pack),
    await sell(page, pack, { state: "pending" }),
    await sell(page, pack, { state: "pending" }),
  ];
  await markPaymentUnknown(product, lost);
  await open(page, { q: paid.number.toLowerCase() });
  await expect(listRegion(page).getByRole("rowheader")).toHaveCount(1);
  const ours = `package:any:${pack.id}`;
  await open(page, { f: [ours] });
  await expect(listRegion(page).getByRole("rowheader")).toHaveCount(3);
  await expect(
    page.getByRole("button", { name: `Package is ${pack.name}`, exact: true }),
  ).toBeVisible();
  await open(page, { f: [ours, "total:gte:1200", "currency:is:EUR"] });
  await page.getByRole("button", { name: "Amount at least 12.00 EUR", exact: true }).click();
  const amount = page.getByRole("dialog", { name: "Filter by Amount" });
  await amount.getByRole("textbox", { name: "Value" }).fill("12.345");
  await amount.getByRole("button", { name: "Apply filter" }).click();
  await expect(amount).toContainText("Enter at most 2 decimals. EUR allows no more.");
  await amount.getByRole("textbox", { name: "Value" }).fill("12,01");
  await amount.getByRole("button", { name: "Apply filter" }).click();
  await expect(page).toHaveURL(/total:gte:1201/);
  await expect(listRegion(page).getByRole("rowheader")).toHaveCount(0);
  await open(page, { f: [ours, "state:any:pending"] });
  await expect(listRegion(page).getByRole("rowheader")).toHaveText([new RegExp(waiting.number)]);

  const views = page.getByRole("navigation", { name: "Views" });
  await expect(views.getByRole("link")).toHaveText([
    "All",
    /^Pending\d/,
    /^Unknown\d/,
    /^Failed\d/,
    /^Disputed\d/,
    "Refunds",
  ]);
  await views.getByRole("link", { name: /^Unknown/ }).click();
  await expect(rowOf(page, lost)).toBeVisible();
  await expect(rowOf(page, waiting)).toHaveCount(0);
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(
    menu.getByRole("link", { name: /^Transactions \d+ needs? attention$/ }),
  ).toBeVisible();
});

test("S2.23 LS7 Transactions are exported, and one is previewed and refunded by keyboard @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const email = newEmail();
  const sale = await sell(page, pack, { email });
  await open(page, { q: email });
  await press(page, "Export");
  const started = page.waitForEvent("download");
  await dialog(page, "Export transactions").getByRole("link", { name: "Download CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  expect(text.trimEnd().split(/\r?\n/)).toHaveLength(2);
  expect(text).toContain(sale.number);
  await page.keyboard.press("Escape");

  await listRegion(page).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  const preview = page.getByRole("dialog", { name: `Preview of ${sale.number}` });
  await expect(preview).toContainText("Paid");
  await page.keyboard.press("Escape");
  await expect(preview).toHaveCount(0);
  await expect(rowOf(page, sale)).toBeFocused();
  await page.keyboard.press(".");
  await page.getByRole("menuitem", { name: "Refund…" }).click();
  await expect(dialog(page, `Refund ${sale.number}?`)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expect(page).toHaveURL("/transaction/create");
});

test("S2.23 S2.26 The palette finds a transaction by its number @nightly", async ({
  ownerPage: page,
}) => {
  const sale = await sell(page, await makeSellablePackage(page));
  await page.goto("/transaction");
  await expect(heading(page)).toHaveText("Transactions");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
  await page.keyboard.type(sale.number);
  await page.getByRole("option", { name: sale.number }).click();
  await expect(page).toHaveURL(`/transaction/view/${sale.id}`);
});

for (const scheme of schemes)
  for (const width of [1440, 390])
    test(`S2.23 S2.24 S2.25 S2.26 The transaction screens are accessible in ${scheme}, ${width} wide @nightly`, async ({
      ownerPage: page,
    }) => {
      const sale = await sell(page, await makeSellablePackage(page), { tax: 228 });
      await refund(page, sale, 300);
      await page.setViewportSize({ width, height: 900 });
      for (const path of [
        `/transaction?q=${sale.number}`,
        "/transaction/create",
        `/transaction/edit/${sale.id}`,
        `/transaction/view/${sale.id}`,
      ]) {
        await page.goto(path);
        await expect(heading(page)).toBeVisible();
        await page.waitForLoadState("networkidle");
        await useColorScheme(page, scheme);
        expect([path, await accessibilityViolations(page, wcag)]).toEqual([path, []]);
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([path, wide]).toEqual([path, 0]);
      }
      await press(page, "Refund");
      await expect(dialog(page, `Refund ${sale.number}?`)).toContainText("immediately");
      expect(await accessibilityViolations(page, wcag)).toEqual([]);
    });

test("LS4 Selected transactions are tagged, found by their tag, and Undo removes it @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const [first, second, third] = [
    await sell(page, pack),
    await sell(page, pack),
    await sell(page, pack),
  ];
  const cols = "number,tags,total";
  const ours = { f: [`package:any:${pack.id}`], cols };
  await open(page, ours);
  await rowOf(page, first).getByRole("checkbox").check();
  await rowOf(page, second).getByRole("checkbox").check();
  const selected = selectedIn(page);
  await selected.getByRole("button", { name: "Add tag" }).click();
  const few = page.getByRole("dialog", { name: "Add a tag to 2 transactions?" });
  await few.getByRole("textbox", { name: "Tag" }).fill("Bank error");
  await expect(few.getByRole("row", { name: /^Transactions tagged/ })).toContainText("2");
  await expectAccessible(page);
  await few.getByRole("button", { name: "Add tag" }).click();
  await expect(page.getByText("2 transactions tagged")).toBeVisible();
  await expect(listRegion(page).getByRole("cell", { name: "Bank error" })).toHaveCount(2);

  await open(page, { ...ours, size: "10", f: [...ours.f, "tags:contains:bank"] });
  await expect(listRegion(page).getByRole("rowheader")).toHaveCount(2);

  await open(page, ours);
  await rowOf(page, third).getByRole("checkbox").check();
  await selected.getByRole("button", { name: "Add tag" }).click();
  const one = page.getByRole("dialog", { name: "Add a tag to 1 transaction?" });
  await one.getByRole("textbox", { name: "Tag" }).fill("Checked");
  await one.getByRole("button", { name: "Add tag" }).click();
  await expect(rowOf(page, third)).toContainText("Checked");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Tag removed from 1 transaction")).toBeVisible();
  await expect(rowOf(page, third)).not.toContainText("Checked");
});

test("LS7 The default CSV file has amounts with their decimals, sign and currency @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makeSellablePackage(page);
  const email = newEmail();
  const sale = await sell(page, pack, { email });
  const back = await refund(page, sale, 200);
  await open(page, { q: email, cols: "number,total,kind" });
  const shown = await listRegion(page).getByRole("row").allInnerTexts();
  expect(shown.join(" ")).toContain("−2.00");
  await page.getByRole("button", { name: "Export" }).click();
  const started = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("link", { name: "Download CSV" }).click();
  const lines = (await readFile(await (await started).path(), "utf8")).split("\r\n");
  expect(lines.slice(0, 2)).toEqual([
    "number,total,kind,currency",
    `${back.number},-2.00,refund,EUR`,
  ]);
});

test("A filter by many values or a record that doesn't exist stays readable within the window @nightly", async ({
  ownerPage: page,
}) => {
  const packs = [];
  for (let n = 0; n < 5; n += 1) packs.push((await makeSellablePackage(page)).id);
  const unknown = "01a1f61d-d3d1-7fc7-80f6-000000000000";
  const f = [
    `package:any:${packs.join()}`,
    `package:none:${packs.join()}`,
    `user:any:${unknown}`,
    `provider:contains:${"long".repeat(30)}`,
    "occurredAt:between:2026-01-01,2026-11-01",
  ];
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, { f });
    await expect(page.getByRole("button", { name: "User is Not found" }).first()).toBeVisible();
    const cut = await page.evaluate(
      () =>
        [...document.querySelectorAll(".toolbar > *, .hints li > *")].filter(
          (one) => one.getBoundingClientRect().right > innerWidth,
        ).length,
    );
    expect([width, cut]).toEqual([width, 0]);
  }
});
