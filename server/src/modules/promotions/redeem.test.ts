import { randomUUID } from "node:crypto";
import {
  createPromotion,
  pausePromotion,
  publishPromotion,
} from "@purser/contract/promotions/endpoints";
import { submitTransaction } from "@purser/contract/transactions/actions";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";

const product = await testProduct({ environment: { LOG_LEVEL: "info" } });
const { call, signIn, lines } = product;
const owner = await signIn("owner");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, owner);

const sellPackage = async () => {
  const seats = await newLimit((await newApp()).id);
  const prices = [{ currency: "EUR", amount: 1200, interval: "month" }];
  const { id } = await newPackage({ prices });
  await give(id, seats, 5);
  expect((await publish(id)).status).toBe(200);
  return id;
};

test("the log line of a refused redemption doesn't contain the promotion's name", async () => {
  const packageId = await sellPackage();
  const name = "Discount: Studio for Canary Person";
  const code = "CANARYCODE";
  const made = await call(owner, createPromotion, {
    body: { name, code, kind: "percent", basisPoints: 1000 },
  });
  const { id, version } = made.body;
  const published = await call(owner, publishPromotion, { params: { id }, version, body: {} });
  const sale = {
    email: `${randomUUID()}@example.com`,
    packageId,
    codes: [code],
    currency: "EUR",
    interval: "month" as const,
    occurredAt: new Date(Date.now() - 1000).toISOString(),
  };
  const { total } = (await call(owner, quoteSale, { body: sale })).body.quote;
  const draft = await call(owner, createTransaction, {
    body: { ...sale, state: "draft", reference: randomUUID(), total },
  });
  expect(draft.status, draft.text).toBe(201);
  const paused = await call(owner, pausePromotion, {
    params: { id },
    version: published.body.version,
    body: {},
  });
  expect(paused.status).toBe(200);

  const refused = await call(owner, submitTransaction, {
    params: { id: draft.body.id },
    version: draft.body.version,
    body: { state: "succeeded" },
  });
  expect(refused.status).toBe(409);
  expect(refused.body["detail"]).toBe(
    `${name} is no longer active. Review the price and try again.`,
  );
  const line = lines.find((one) => one.includes(String(refused.body["requestId"])));
  expect(JSON.parse(line ?? "{}")).toMatchObject({
    status: 409,
    detail: "[redacted] is no longer active. Review the price and try again.",
  });
  expect(lines.join("")).not.toContain("Canary");
});
