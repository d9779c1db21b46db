/** Takes the pictures of `docs/pictures`: every screen and state, from a product of its own with demo data. */
import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium, expect } from "@playwright/test";
import { startProduct } from "../environment/product.ts";
import config from "../playwright.config.ts";
import { scenesOf } from "./allScreenshots.ts";
import { type Look, openPage, type Place, type Prepared, prepare } from "./demoCompany.ts";
import type { Scene } from "./screenshot.ts";

const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

/** What fades in after a change has come to rest by then. */
const settleMs = 400;

const take = async (place: Place, { states }: Prepared, scene: Scene, look: Look) => {
  const { name, as, path, act, before, after, staysScrolled } = scene;
  const page = await openPage(place, look, as ? states[as] : undefined);
  await before?.(page);
  // A busy machine is told to come again.
  await expect(async () => {
    expect((await page.goto(path))?.status()).not.toBe(503);
  }).toPass({ timeout: 60_000 });
  await act?.(page);
  if (!staysScrolled) await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.mouse.move(0, 0);
  await expect(page.locator(".tile .icon:empty")).toHaveCount(0);
  await page.waitForTimeout(settleMs);
  await page.screenshot({
    path: `${folder}${name}${look}.png`,
    animations: "disabled",
    caret: "hide",
  });
  await after?.();
  await page.context().close();
  process.stdout.write(`${name}${look}\n`);
};

/** Only those whose names begin like one of the words given, or all of them. */
const isWanted = ({ name }: Scene) => {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => name.startsWith(word));
};

const browser = await chromium.launch(config.use?.launchOptions);
const product = await startProduct({ COMPANY_NAME: "Northquay", ENVIRONMENT: "live" });
try {
  if (process.argv.length === 2) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const place = { browser, product };
  const prepared = await prepare(place);
  for (const scene of scenesOf(prepared).filter(isWanted))
    for (const look of scene.everywhere ? (["", "-dark", "-390"] as const) : ([""] as const))
      await take(place, prepared, scene, look);
} finally {
  await browser.close();
  await product.stop();
}
