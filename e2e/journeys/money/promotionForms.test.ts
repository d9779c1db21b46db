import { expect, type Page } from "@playwright/test";
import { sellPackage } from "../../data/packageVersions.ts";
import { makePromotion } from "../../data/promotions.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, recordWrites } from "../../pages/forms.ts";
import { create, openCreate, storedAt, told } from "./promotionForm.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; pricing has tables of cases.

const kind = (page: Page, name: string) => page.getByText(name, { exact: true }).first().click();

const pickPackage = async (page: Page, name: string) => {
  const packages = page.getByRole("combobox", { name: "Packages" });
  await packages.fill(name);
  await page.getByRole("listbox", { name: "Packages" }).getByRole("option", { name }).click();
  await page.keyboard.press("Escape");
};

test("S2.21 FM1 FM2 An empty form shows an error at every missing field @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page, "/api/promotions");
  await create(page);
  await expect(fieldOf(page, "name")).toBeFocused();
  expect(await told(page)).toEqual([
    "Name This field is required.",
    "Percent off Enter a percentage.",
  ]);
  await page.getByLabel("Percent off").fill("a lot");
  await create(page);
  expect(await told(page)).toContain("Percent off Enter a percentage, such as 12.5.");
  expect(writes.filter((one) => !one.endsWith("/preview"))).toEqual([]);
});

test("S2.21 A promotion is created for a package, an interval and a schedule", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  await openCreate(page);
  await fieldOf(page, "name").fill("Autumn 20");
  await page.getByRole("button", { name: "Generate code" }).click();
  await expect(fieldOf(page, "code")).toHaveValue(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]$/);
  await page.getByLabel("Percent off").fill("12,5");
  await page.getByLabel("Duration").selectOption({ label: "Several payments" });
  await expect(page.getByLabel("Number of payments")).toHaveValue("3");
  await page.getByLabel("Applied to").selectOption({ label: "Order total" });
  await pickPackage(page, pack.name);
  await page.getByRole("combobox", { name: "Interval", exact: true }).click();
  await page
    .getByRole("listbox", { name: "Interval" })
    .getByRole("option", { name: "Yearly" })
    .click();
  await page.keyboard.press("Escape");
  await page.getByLabel("Eligible customers", { exact: true }).selectOption("new");
  await page.getByLabel("Start date").fill("2030-11-02");
  await page.getByLabel("End date").fill("2030-11-30");
  await page.getByLabel("Redemption limit").fill("12000");
  await page.getByRole("button", { name: "Add currency" }).click();
  await page.getByLabel("Budget in EUR").fill("200000");
  await page.getByRole("switch", { name: /^Can be combined/ }).click();
  await create(page);
  const stored = await storedAt(page);
  expect(stored).toMatchObject({
    name: "Autumn 20",
    status: "draft",
    basisPoints: 1250,
    level: "order",
    duration: "periods",
    periods: 3,
    packages: [{ id: pack.id }],
    intervals: ["year"],
    audience: "new",
    redemptionLimit: 12_000,
    stacking: "stackable",
    amounts: [{ currency: "EUR", budget: 20_000_000 }],
  });
  const days =
    (Date.parse(`${stored["endsAt"]}`) - Date.parse(`${stored["startsAt"]}`)) / 86_400_000;
  expect(Math.round(days)).toBe(29);
  await expect(page.getByRole("dialog", { name: "Preview of Autumn 20" })).toContainText(
    "Nov 2, 2030 – Nov 30, 2030",
  );
});

test("S2.21 A fixed amount is entered per currency, a free trial extension in days @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  await fieldOf(page, "name").fill("Five off");
  await kind(page, "Fixed amount");
  await create(page);
  expect(await told(page)).toEqual(["Amounts Enter a discount in at least one currency."]);
  await page.getByRole("button", { name: "Add currency" }).first().click();
  await page.getByLabel("Amount off in EUR").fill("5,00");
  await create(page);
  expect(await storedAt(page)).toMatchObject({
    kind: "fixed",
    amounts: [{ currency: "EUR", off: 500 }],
  });

  await openCreate(page);
  await fieldOf(page, "name").fill("Two weeks");
  await kind(page, "Free trial extension");
  await page.getByLabel("Extra trial days").fill("14");
  await page.getByRole("switch", { name: /^Requires a code/ }).click();
  await expect(fieldOf(page, "code")).toHaveCount(0);
  await create(page);
  expect(await storedAt(page)).toMatchObject({ kind: "trial", trialDays: 14, requiresCode: false });
});

test("S2.21 FM3 A code used by another promotion is reported at its field @nightly", async ({
  ownerPage: page,
}) => {
  const { code } = await makePromotion(page);
  await openCreate(page);
  await fieldOf(page, "name").fill("Twice");
  await fieldOf(page, "code").fill(`${code}`.toLowerCase());
  await page.getByLabel("Percent off").fill("10");
  await create(page);
  await expect(fieldOf(page, "code")).toHaveAttribute("aria-invalid", "true");
});

test("S2.21 The form fits a phone without horizontal scrolling @nightly", async ({
  ownerPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openCreate(page);
  await page.getByRole("button", { name: "Add currency" }).click();
  await expect(page.getByLabel("Budget in EUR")).toBeVisible();
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
});
