import { expect, type Page } from "@playwright/test";
import { makeManyApps } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { listRegion, listUrl, rowNames, uniqueWord } from "../../pages/lists.ts";
import { withoutPayloads } from "../../pages/payloads.ts";
import { theList } from "./requests.ts";

// @nightly: The gate covers the first error, the empty list and a read-only role; this is a variant.

/** Delays a response until it is released. */
const holdBack = async (page: Page) => {
  const held = Promise.withResolvers<void>();
  await withoutPayloads(page);
  await page.route(
    (url) => theList(url) || url.pathname === "/api/apps/counts",
    async (route) => {
      await held.promise;
      await route.continue();
    },
  );
  return held.resolve;
};

type Shift = PerformanceEntry & { value: number };

const shiftsOf = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    // The last paint is reported with the next frames.
    for (let count = 0; count < 3; count++) await frame();
    const { shifts } = window as unknown as { shifts: Shift[] };
    return shifts.reduce((sum, { value }) => sum + value, 0);
  });

/** Where the cells of the third row are, and how large. */
const sizeOfRow = (page: Page) =>
  listRegion(page)
    .getByRole("row")
    .nth(3)
    .evaluate((row) =>
      [...row.children].map((cell) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        return [left, top, width, height].map(Math.round);
      }),
    );

for (const amount of [30, 3])
  test(`LS11 Loading ${amount} rows causes no layout shift @nightly`, async ({
    ownerPage,
    product,
  }) => {
    const word = uniqueWord();
    await makeManyApps(product, word, amount);
    await ownerPage.addInitScript(() => {
      const shifts: PerformanceEntry[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
        type: "layout-shift",
        buffered: true,
      });
    });
    const letGo = await holdBack(ownerPage);
    await ownerPage.goto(listUrl({ q: word }));
    // 25 rows in their final size, below the header.
    await expect(listRegion(ownerPage).getByRole("row")).toHaveCount(26);
    await expect(listRegion(ownerPage)).toHaveAttribute("aria-busy", "true");
    const awaited = await sizeOfRow(ownerPage);
    letGo();
    await expect(rowNames(ownerPage)).toHaveCount(Math.min(25, amount));
    await expect(ownerPage.getByRole("link", { name: /^Active/ })).toHaveText(/\d$/);
    expect(await shiftsOf(ownerPage)).toBeLessThanOrEqual(0.02);
    // The browser doesn't report a row that replaces another one as a shift, but a user sees it.
    expect(await sizeOfRow(ownerPage)).toEqual(awaited);

    // The observer works: a shift of the whole page is reported.
    await ownerPage.evaluate(() => {
      document.body.style.paddingTop = "200px";
    });
    expect(await shiftsOf(ownerPage)).toBeGreaterThan(0.02);
  });
