import { expect, type Page } from "@playwright/test";
import { heading, sellPackage } from "../../data/packageVersions.ts";
import {
  makePromotion,
  type Promotion,
  publishPromotion,
  readPromotion,
  usePromotion,
} from "../../data/promotions.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, expectAccessible, wcag } from "../../pages/accessibility.ts";
import { fieldOf, toast } from "../../pages/forms.ts";
import { create, openCreate, storedAt, told } from "./promotionForm.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; pricing has tables of cases.

const rail = (page: Page) => page.locator(".record-rail");
const save = (page: Page) => page.getByRole("button", { name: "Save promotion" }).click();

const openEdit = async (page: Page, { id, name }: Promotion) => {
  await page.goto(`/promotion/edit/${id}`);
  await expect(heading(page)).toHaveText(`Edit ${name}`);
};

test("S2.22 FM10 The schedule uses the company's time zone for every user @nightly", async ({
  browser,
  sharedOwner,
  product,
  ownerPage: page,
}) => {
  await openCreate(page);
  await fieldOf(page, "name").fill("One month");
  await page.getByLabel("Percent off").fill("10");
  await page.getByLabel("Start date").fill("2036-03-01");
  await page.getByLabel("End date").fill("2036-03-31");
  await create(page);
  const { id } = await storedAt(page);
  for (const timezoneId of ["Pacific/Honolulu", "Asia/Tokyo"]) {
    const context = await browser.newContext({
      baseURL: product.origin,
      storageState: sharedOwner.state,
      timezoneId,
    });
    const away = await context.newPage();
    await away.goto(`/promotion/edit/${id}`);
    await expect(away.getByLabel("Start date")).toHaveValue("Mar 1, 2036");
    await expect(away.getByLabel("End date")).toHaveValue("Mar 31, 2036");
    await context.close();
  }
});

test("S2.22 A draft is published from its edit page, and its unsaved changes are saved first @nightly", async ({
  ownerPage: page,
}) => {
  const promotion = await makePromotion(page);
  await openEdit(page, promotion);
  const publish = page.getByRole("button", { name: "Publish", exact: true });
  const name = `${promotion.name} later`;
  await fieldOf(page, "name").fill(name);
  await publish.click();
  await expect(toast(page, "saved")).toBeVisible();
  expect(await readPromotion(page, promotion.id)).toMatchObject({ name, status: "draft" });
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: `Publish ${name}` })
    .click();
  await expect(publish).toHaveCount(0);
  expect(await readPromotion(page, promotion.id)).toMatchObject({ name, status: "running" });
});

test("S2.22 The form previews the price while typing and explains why there is no discount @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  const promotion = await makePromotion(page, {
    packageIds: [pack.id],
    intervals: ["year"],
    redemptionLimit: 12_000,
  });
  await openEdit(page, promotion);
  await expect(rail(page)).toContainText(
    `A customer who buys ${pack.name} (yearly) today gets 14 days free, then pays 96.00 instead of 120.00.`,
  );
  await expect(rail(page)).toContainText("12,000 of 12,000 redemptions left");
  await page.getByLabel("Percent off").fill("50");
  await expect(rail(page)).toContainText("pays 60.00 instead of 120.00");
  await expect(rail(page)).toContainText("Percent off changes from 20% to 50%.");
  await expect(page.getByText("Previously 20%")).toBeVisible();

  await page.getByLabel("Interval to preview").selectOption({ label: "Monthly" });
  await expect(rail(page)).toContainText("pays 12.00, the list price.");
  await expect(rail(page).getByRole("listitem").filter({ hasText: "Not met. " })).toHaveText([
    `Not met. ${promotion.name} doesn't apply to this billing period.`,
  ]);
  await expect(rail(page)).toContainText("doesn't apply");
  await expectAccessible(page);
  await page.getByLabel("Interval to preview").selectOption({ label: "Yearly" });
  await page.getByLabel("Start date").fill("2036-01-01");
  await expect(rail(page).getByRole("listitem").filter({ hasText: "Not met. " })).toContainText(
    "starts on Jan 1, 2036",
  );
});

test("S2.22 After the first redemption the discount is locked with a reason, and limits can be increased", async ({
  ownerPage: page,
  product,
}) => {
  const promotion = await makePromotion(page, { redemptionLimit: 10 });
  await publishPromotion(page, promotion);
  await usePromotion(product, promotion, 4);
  await openEdit(page, promotion);
  for (const label of ["Percent off", "Duration", "Packages", "Eligible customers", "Start date"])
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute("readonly", "");
  await expect(page.getByText("Already used, so this can't be changed.").first()).toBeVisible();
  await expect(rail(page)).toContainText("4 past redemptions don't change.");
  await page.getByRole("textbox", { name: "Redemption limit" }).fill("5");
  await save(page);
  expect(await told(page)).toEqual([
    "Redemption limit This limit can only be increased after the first redemption.",
  ]);
  await page.getByRole("textbox", { name: "Redemption limit" }).fill("50");
  await fieldOf(page, "name").fill(`${promotion.name} late`);
  await save(page);
  await expect(toast(page, `${promotion.name} late saved`)).toBeVisible();
  expect(await readPromotion(page, promotion.id)).toMatchObject({ redemptionLimit: 50 });
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
});

test("S2.22 Promotions of the same period are shown next to this one @nightly", async ({
  ownerPage: page,
}) => {
  const at = (day: number) => new Date(Date.UTC(2033, 4, day)).toISOString();
  const other = await makePromotion(page, { startsAt: at(1), endsAt: at(20) });
  await publishPromotion(page, other);
  const own = await makePromotion(page, { startsAt: at(10), endsAt: at(30) });
  await openEdit(page, own);
  const bars = page.getByRole("list", { name: "Promotions in this period" }).getByRole("listitem");
  await expect(bars.first()).toContainText(`${own.code}`);
  await page.getByLabel("End date").fill("2033-06-20");
  await expect(page.getByText("1 unsaved change")).toBeVisible();
});

test("S2.22 FM6 Changes by another user are merged, and a conflict in one field asks @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const promotion = await makePromotion(page);
  await openEdit(page, promotion);
  await openEdit(colleaguePage, promotion);
  await fieldOf(colleaguePage, "name").fill("Theirs");
  await save(colleaguePage);
  await expect(toast(colleaguePage, "Theirs saved")).toBeVisible();
  await fieldOf(page, "name").fill("Mine");
  await save(page);
  const dialog = page.getByRole("dialog").filter({ hasText: "Theirs" });
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText("Mine");
});
