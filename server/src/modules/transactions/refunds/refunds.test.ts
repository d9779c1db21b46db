import { randomUUID } from "node:crypto";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { getPromotion } from "@purser/contract/promotions/endpoints";
import { previewRefund, refundTransaction } from "@purser/contract/transactions/actions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { creditAmount } from "#modules/billing/credits.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, sellPackage, promote, saleOf, sell, read } = await shopIn(product);

const refund = (id: string, amount: number, more: object = {}) =>
  call(admin, refundTransaction, {
    params: { id },
    body: { amount, access: "keep", reason: "Asked for it", ...more },
  });

const holds = async (userId: string) => {
  const { body } = await call(admin, getEntitlements, { params: { id: userId } });
  return body.items.some(({ lines }) => lines.some(({ isApplied }) => isApplied));
};

test("refuses a refund above the remaining amount", async () => {
  const sale = await sell(
    saleOf((await sellPackage()).id, { manualTax: 228, taxReason: "As invoiced" }),
  );
  expect((await refund(sale.id, 500)).body).toMatchObject({ kind: "refund", total: 500 });
  expect((await read(sale.id)).state).toBe("partially refunded");
  const tooMuch = await refund(sale.id, 1000);
  expect(tooMuch.status).toBe(409);
  expect(tooMuch.body["detail"]).toBe("You can refund 9.28 EUR at most. Enter a lower amount.");
  expect((await refund(sale.id, 928)).status).toBe(201);
  const details = await read(sale.id);
  expect(details).toMatchObject({ state: "refunded", refundable: 0 });
  expect(details.refunds.reduce((sum, { tax }) => sum + tax, 0)).toBe(228);
});

test("T4 I2 100 concurrent partial refunds never exceed the total", async () => {
  const sale = await sell(saleOf((await sellPackage()).id));
  const answers = await Promise.all(Array.from({ length: 100 }, () => refund(sale.id, 70)));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(Math.floor(1200 / 70));
  const { rows } = await owner.query<{ counted: number; rows: number }>(
    `select t.refunded::int as counted, (select sum(total)::int from transactions r where r.parent_id = t.id) as rows
     from transactions t where t.id = $1`,
    [sale.id],
  );
  expect(rows[0]).toEqual({ counted: 1190, rows: 1190 });
});

test("I9 a refund previews and applies the chosen access", async () => {
  const pack = await sellPackage();
  for (const [access, isKept, status] of [
    ["keep", true, "active"],
    ["end with period", true, "ending"],
    ["end now", false, "ended"],
  ] as const) {
    const sale = await sell(saleOf(pack.id));
    const preview = await call(admin, previewRefund, {
      params: { id: sale.id },
      body: { amount: 600, access },
    });
    expect(preview.body).toMatchObject({ refundable: 1200, features: access === "keep" ? 0 : 1 });
    expect((await refund(sale.id, 600, { access })).body.access).toBe(access);
    expect(await holds(sale.user.id)).toBe(isKept);
    const { rows } = await owner.query("select status from subscriptions where id = $1", [
      sale.subscriptionId,
    ]);
    expect(rows).toEqual([{ status }]);
  }
});

test("the preview suggests the unused part of the period", async () => {
  const monthAgo = new Date(Date.now() - 15 * 86_400_000).toISOString();
  const sale = await sell(saleOf((await sellPackage()).id, { occurredAt: monthAgo }));
  const { body } = await call(admin, previewRefund, {
    params: { id: sale.id },
    body: { amount: 1, access: "keep" },
  });
  expect(body.unused).toBeGreaterThan(500);
  expect(body.unused).toBeLessThan(700);
});

test("a full refund restores the redemption if the promotion allows it", async () => {
  const pack = await sellPackage();
  for (const restoresRedemption of [true, false]) {
    const code = randomUUID().slice(0, 12);
    const promotion = await promote({
      code,
      redemptionLimit: 1,
      restoresRedemption,
      packageIds: [pack.id],
    });
    const sale = await sell(saleOf(pack.id, { codes: [code] }));
    await refund(sale.id, sale.total / 2);
    const redemptions = async () =>
      (await call(admin, getPromotion, { params: { id: promotion.id } })).body.redemptions;
    expect(await redemptions()).toBe(1);
    await refund(sale.id, sale.total / 2);
    expect(await redemptions()).toBe(restoresRedemption ? 0 : 1);
  }
});

test("refuses to refund an unpaid sale or a refund", async () => {
  const pack = await sellPackage();
  const pending = await sell(saleOf(pack.id), { state: "pending" });
  expect((await refund(pending.id, 1)).status).toBe(409);
  const sale = await sell(saleOf(pack.id));
  const { id } = (await refund(sale.id, 1)).body;
  expect((await refund(id, 1)).body["detail"]).toMatch(/^Refunds can't be refunded/);
});

test("I5 the taxes of all refunds add up to the tax of the sale", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 }),
      (net, tax, weights) => {
        const total = net + tax;
        const whole = weights.reduce((sum, weight) => sum + weight, 0);
        const credits: ReturnType<typeof creditAmount>[] = [];
        for (const [place, weight] of weights.entries()) {
          const refunded = credits.reduce((sum, { gross }) => sum + gross, 0);
          const isLast = place === weights.length - 1;
          const part = isLast ? total - refunded : Math.floor((total * weight) / whole);
          const credit = creditAmount({ net, tax, period: null, credits }, part);
          expect(credit.tax).toBeGreaterThanOrEqual(0);
          expect(credit.net).toBeGreaterThanOrEqual(0);
          credits.push(credit);
        }
        const refundedTax = credits.reduce((sum, credit) => sum + credit.tax, 0);
        expect(refundedTax).toBe(tax);
      },
    ),
    { numRuns: sized({ gate: 500, nightly: 100_000 }) },
  );
});
