import { randomUUID } from "node:crypto";
import { createPromotion, publishPromotion } from "@purser/contract/promotions/endpoints";
import { getTransaction } from "@purser/contract/transactions/endpoints";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import { expect } from "vitest";
import type { TestProduct } from "#testing.ts";
import { catalogIn } from "../../packages/testing/testing.ts";

type Person = Awaited<ReturnType<TestProduct["signIn"]>>;

/** Functions to sell packages with a monthly, a yearly and a one-time price. */
export const shopIn = async (product: TestProduct) => {
  const { call, signIn } = product;
  const admin: Person = await signIn("owner", "Olga");
  const catalog = catalogIn(product, admin);
  const prices = [
    { currency: "EUR", amount: 1200, interval: "month" },
    { currency: "EUR", amount: 12_000, interval: "year" },
    { currency: "EUR", amount: 30_000, interval: "once" },
  ];

  const sellPackage = async (details: object = {}) => {
    const app = await catalog.newApp();
    const seats = await catalog.newLimit(app.id);
    const pack = await catalog.newPackage({ prices, ...details });
    await catalog.give(pack.id, seats, 5);
    const published = await catalog.publish(pack.id);
    expect(published.status, published.text).toBe(200);
    return published.body;
  };

  const promote = async (details: object) => {
    const body = { name: "Promotion", kind: "percent", basisPoints: 1000, ...details } as never;
    const made = await call(admin, createPromotion, { body });
    expect(made.status, made.text).toBe(201);
    const { id, version } = made.body;
    return (await call(admin, publishPromotion, { params: { id }, version, body: {} })).body;
  };

  const saleOf = (packageId: string, details: object = {}) => ({
    email: `${randomUUID()}@example.com`,
    packageId,
    currency: "EUR",
    interval: "month" as const,
    occurredAt: new Date(Date.now() - 1000).toISOString(),
    ...details,
  });

  type Sale = ReturnType<typeof saleOf>;
  const quote = async (sale: Sale) => {
    const quoted = await call(admin, quoteSale, { body: sale });
    expect(quoted.status, quoted.text).toBe(200);
    return quoted.body;
  };

  const record = async (sale: Sale, more: object = {}, key?: string) => {
    const { total } = (await quote(sale)).quote;
    const body = { ...sale, state: "succeeded" as const, reference: randomUUID(), total, ...more };
    return call(admin, createTransaction, { body, ...(key && { key }) });
  };

  const sell = async (sale: Sale, more: object = {}) => {
    const made = await record(sale, more);
    expect(made.status, made.text).toBe(201);
    return made.body;
  };

  const read = async (id: string) => (await call(admin, getTransaction, { params: { id } })).body;

  return { admin, ...catalog, sellPackage, promote, saleOf, quote, record, sell, read };
};
