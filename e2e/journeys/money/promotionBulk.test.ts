import { expect, type Page } from "@playwright/test";
import {
  makePromotion,
  type Promotion,
  publishPromotion,
  readPromotion,
} from "../../data/promotions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { listRegion, openList, uniqueWord } from "../../pages/lists.ts";

// @nightly: Every list shares the bulk actions that the gate checks on apps.

const open = (page: Page, search: Parameters<typeof openList>[1]) =>
  openList(page, search, "/promotion");

test("S2.20 LS8 Promotions are selected by keyboard and paused in bulk @nightly", async ({
  ownerPage: page,
}) => {
  const word = uniqueWord();
  for (const place of ["one", "two"])
    await publishPromotion(page, await makePromotion(page, { name: `${word} ${place}` }));
  await open(page, { q: word, sort: "name" });
  await listRegion(page).focus();
  for (const key of ["j", "x", "Shift+ArrowDown"]) await page.keyboard.press(key);
  const selected = page.getByRole("toolbar", { name: "Selected rows" });
  await selected.getByRole("button", { name: "Pause 2" }).click();
  await toast(page, "2 promotions paused").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "2 promotions resumed")).toBeVisible();
});

test("S2.20 Promotions are extended in bulk, and no end date moves earlier @nightly", async ({
  ownerPage: page,
}) => {
  const word = uniqueWord();
  const ends = { one: "2031-02-01", two: "2031-06-01", three: "2031-03-01" };
  const made: Promotion[] = [];
  for (const [place, day] of Object.entries(ends))
    made.push(
      await makePromotion(page, { name: `${word} ${place}`, endsAt: `${day}T00:00:00.000Z` }),
    );
  await open(page, { q: word, sort: "name" });
  await listRegion(page).focus();
  for (const key of ["j", "Control+a"]) await page.keyboard.press(key);
  const selected = page.getByRole("toolbar", { name: "Selected rows" });
  await selected.getByRole("button", { name: "Extend 3" }).click();
  const dialog = page.getByRole("dialog", { name: "Extend 3 promotions?" });
  await dialog.getByLabel("End date").fill("2031-01-01");
  await dialog.getByRole("button", { name: "Extend", exact: true }).click();
  await expect(dialog).toContainText("Choose a date after the current end date.");
  await dialog.getByLabel("End date").fill("2031-03-31");
  await expect(dialog).toContainText(/Promotions unchanged, because they end later\s*1/);
  await dialog.getByRole("button", { name: "Extend 2 promotions" }).click();
  await expect(toast(page, "2 promotions extended until Mar 31, 2031")).toBeVisible();
  await expect(selected).toHaveCount(0);
  const endsAt = async () => {
    const read = await Promise.all(made.map(({ id }) => readPromotion(page, id)));
    return read.map((one) => String(one["endsAt"]).slice(0, 10));
  };
  expect(await endsAt()).toEqual(["2031-04-01", "2031-06-01", "2031-04-01"]);
  await toast(page, "2 promotions extended").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "End dates of 2 promotions restored")).toBeVisible();
  expect(await endsAt()).toEqual(Object.values(ends));
});
