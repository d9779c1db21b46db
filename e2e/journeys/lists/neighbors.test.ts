import { expect } from "@playwright/test";
import { makeManyApps } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { openList, rowNames, rowOf, uniqueWord } from "../../pages/lists.ts";
import { press } from "./rows.ts";

test("VW8 [ and ] go through the records of the filtered list, also over the end of a page", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 12);
  await openList(page, { q: word, sort: "name", size: "10" });
  await expect(rowNames(page)).toHaveCount(10);
  await rowOf(page, `${word} 0009`).getByRole("link").first().click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(`${word} 0009`);
  await press(page, "]");
  await expect(heading).toContainText(`${word} 0010`);
  await press(page, "]");
  await expect(heading).toContainText(`${word} 0011`);
  await page.getByRole("button", { name: "Next record of the list" }).click();
  await expect(heading).toContainText(`${word} 0012`);
  await expect(page.getByRole("button", { name: "Next record of the list" })).toBeDisabled();
  await press(page, "[");
  await expect(heading).toContainText(`${word} 0011`);
  await press(page, "[");
  await expect(heading).toContainText(`${word} 0010`);
  await page.reload();
  await expect(heading).toContainText(`${word} 0010`);
  await expect(page.getByRole("button", { name: "Next record of the list" })).toHaveCount(0);
});

test("VW7 A printed record has no navigation and fits A4", async ({ ownerPage: page, product }) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 1);
  await openList(page, { q: word });
  await rowOf(page, `${word} 0001`).getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(word);
  // A4 with margins of 1 cm, at 96 pixels per inch.
  await page.setViewportSize({ width: 718, height: 1046 });
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "More actions" })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(718);
});
