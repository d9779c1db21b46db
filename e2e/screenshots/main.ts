/** Takes the screenshots in `docs/pictures`: every screen and state, from a separate product with demo data. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium, expect } from "@playwright/test";
import { startProduct } from "../environment/product.ts";
import { newTestModeDatabase, openTestMode } from "../environment/testMode.ts";
import config from "../playwright.config.ts";
import { allScreenshots } from "./allScreenshots.ts";
import {
  createDemoCompany,
  type DemoCompany,
  openPage,
  type Variant,
  type Workspace,
} from "./demoCompany.ts";
import { expectLoaded, type Screenshot } from "./screenshot.ts";

const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

/** Transitions have ended by then. */
const settleMs = 400;

const takeScreenshot = async (
  workspace: Workspace,
  { states }: DemoCompany,
  screenshot: Screenshot,
  variant: Variant,
) => {
  const { name, as, path, prepare, before, after, keepsScroll, isLoading } = screenshot;
  const page = await openPage(workspace, variant, as ? states[as] : undefined);
  await before?.(page);
  // A busy server returns 503.
  await expect(async () => {
    expect((await page.goto(path))?.status()).not.toBe(503);
  }).toPass({ timeout: 60_000 });
  await prepare?.(page);
  if (!keepsScroll) await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.mouse.move(0, 0);
  await expect(page.locator(".tile .icon:empty")).toHaveCount(0);
  await page.waitForTimeout(settleMs);
  if (!isLoading) await expectLoaded(page);
  await page.screenshot({
    path: `${folder}${name}${variant}.png`,
    animations: "disabled",
    caret: "hide",
  });
  await after?.();
  await page.context().close();
  process.stdout.write(`${name}${variant}\n`);
};

/** Only those whose names begin like one of the words given, or all of them. */
const isWanted = ({ name }: Screenshot) => {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => name.startsWith(word));
};

/** The others are taken anyway. */
const failed: string[] = [];

const browser = await chromium.launch(config.use?.launchOptions);
const database = newTestModeDatabase();
const product = await startProduct({
  COMPANY_NAME: "Northquay",
  ENVIRONMENT: "live",
  ...database.environment,
});
try {
  await mkdir(folder, { recursive: true });
  const workspace = { browser, product };
  await openTestMode(product);
  const company = await createDemoCompany(workspace);
  for (const screenshot of allScreenshots(company).filter(isWanted))
    for (const variant of screenshot.allVariants
      ? (["", "-dark", "-390"] as const)
      : ([""] as const))
      await takeScreenshot(workspace, company, screenshot, variant).catch((error: unknown) => {
        failed.push(`${screenshot.name}${variant}`);
        process.stderr.write(`${error}\n`);
      });
  if (failed.length > 0) {
    process.stderr.write(`Not taken: ${failed.join(", ")}\n`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await product.stop();
  await database.drop();
}
