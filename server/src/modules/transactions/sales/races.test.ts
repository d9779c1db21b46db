import { randomUUID } from "node:crypto";
import { createTransaction } from "@purser/contract/transactions/sales";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const { admin, sellPackage, promote, saleOf, quote } = await shopIn(product);

const team = await Promise.all(Array.from({ length: 5 }, () => signIn("admin")));

/** Several team members send the same order at the same moment. One has at most 50 requests in progress. */
const rush = async (count: number, sale: (place: number) => object) => {
  const sales = Array.from({ length: count }, (_, place) => sale(place));
  return Promise.all(
    sales.map((body, place) =>
      call(team[place % team.length] ?? admin, createTransaction, { body: body as never }),
    ),
  );
};

const order = async (packageId: string, details: object) => {
  const { total } = (await quote(saleOf(packageId, details) as never)).quote;
  return (more: object = {}) => ({
    ...saleOf(packageId, details),
    state: "succeeded",
    reference: randomUUID(),
    total,
    ...more,
  });
};

const counts = async (promotionId: string) =>
  (
    await owner.query<{ uses: number; rows: number }>(
      `select p.uses, (select count(*)::int from redemptions where promotion_id = p.id and returned_at is null) as rows
       from promotions p where p.id = $1`,
      [promotionId],
    )
  ).rows[0];

test("T6 I4 200 concurrent sales redeem a code with 50 uses exactly 50 times", async () => {
  const pack = await sellPackage();
  const promotion = await promote({ code: "RUSH50", redemptionLimit: 50, packageIds: [pack.id] });
  const make = await order(pack.id, { codes: ["RUSH50"] });
  const answers = await rush(200, () => make());
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
  // On a busy machine some requests time out and are answered with 503.
  expect(answers.filter(({ status }) => ![201, 409, 503].includes(status))).toEqual([]);
  expect(await counts(promotion.id)).toEqual({ uses: 50, rows: 50 });
});

test("I4 concurrent sales to one customer respect the limit per customer", async () => {
  const pack = await sellPackage({ kind: "base" });
  const promotion = await promote({
    code: "TWICE2",
    redemptionLimitPerCustomer: 2,
    packageIds: [pack.id],
  });
  const email = `${randomUUID()}@example.com`;
  const make = await order(pack.id, { codes: ["TWICE2"], email, interval: "once" });
  const answers = await rush(20, () => make({ isNoDuplicate: true }));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(await counts(promotion.id)).toEqual({ uses: 2, rows: 2 });
});

test("I4 concurrent sales never exceed a budget", async () => {
  const pack = await sellPackage();
  const promotion = await promote({
    code: "BUDGET",
    packageIds: [pack.id],
    amounts: [{ currency: "EUR", budget: 1000 }],
  });
  const make = await order(pack.id, { codes: ["BUDGET"] });
  const answers = await rush(40, () => make());
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(8);
  const { rows } = await owner.query(
    "select given::int from promotion_amounts where promotion_id = $1",
    [promotion.id],
  );
  expect(rows).toEqual([{ given: 960 }]);
});

test("T5 I3 50 requests with one key record one sale and get the same reply", async () => {
  const pack = await sellPackage();
  const make = await order(pack.id, {});
  const body = make() as never;
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call(admin, createTransaction, { body, key })),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  const { rows } = await owner.query(
    "select count(*)::int from transactions where package_id = $1",
    [pack.id],
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test("two sales with the same two promotions do not deadlock", async () => {
  const pack = await sellPackage();
  for (const code of ["FIRST1", "SECOND2"])
    await promote({ code, stacking: "stackable", packageIds: [pack.id] });
  const [one, other] = [
    await order(pack.id, { codes: ["FIRST1", "SECOND2"] }),
    await order(pack.id, { codes: ["SECOND2", "FIRST1"] }),
  ];
  const answers = await rush(40, (place) => (place % 2 === 0 ? one() : other()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
});
