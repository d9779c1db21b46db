import { randomUUID } from "node:crypto";
import { createTransaction } from "@purser/contract/transactions/sales";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { patiently } from "#patience.testing.ts";
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

test("P9 a promotion is locked only while the sale is committed", async () => {
  const pack = await sellPackage();
  const limited = { code: "TRIPSLAST", redemptionLimit: 1, packageIds: [pack.id] };
  const { id } = await promote(limited);
  const { trips } = await measure(saleOf(pack.id, { codes: [limited.code] }));
  const redeeming = trips.filter((text) => text.includes("redeem_"));
  expect(redeeming).toEqual([trips.at(-1)]);
  const { rows } = await owner.query(
    `select uses, (select count(*)::int from redemptions where promotion_id = $1 and subscription_id is not null) as rows
     from promotions where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ uses: 1, rows: 1 }]);
});

test("P9 a redemption that is refused with the commit rolls the sale back", async () => {
  const pack = await sellPackage();
  const { id } = await promote({ code: "TRIPSFULL", redemptionLimit: 1, packageIds: [pack.id] });
  const sale = saleOf(pack.id, { codes: ["TRIPSFULL"] });
  const { total } = (await quote(sale)).quote;
  // Another sale holds the promotion until this one waits for it with its commit.
  const other = await owner.connect();
  await other.query("begin");
  await other.query("update promotions set uses = 1, first_used_at = now() where id = $1", [id]);
  const body = { ...sale, state: "succeeded" as const, total, reference: randomUUID() };
  const answer = call(admin, createTransaction, { body });
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
    and query like '%redeem_or_fail%'`;
  await vi.waitUntil(async () => (await owner.query(waiting)).rowCount, patiently(10_000));
  await other.query("commit");
  other.release();
  const { status, body: problem } = await answer;
  expect(status).toBe(409);
  expect(problem).toMatchObject({ reason: "redemption_limit_reached" });
  const { rowCount } = await owner.query("select from users where email = $1", [sale.email]);
  expect(rowCount).toBe(0);
});

test("P9 a sale to a known customer takes few round trips", async () => {
  const { sale } = await measure(saleOf((await sellPackage()).id));
  const again = saleOf((await sellPackage()).id, { email: sale?.user.email });
  const { trips } = await measure(again);
  expect(trips.slice(1, -1).length, trips.join("\n\n")).toBeLessThanOrEqual(insideMax);
});
