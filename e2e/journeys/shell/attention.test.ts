import { expect } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations } from "../../pages/accessibility.ts";
import { streamOfChanges, waitForStream } from "../../pages/liveChanges.ts";

// @nightly: The gate assigns and snoozes; rows behind numbers are covered over HTTP.

const loseEvents = ({ database }: Product, count: number) =>
  database.query(
    `insert into provider_events (provider, event_id, type, payment, body, at, outcome, words)
     select 'bank', gen_random_uuid(), 'payment', 'x', '{}', now(), 'unmatched', '' from generate_series(1, $1)`,
    [count],
  );

test("What needs attention is assigned and snoozed by keyboard, and the setup can be hidden", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  await loseEvents(product, 2);
  await page.goto("/");
  const row = page.locator("[data-attention='unmatched events']");
  await row
    .getByRole("button", { name: "2 provider events without a transaction", exact: true })
    .click();
  const records = row.getByRole("listitem");
  await expect(records).toHaveCount(2);
  await records.first().getByRole("link", { name: "Match" }).focus();
  await page.keyboard.press("a");
  await page.getByRole("menuitem", { name: "Me", exact: true }).press("Enter");
  await expect(records.first()).toContainText("Assigned to you");
  await expect(row).toContainText("1 assigned");
  await expect(records.last()).not.toContainText("Assigned");

  await page.getByRole("radio", { name: "Mine" }).check();
  await expect(page).toHaveURL(/attention=mine/);
  await page.reload();
  const mine = page.locator("[data-attention^='unmatched events ']");
  await expect(mine).toContainText("Assigned to you");
  expect(await accessibilityViolations(page)).toEqual([]);

  await mine.getByRole("link", { name: "Match" }).focus();
  await page.keyboard.press("s");
  await page.getByRole("menuitem", { name: "Until tomorrow" }).press("Enter");
  await expect(mine).toHaveCount(0);
  const snoozed = page.getByRole("button", { name: "Show 1 snoozed" });
  await expect(snoozed).toBeFocused();
  await expect(page.getByText("Nothing is assigned to you.")).toBeVisible();
  await snoozed.click();
  await expect(mine).toContainText("Snoozed until");
  await page.getByRole("radio", { name: "All" }).check();
  await expect(row).toContainText("1 provider event without a transaction");
  await expect(row).toContainText("1 snoozed");
  // The row marks all of its records that aren't snoozed.
  await row.getByRole("button", { name: /^Assign or snooze/ }).click();
  await page.getByRole("menuitem", { name: "For a week" }).click();
  await expect(row).toContainText("2 snoozed");
  await loseEvents(product, 1);
  await page.reload();
  await expect(row).toContainText("1 provider event without a transaction");

  const setup = page.getByRole("heading", { name: "Setup" });
  await page.getByRole("button", { name: "Hide setup" }).click();
  await expect(setup).toHaveCount(0);
  await page.reload();
  await expect(row).toBeVisible();
  await expect(setup).toHaveCount(0);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("link", { name: "Setup checklist" }).click();
  await expect(setup).toBeVisible();
});

test("HM1 A number of a report opens the rows that it adds up @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace();
  const pack = await makeSellablePackage(page);
  for (let count = 0; count < 2; count += 1) await sell(page, pack);
  await product.purser("reports", "rebuild");
  await page.goto("/reports?tab=tax");
  const row = page.locator("tbody tr").filter({ hasText: "24.00" }).first();
  await row.locator("td a").first().click();
  await expect(page).toHaveURL(/tab=rows/);
  await expect(page.locator("tbody tr")).toHaveCount(2);
  await expect(page.locator("tfoot tr")).toContainText("24.00");
  expect(await accessibilityViolations(page)).toEqual([]);

  await page.goto("/reports?tab=retention");
  await page.getByRole("link", { name: "100.0%" }).first().click();
  await expect(page.getByText("2 customers")).toBeVisible();
  await expect(page.locator("tbody tr")).toHaveCount(2);
});

test("A comment of a colleague appears on an open record, and the typed text stays", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  await colleaguePage.goto("/");
  const { id } = await makeApp(colleaguePage, { name: "Harbor" });
  await page.goto(`/apps/view/${id}?tab=activity`);
  const typed = page.getByRole("textbox", { name: "Add comment" });
  await typed.fill("Half a sent");
  await callApi(colleaguePage, {
    method: "POST",
    path: `/apps/${id}/comments`,
    body: { text: "Look at the price" },
  });
  await expect(page.getByText("Look at the price")).toBeVisible();
  await expect(typed).toHaveValue("Half a sent");
});

test("VW5: what happened before the page followed changes, or while it didn't, appears @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  await colleaguePage.goto("/");
  const { id } = await makeApp(colleaguePage, { name: "Harbor" });
  const comment = (text: string) =>
    callApi(colleaguePage, { method: "POST", path: `/apps/${id}/comments`, body: { text } });
  /** Holds the stream back until the work is done. */
  const without = async (work: () => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(streamOfChanges, async (route) => {
      await promise;
      await route.continue();
    });
    await work();
    const opened = waitForStream(page);
    resolve();
    await opened;
    await page.unroute(streamOfChanges);
  };

  await without(async () => {
    const asked = page.waitForRequest(streamOfChanges);
    await page.goto(`/apps/view/${id}?tab=activity`);
    await expect(page.getByRole("textbox", { name: "Add comment" })).toBeVisible();
    await asked;
    await comment("Before the stream");
  });
  await expect(page.getByText("Before the stream")).toBeVisible();

  await without(async () => {
    const again = page.waitForRequest(streamOfChanges);
    // The sixth stream of a user ends the first.
    const cookies = await page.context().cookies();
    const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
    const stop = new AbortController();
    const url = new URL("/api/events", page.url());
    for (let n = 0; n < 5; n += 1) await fetch(url, { headers, signal: stop.signal });
    await again;
    stop.abort();
    await comment("While it was broken");
  });
  await expect(page.getByText("While it was broken")).toBeVisible();
});
