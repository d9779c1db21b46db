import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { startChartlet } from "../../environment/chartlet.ts";
import { freePort, type Product } from "../../environment/product.ts";
import { test as base } from "../../fixtures/test.ts";
import { accessibilityViolations, wcag } from "../../pages/accessibility.ts";

// @nightly: It builds the example and starts and stops processes. The SDK's own tests cover outages in the gate.

type Chartlet = Awaited<ReturnType<typeof startChartlet>>;
type Sold = { product: Product; owner: Page; chartlet: Chartlet };

/** A product of its own, because it sends webhooks only to ports that it knows at its start. */
const test = base.extend<{ sold: Sold }>({
  sold: async ({ startWorkspace }, provide) => {
    const port = await freePort();
    const { page, product } = await startWorkspace({
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      WEBHOOK_ALLOWED_PORTS: `443,${port}`,
    });
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const chartlet = await startChartlet({ purser: { url: product.origin, cookie }, port });
    await provide({ product, owner: page, chartlet });
    await chartlet.stop();
  },
});

const signUp = async (page: Page, email: string) => {
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("walnut ferry");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeHidden();
};

const open = (page: Page, name: "Charts" | "Plans") =>
  page.getByRole("navigation").getByRole("link", { name }).click();

const expectLeft = (page: Page, text: string) =>
  expect(page.getByText(/of \d+ exports left this month/)).toHaveText(
    `${text} exports left this month`,
  );

/** Exports that many charts, and sees how many are left after each. */
const exportCharts = async (page: Page, { from, to, of }: Record<"from" | "to" | "of", number>) => {
  for (let left = from - 1; left >= to; left -= 1) {
    const downloaded = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export SVG" }).click();
    expect((await downloaded).suggestedFilename()).toBe("chart.svg");
    await expectLeft(page, `${left} of ${of}`);
  }
};

const expectDenied = async (page: Page) => {
  await page.getByRole("button", { name: "Export SVG" }).click();
  await expect(page.getByText("You have no exports left this month.")).toBeVisible();
};

const buy = async (page: Page, button: string) => {
  await open(page, "Plans");
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("button", { name: /^Pay €/ }).click();
  await expect(page.getByText("Payment received")).toBeVisible();
  await open(page, "Charts");
};

const color = (page: Page) => page.getByLabel("Brand color");

const hour = 3_600_000;

test("A sold app works while Purser is stopped for an hour, and its usage is counted once @nightly", async ({
  browser,
  sold: { product, owner, chartlet },
}) => {
  const context = await browser.newContext({ baseURL: chartlet.url, acceptDownloads: true });
  const page = await context.newPage();
  await page.goto("/");
  await signUp(page, "ada@example.com");
  await expectLeft(page, "1 of 1");
  await expect(page.getByRole("link", { name: "Use your brand color" })).toBeVisible();
  await exportCharts(page, { from: 1, to: 0, of: 1 });
  await expectDenied(page);

  await buy(page, "Buy Starter");
  await exportCharts(page, { from: 9, to: 7, of: 10 });

  await product.stopServer();
  await chartlet.wait(hour + 60_000);
  await exportCharts(page, { from: 7, to: 4, of: 10 });
  await page.reload();
  await expectLeft(page, "4 of 10");
  await open(page, "Plans");
  await page.getByRole("button", { name: "Switch to Studio" }).click();
  await expect(page.getByText("This isn't possible right now.")).toBeVisible();

  await chartlet.killAndStart();
  await page.goto("/");
  await expectLeft(page, "4 of 10");
  await expect(color(page)).toBeHidden();
  await exportCharts(page, { from: 4, to: 0, of: 10 });
  await expectDenied(page);

  await product.startServer();
  const { id } = await page.evaluate(async () => (await fetch("/me")).json());
  const used = async () => {
    const url = `${product.origin}/api/check?user=${id}&feature=exports`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${chartlet.key}` } });
    return (await response.json()).used;
  };
  // One free export, two online, and seven while Purser was stopped.
  await expect.poll(used, { timeout: 60_000 }).toBe(10);
  await expectDenied(page);
  expect(await used()).toBe(10);

  await buy(page, "Switch to Studio");
  await expect(color(page)).toBeVisible();
  await exportCharts(page, { from: 90, to: 89, of: 100 });
  await open(page, "Plans");
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await expect(page.getByText(/^Your plan ends on/)).toBeVisible();
  await context.close();

  const { items } = await callApi<{ items: { id: string }[] }>(owner, {
    path: "/apps?f=code:is:chartlet",
  });
  await owner.goto(`/apps/view/${items[0]?.id}?tab=integration`);
  const steps = owner.getByRole("list", { name: "Setup" }).getByRole("listitem");
  await expect(steps).toHaveCount(5);
  await expect(steps.filter({ hasText: ", done" })).toHaveCount(5);
});

test("The pages of the example are accessible and fit on a phone @nightly", async ({
  browser,
  sold: { chartlet },
}) => {
  const context = await browser.newContext({ baseURL: chartlet.url });
  const page = await context.newPage();
  const look = async (name: string) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, name).toBe(390);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityViolations(page, wcag), `${name}, ${colorScheme}`).toEqual([]);
    }
  };
  await page.goto("/sign-in");
  await look("sign-in");
  await signUp(page, "grace@example.com");
  await expectLeft(page, "1 of 1");
  await look("charts");
  await page.goto("/plans");
  await page.getByRole("button", { name: "Buy Studio" }).click();
  await expect(page.getByRole("region", { name: "Checkout" })).toBeVisible();
  await look("checkout");
  await context.close();
});
