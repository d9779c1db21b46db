import { randomUUID } from "node:crypto";
import { startTrial } from "@purser/contract/subscriptions/endpoints";
import { createTransaction } from "@purser/contract/transactions/sales";
import { createUser, suspendUser } from "@purser/contract/users/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";

const product = await testProduct({ environment: { LOG_LEVEL: "info" } });
const { call, signIn, lines } = product;
const owner = await signIn("owner");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, owner);

test("a sale and a trial for a suspended customer are refused without their name in the log", async () => {
  const seats = await newLimit((await newApp()).id);
  const prices = [{ currency: "EUR", amount: 1200, interval: "month" }];
  const { id: packageId } = await newPackage({ prices, trialDays: 14 });
  await give(packageId, seats, 5);
  expect((await publish(packageId)).status).toBe(200);
  const email = `${randomUUID()}@example.com`;
  const { body: user } = await call(owner, createUser, { body: { name: "Canary Person", email } });
  const { id, version } = user;
  const suspended = await call(owner, suspendUser, { params: { id }, version, body: {} });
  expect(suspended.status).toBe(200);

  const offer = { email, packageId, currency: "EUR", interval: "month" as const };
  const sale = {
    ...offer,
    state: "succeeded" as const,
    reference: randomUUID(),
    total: 1200,
    occurredAt: new Date(Date.now() - 1000).toISOString(),
  };
  const refusedSale = await call(owner, createTransaction, { body: sale });
  const refusedTrial = await call(owner, startTrial, { body: offer });
  for (const { status, text } of [refusedSale, refusedTrial]) {
    expect(status, text).toBe(409);
    expect(text).toContain("Canary Person is suspended");
  }
  expect(lines.join("")).toContain("[redacted] is suspended");
  expect(lines.join("")).not.toContain("Canary");
});
