import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
import { expect } from "vitest";
import type { TestProduct } from "../../../testing.ts";
import { shopIn } from "../../transactions/testing/testing.ts";

export const refundOf = (amount: number) => ({
  amount,
  access: "keep" as const,
  reason: "Bought twice",
});

/** Requests for refunds above the limit, with a requester and an approver. */
export const refundRequestsIn = async (product: TestProduct) => {
  const { call, signIn, owner } = product;
  const { admin: boss, sellPackage, saleOf, sell, read } = await shopIn(product);
  const requester = await signIn("finance", "Fin Requester");
  const second = await signIn("finance", "Sam Second");
  const pack = await sellPackage();

  const setRules = (rules: string[], limits: object = { EUR: 10_000 }) =>
    owner.query(
      `update settings set approval_rules = $1, refund_limits = $2, refund_daily_limits = '{"EUR": 99999999}',
         refund_customer_limits = '{"EUR": 99999999}'`,
      [rules, limits],
    );

  const newSale = () => sell(saleOf(pack.id, { interval: "once" }));

  const ask = (sale: { id: string }, amount = 20_000, person = requester) =>
    call(person, requestApproval, {
      body: {
        operation: "POST /transactions/:id/refund",
        params: { id: sale.id },
        body: refundOf(amount),
        reason: "The bank says so.",
      },
    });

  const asked = async (amount = 20_000) => {
    const sale = await newSale();
    const made = await ask(sale, amount);
    expect(made.status, made.text).toBe(201);
    return { sale, id: made.body.id };
  };

  const approve = (person: { cookie: string }, id: string) =>
    call(person, approveApproval, { params: { id }, body: {} });

  const refundsOf = async (sale: { id: string }) => (await read(sale.id)).refunds.length;

  return { boss, requester, second, setRules, newSale, ask, asked, approve, refundsOf };
};
