import { randomBytes } from "node:crypto";
import { expect } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { dropDatabase, urlOf } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";
import { expectHome } from "../../pages/navigation.ts";
import { openAccount } from "../../pages/signIn.ts";

// @nightly: Migrates a second database; the gate covers both modes over HTTP.

const dayMs = 86_400_000;

test("Test mode has its own apps and a clock that moves, and live has neither @nightly", async ({
  startWorkspace,
}) => {
  test.slow();
  const database = `purser_e2e_${randomBytes(6).toString("hex")}`;
  const { page, product } = await startWorkspace({ TEST_MODE_DATABASE_URL: urlOf(database) });
  try {
    // The running server opens test mode once its database is set up.
    await product.purser("migrate");
    const modeOf = async () => (await (await fetch(`${product.origin}/readyz`)).json()).testMode;
    await expect.poll(modeOf, { timeout: 60_000 }).toBe("ok");
    const errors = await collectBrowserErrors(page);

    await openAccount(page);
    await page.getByRole("link", { name: "Switch to test mode" }).click();
    await expectHome(page);
    expect(new URL(page.url()).pathname).toBe("/test/");
    const bar = page.getByRole("region", { name: "Test mode" });
    await expect(bar).toContainText("No money moves");

    const code = uniqueCode();
    await page.goto("/test/apps/create");
    await page.getByLabel("Name", { exact: true }).fill(`App ${code}`);
    await page.getByLabel("Code", { exact: true }).fill(code);
    await page.getByRole("button", { name: /^Create app/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: `App ${code}` })).toBeVisible();
    expect(new URL(page.url()).pathname).toMatch(/^\/test\/apps\/view\//);
    const appsIn = async (api: string) =>
      (await callApi<{ items: unknown[] }>(page, { path: `${api}/apps?q=${code}` })).items.length;
    expect([await appsIn(""), await appsIn("/test")]).toEqual([0, 1]);

    await bar.getByRole("button", { name: "31 days" }).click();
    const clockOf = () =>
      callApi<{ aheadSeconds: number; move: unknown }>(page, { path: "/test/test-clock" });
    await expect.poll(async () => (await clockOf()).aheadSeconds).toBeGreaterThan(31 * 86_400 - 60);
    await expect.poll(async () => (await clockOf()).move).toBeNull();
    const year = new Date(Date.now() + 31 * dayMs).getFullYear();
    await expect(bar).toContainText(new RegExp(`Clock: .*${year}`));

    await bar.getByRole("link", { name: "Exit test mode" }).click();
    await expectHome(page);
    expect(new URL(page.url()).pathname).toBe("/");
    await expect(bar).toBeHidden();
    await page.goto(`/apps?q=${code}`);
    await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
    await expect(page.getByText(`App ${code}`)).toBeHidden();
    expect(errors).toEqual([]);
  } finally {
    await product.stopServer();
    await dropDatabase(database);
  }
});
