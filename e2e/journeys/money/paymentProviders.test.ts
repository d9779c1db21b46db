import { createHmac, randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { makeSellablePackage, readSale, type Sale, sell } from "../../data/transactions.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";

// @nightly: The gate shows one payment event; the rules are covered over HTTP.

/** A bank's payment notification, signed as in Standard Webhooks. */
const notify = async (page: Page, product: Product, { number }: Sale, amount: number) => {
  const id = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    type: "payment",
    payment: `line ${id}`,
    transaction: number,
    outcome: "succeeded",
    at: new Date().toISOString(),
    amount,
    currency: "EUR",
  });
  const signature = createHmac("sha256", Buffer.from(product.bankSecret, "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64");
  const answer = await page.request.post(`${product.origin}/api/providers/bank/events`, {
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${signature}`,
    },
    data: body,
  });
  expect(answer.status()).toBe(202);
};

test("A provider's payment notification appears on the open transaction page", async ({
  ownerPage: page,
  product,
}) => {
  const sale = await sell(page, await makeSellablePackage(page), { state: "pending" });
  await page.goto(`/transaction/view/${sale.id}`);
  await expect(page.getByText("Pending", { exact: true }).first()).toBeVisible();
  await notify(page, product, sale, 1200);
  await expect(page.getByText("Settled", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("by the provider");
});

test("A payment with another amount needs attention, shows what was received and is retried @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const sale = await sell(page, await makeSellablePackage(page), { state: "pending" });
  await notify(page, product, sale, 1199);
  await expect.poll(async () => (await readSale(page, sale)).state).toBe("unknown");
  await page.goto("/transaction");
  const notice = page.getByText(/provider events? (?:doesn't|don't) match a transaction/);
  await expect(notice).toBeVisible();
  // The notice takes its height from the list.
  await expect(page.locator(".pager")).toBeInViewport({ ratio: 1 });
  await notice.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: "Unmatched provider events" });
  await expect(dialog).toContainText("11.99 EUR was paid, but 12.00 EUR was due.");
  await dialog.getByRole("button", { name: "Show event" }).first().click();
  await expect(dialog).toContainText(`"transaction": "${sale.number}"`);
  await dialog.getByRole("button", { name: "Retry" }).first().click();
  await expect(page.getByText("Retrying.")).toBeVisible();
  await dialog.getByRole("link", { name: `View ${sale.number}` }).click();
  await expect(page).toHaveURL(`/transaction/view/${sale.id}`);
});
