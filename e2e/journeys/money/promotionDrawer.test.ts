import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { sellPackage } from "../../data/packageVersions.ts";
import { makePromotion, publishPromotion, usePromotion } from "../../data/promotions.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, expectAccessible, wcag } from "../../pages/accessibility.ts";
import { searchParam } from "../../pages/lists.ts";
import { drawer, open } from "./promotions.ts";

// @nightly: Every list shares the behavior that the gate checks on apps.

test("S2.20 S2.33 LS13 The drawer shows all details of a promotion", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await sellPackage(page);
  const promotion = await makePromotion(page, {
    packageIds: [pack.id],
    intervals: ["year"],
    audience: "new",
    redemptionLimit: 100,
    redemptionLimitPerCustomer: 1,
    amounts: [{ currency: "EUR", minimum: 1000, budget: 200_000 }],
  });
  await publishPromotion(page, promotion);
  await usePromotion(product, promotion, 3);
  await open(page, { q: promotion.name, preview: promotion.id });
  const shown = drawer(page, promotion.name);
  for (const text of [
    "20% off",
    "First payment only",
    "Yearly",
    "Customers who never had a package",
    "3 of 100",
    "10.00 EUR",
    "0.00 EUR of 2,000.00 EUR",
    "No redemptions yet.",
    `${promotion.code}`,
    "Promotion published",
  ])
    await expect(shown).toContainText(text);
  await expect(shown.getByRole("link", { name: pack.name })).toHaveAttribute(
    "href",
    `/package/view/${pack.id}`,
  );
  await expect(shown.getByRole("link", { name: "Open" })).toHaveAttribute(
    "href",
    `/promotion/edit/${promotion.id}`,
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect.poll(() => searchParam(page, "preview")).toBeNull();
});

test("S2.20 Codes are generated in the drawer and downloaded as a file @nightly", async ({
  ownerPage: page,
}) => {
  const promotion = await makePromotion(page);
  await open(page, { q: promotion.name, preview: promotion.id });
  const shown = drawer(page, promotion.name);
  await shown.getByRole("button", { name: "Generate codes" }).click();
  const dialog = page.getByRole("dialog", { name: `Generate codes for ${promotion.name}` });
  await dialog.getByLabel("Number of codes").fill("many");
  await dialog.getByRole("button", { name: "Generate codes" }).click();
  await expect(dialog.getByText("Enter a whole number.")).toBeVisible();
  await dialog.getByLabel("Number of codes").fill("20000");
  await dialog.getByRole("button", { name: "Generate 20,000 codes" }).click();
  await expect(dialog.getByText("Enter at most 10000.")).toBeVisible();
  await dialog.getByLabel("Number of codes").fill("25");
  await dialog.getByRole("button", { name: "Generate 25 codes" }).click();
  await expect(dialog.getByText("25 codes generated.")).toBeVisible();
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  const started = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download codes" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  const lines = text.trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(27);
  expect(lines[1]).toContain(`${promotion.code},0,`);
  expect(lines[2]).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z],0,1,/);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(shown).toContainText("25 generated codes");
});
