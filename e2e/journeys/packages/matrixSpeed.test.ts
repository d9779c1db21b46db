import { type CDPSession, expect, type Page } from "@playwright/test";
import { fillPackage, makePackage } from "../../data/packages.ts";
import { test } from "../../fixtures/test.ts";
import { uniqueWord } from "../../pages/lists.ts";
import { cellOf, grid, openMatrix } from "../../pages/matrix.ts";

// @nightly: Measures time, which a busy machine distorts.

const cpuMsOf = async (cdp: CDPSession) => {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
};

const painted = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  });

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const keyMsMax = 50;

test("MX8 With 1,000 features an arrow key takes at most 50 ms, and the last row is reached both ways @nightly @speed", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  const pack = await makePackage(page, { name: "Everything" });
  await fillPackage(product, pack, { apps: 40, features: 25, word });
  await openMatrix(page, pack);
  await expect(grid(page)).toHaveAttribute("aria-rowcount", "1041");
  // Few of them are drawn.
  expect(await grid(page).getByRole("row").count()).toBeLessThan(80);

  const first = cellOf(page, { name: "Limit 01" }).first();
  await first.focus();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  let best = Number.POSITIVE_INFINITY;
  // A busy machine only ever adds.
  for (let round = 0; round < 3 && best > keyMsMax; round += 1) {
    const times: number[] = [];
    for (let press = 0; press < 15; press += 1) {
      await painted(page);
      const before = await cpuMsOf(cdp);
      await page.keyboard.press("ArrowDown");
      await painted(page);
      times.push((await cpuMsOf(cdp)) - before);
    }
    best = Math.min(best, median(times.slice(3)));
    const description = `an arrow key: ${best.toFixed(1)} ms (${times.map((ms) => ms.toFixed(0)).join(" ")})`;
    test.info().annotations.push({ type: "speed", description });
  }
  expect(best).toBeLessThanOrEqual(keyMsMax);

  const last = grid(page).locator('[aria-rowindex="1041"]');
  await page.keyboard.press("Control+End");
  await expect(last.locator(":focus")).toBeInViewport();
  await page.keyboard.press("Control+Home");
  await expect(last).toHaveCount(0);
  await grid(page).hover();
  await page.mouse.wheel(0, 60_000);
  await expect(last).toBeInViewport();
  // The focus is unchanged and is the only stop in the tab order.
  await expect(grid(page).locator('[tabindex="0"]')).toHaveCount(1);
  await expect(grid(page).locator('[aria-rowindex="2"] > th')).toBeFocused();
});

test("MX8 A value in a distant row is typed and saved @nightly @speed", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  const pack = await makePackage(page, { name: "Everything" });
  await fillPackage(product, pack, { apps: 40, features: 25, word });
  await openMatrix(page, pack);
  await cellOf(page, { name: "Limit 01" }).first().focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("77");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "1 unsaved change" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Find a feature" }).fill(`${word} 040`);
  await expect(grid(page)).toHaveAttribute("aria-rowcount", "27");
  await expect(cellOf(page, { name: "Limit 25" })).toContainText("77");
});
