import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { changeApp, makeApp, makeManyApps } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import {
  insertApp,
  listRegion,
  numberedNames,
  openList,
  rowNames,
  rowOf,
  uniqueWord,
} from "../../pages/lists.ts";
import { waitForStream } from "../../pages/liveChanges.ts";
import { press } from "./rows.ts";

// @nightly: The gate covers rows by keyboard, preview, bulk actions and live updates; this is a detail.

/** Opens the list and waits until it receives live updates. */
const follow = async (page: Page, search: Record<string, string>) => {
  const following = waitForStream(page);
  await openList(page, search);
  await following;
};

test("live: A change by another user appears in its row within 3 s and keeps the focus", async ({
  ownerPage,
  colleaguePage,
  product,
}) => {
  await colleaguePage.goto("/");
  const word = uniqueWord();
  await makeManyApps(product, word, 3);
  await follow(ownerPage, { q: word, sort: "name" });
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 3));
  const id = (await rowOf(ownerPage, `${word} 0002`).getAttribute("data-row")) ?? "";
  await listRegion(ownerPage).focus();
  await press(ownerPage, "j", "j");
  await expect(rowOf(ownerPage, `${word} 0002`)).toBeFocused();

  // Its new name sorts last, but a visible row must not move.
  await changeApp(colleaguePage, id, { name: `${word} 9999` });
  await expect(rowNames(ownerPage)).toHaveText([`${word} 0001`, `${word} 9999`, `${word} 0003`], {
    timeout: 3000,
  });
  await expect(rowOf(ownerPage, `${word} 9999`)).toBeFocused();
  await expect(ownerPage.getByRole("button", { name: /Show$/ })).toBeHidden();
});

test("live: A new app is announced and added on request, and a deleted app is crossed out @nightly", async ({
  ownerPage,
  colleaguePage,
  product,
}) => {
  await colleaguePage.goto("/");
  const word = uniqueWord();
  await makeManyApps(product, word, 2);
  const id = await insertApp(product, { name: `${word} 0003`, status: "draft" });
  await follow(ownerPage, { q: word, sort: "name" });
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 3));

  await makeApp(colleaguePage, { name: `${word} 0000` });
  const news = ownerPage.getByRole("status").getByRole("button", { name: "1 new. Show" });
  await expect(news).toBeVisible({ timeout: 3000 });
  const [bar, table] = [await news.boundingBox(), await listRegion(ownerPage).boundingBox()];
  // In the footer, so that it covers no row.
  expect(table && bar && table.y + table.height).toBeLessThanOrEqual(bar?.y ?? 0);
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 1, 3));
  await news.click();
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 0, 3));
  await expect(news).toBeHidden();

  await callApi(colleaguePage, { method: "DELETE", path: `/apps/${id}`, version: 1 });
  const gone = rowOf(ownerPage, `${word} 0003`);
  await expect(gone.getByRole("rowheader")).toHaveCSS("text-decoration-line", "line-through", {
    timeout: 3000,
  });
  await expect(rowNames(ownerPage)).toHaveCount(4);
  await ownerPage.getByRole("button", { name: "1 deleted. Show" }).click();
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 0, 2));
});
