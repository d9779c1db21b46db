import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { heading, sellPackage } from "../../data/packageVersions.ts";
import {
  archivePromotion,
  makeManyPromotions,
  makePromotion,
  publishPromotion,
  readPromotion,
  usePromotion,
} from "../../data/promotions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import {
  columnHeader,
  listQueryAfter,
  numberedNames,
  rowNames,
  rowOf,
  uniqueWord,
} from "../../pages/lists.ts";
import { drawer, open } from "./promotions.ts";

// @nightly: Every list shares the behavior that the gate checks on apps.

const openMenu = async (page: Page, name: string) => {
  await rowOf(page, name)
    .getByRole("button", { name: `Actions for ${name}` })
    .click();
  return page.getByRole("menu", { name: `Actions for ${name}` });
};

const choose = async (page: Page, name: string, item: string) =>
  (await openMenu(page, name)).getByRole("menuitem", { name: item, exact: true }).click();

test("S2.20 LS1 LS3 Promotions are sorted by the server, and a shared URL shows the same rows to another user @nightly", async ({
  ownerPage: page,
  product,
  colleaguePage,
}) => {
  const word = uniqueWord();
  await makeManyPromotions(product, word, 3);
  await open(page, { q: word });
  const name = columnHeader(page, "Name");
  for (const [sort, direction, rows] of [
    ["name", "ascending", numberedNames(word, 1, 3)],
    ["-name", "descending", numberedNames(word, 3, 1)],
  ] as const) {
    const asked = await listQueryAfter(page, () => name.getByRole("button").click());
    expect(asked.get("sort")).toBe(sort);
    await expect(name).toHaveAttribute("aria-sort", direction);
    await expect(rowNames(page)).toHaveText(rows);
  }
  await colleaguePage.goto(page.url());
  await expect(rowNames(colleaguePage)).toHaveText(numberedNames(word, 3, 1));
});

test("S2.20 A row shows a promotion's discount, scope, redemptions and schedule @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  const pack = await sellPackage(page, { name: `Studio ${word}` });
  const autumn = await makePromotion(page, {
    name: `${word} autumn`,
    packageIds: [pack.id],
    redemptionLimit: 12_000,
    startsAt: "2026-11-02T00:00:00Z",
    endsAt: "2036-12-01T00:00:00Z",
  });
  await publishPromotion(page, autumn);
  await usePromotion(product, autumn, 8214);
  await makePromotion(page, {
    name: `${word} fixed`,
    kind: "fixed",
    basisPoints: null,
    amounts: [{ currency: "EUR", off: 500 }],
  });
  await makePromotion(page, {
    name: `${word} trial`,
    kind: "trial",
    basisPoints: null,
    trialDays: 14,
    requiresCode: false,
    code: null,
  });
  await open(page, { q: word });
  const cells = (name: string) => rowOf(page, `${word} ${name}`).getByRole("cell");
  await expect(cells("autumn").filter({ hasText: /^20%$/ })).toBeVisible();
  await expect(cells("autumn").filter({ hasText: /^8,214 \/ 12,000$/ })).toBeVisible();
  await expect(cells("autumn").filter({ hasText: /^Studio / })).toBeVisible();
  await expect(cells("autumn").filter({ hasText: "Nov 2, 2026 – Nov 30, 2036" })).toBeVisible();
  await expect(cells("autumn").filter({ hasText: /^Running$/ })).toBeVisible();
  await expect(cells("fixed").filter({ hasText: /^5\.00 EUR$/ })).toBeVisible();
  await expect(cells("trial").filter({ hasText: /^14 days free$/ })).toBeVisible();
  await expect(cells("trial").filter({ hasText: /^All packages$/ })).toBeVisible();

  await expect(page.getByRole("link", { name: /^Draft \d/ })).toHaveAttribute("href", /status/);
  await open(page, { q: word, f: "status:any:draft" });
  await expect(rowNames(page)).toHaveText([`${word} trial`, `${word} fixed`]);
  await open(page, { q: word, f: `package:any:${pack.id}` });
  await expect(rowNames(page)).toHaveText([`${word} autumn`]);
});

test("S2.20 LS7 The promotions of a search are exported, one per line @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  await makeManyPromotions(product, word, 27);
  await open(page, { q: word, sort: "name" });
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export promotions" });
  const started = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  const lines = text.trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(28);
  expect(lines[1]).toContain(`${word} 0001`);
});

test("S2.20 A promotion is published, paused, resumed, archived and restored from its row @nightly", async ({
  ownerPage: page,
}) => {
  const promotion = await makePromotion(page);
  const { id, name } = promotion;
  const statusIs = async (status: string) =>
    expect.poll(async () => (await readPromotion(page, id)).status).toBe(status);
  await open(page, { q: name });
  await choose(page, name, "Publish");
  const question = page.getByRole("dialog", { name: `Publish ${name}?` });
  await expect(question).toContainText("Discount20%");
  await question.getByRole("button", { name: `Publish ${name}` }).click();
  await expect(toast(page, `${name} published`)).toBeVisible();
  await choose(page, name, "Pause");
  await toast(page, `${name} paused`).getByRole("button", { name: "Undo" }).click();
  await statusIs("running");
  await expect(rowOf(page, name)).toContainText("Running");
  await choose(page, name, "Pause");
  await statusIs("paused");
  await expect(rowOf(page, name)).toContainText("Paused");
  await choose(page, name, "Resume");
  await statusIs("running");
  await expect(rowOf(page, name)).toContainText("Running");
  await choose(page, name, "Archive");
  await page.getByRole("button", { name: `Archive ${name}` }).click();
  await toast(page, `${name} archived`).getByRole("button", { name: "Undo" }).click();
  await statusIs("paused");
});

test("S2.20 DG2 Only a draft can be deleted, by typing its name @nightly", async ({
  ownerPage: page,
}) => {
  const { name } = await makePromotion(page);
  await open(page, { q: name });
  await choose(page, name, "Delete draft");
  const question = page.getByRole("alertdialog", { name: `Delete ${name}?` });
  const button = question.getByRole("button", { name: `Delete ${name}` });
  await expect(button).toBeDisabled();
  await question.getByRole("textbox").fill(name);
  await button.click();
  await expect(toast(page, `${name} deleted`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
});

test("S2.20 Shortcuts open the promotion list and the new promotion form, and the palette finds a promotion @nightly", async ({
  ownerPage: page,
}) => {
  const promotion = await makePromotion(page);
  await page.goto("/");
  await expect(heading(page)).toHaveText("Home");
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(heading(page)).toHaveText("Promotions");
  await page.keyboard.press("c");
  await expect(heading(page)).toHaveText("New promotion");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
  await page.keyboard.type(promotion.code ?? "");
  await page.getByRole("option", { name: promotion.name }).click();
  await expect(drawer(page, promotion.name)).toBeVisible();
});

test("S2.20 A phone shows promotions as cards and one in full without horizontal scrolling @nightly", async ({
  ownerPage: page,
}) => {
  const promotion = await makePromotion(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const expectNoScroll = async () =>
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  await open(page, { q: promotion.name });
  await expect(rowOf(page, promotion.name)).toContainText("20%");
  await expectNoScroll();
  await open(page, { q: promotion.name, preview: promotion.id });
  await expect(drawer(page, promotion.name)).toContainText("Promotion created");
  await expectNoScroll();
});

test("S2.22 An archived promotion can't be edited until it is restored @nightly", async ({
  ownerPage: page,
}) => {
  const running = await publishPromotion(page, await makePromotion(page));
  await archivePromotion(page, running);
  await page.goto(`/promotion/edit/${running.id}`);
  await expect(page.getByRole("heading", { name: `${running.name} is archived` })).toBeVisible();
  await page.getByRole("link", { name: "Restore it" }).click();
  await expect(drawer(page, running.name)).toBeVisible();
});
