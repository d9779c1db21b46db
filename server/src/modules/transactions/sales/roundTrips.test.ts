import { randomUUID } from "node:crypto";
import { createTransaction } from "@purser/contract/transactions/sales";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, sellPackage, promote, saleOf, quote } = await shopIn(product);

const insideMax = 4;

/** The texts that a client sends from the beginning of its transaction to the end, one for each round trip. */
const roundTripsOf = async (work: () => Promise<unknown>) => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = sent.mock.calls.map(([asked], place) => ({
    client: sent.mock.contexts[place],
    text: typeof asked === "string" ? asked : (asked as unknown as pg.QueryConfig).text,
  }));
  sent.mockRestore();
  const writer = texts.find(({ text }) => /^begin/i.test(text))?.client;
  const own = texts.filter(({ client }) => client === writer).map(({ text }) => text);
  return own.slice(own.findIndex((text) => /^begin/i.test(text)));
};

const measure = async (sale: ReturnType<typeof saleOf>, more: object = {}) => {
  const { total } = (await quote(sale)).quote;
  const paid = { ...sale, state: "succeeded" as const, total, ...more };
  let made: Awaited<ReturnType<typeof call<typeof createTransaction>>> | undefined;
  const trips = await roundTripsOf(async () => {
    made = await call(admin, createTransaction, { body: { ...paid, reference: randomUUID() } });
  });
  expect(made?.status, made?.text).toBe(201);
  return { sale: made?.body, trips };
};

const auditedOf = async (id = "") => {
  const { rows } = await owner.query(
    "select action from audit_entries where entity = 'transactions' and record_id = $1",
    [id],
  );
  return rows.map(({ action }) => action);
};

const sales = {
  "a new customer": async () => saleOf((await sellPackage()).id),
  "a promotion code": async () => {
    const pack = await sellPackage();
    await promote({ code: "TRIPS10", redemptionLimit: 5, packageIds: [pack.id] });
    return saleOf(pack.id, { codes: ["TRIPS10"] });
  },
  "a free trial": async () => saleOf((await sellPackage({ trialDays: 14 })).id),
  "a one-time price": async () => saleOf((await sellPackage()).id, { interval: "once" }),
};

test.each(Object.entries(sales))("P9 a sale with %s takes few round trips", async (_, prepare) => {
  const { sale, trips } = await measure(await prepare());
  expect(trips.at(0)).toMatch(/^begin/i);
  expect(trips.at(-1)).toMatch(/commit$/i);
  expect(trips.slice(1, -1).length, trips.join("\n\n")).toBeLessThanOrEqual(insideMax);
  expect(sale?.version).toBe(1);
  expect(await auditedOf(sale?.id)).toEqual(["insert"]);
});

test("P9 a sale to a known customer takes few round trips", async () => {
  const { sale } = await measure(saleOf((await sellPackage()).id));
  const again = saleOf((await sellPackage()).id, { email: sale?.user.email });
  const { trips } = await measure(again);
  expect(trips.slice(1, -1).length, trips.join("\n\n")).toBeLessThanOrEqual(insideMax);
});
