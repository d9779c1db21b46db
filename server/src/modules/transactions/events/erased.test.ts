import { resolveTransaction } from "@purser/contract/transactions/actions";
import { getUser } from "@purser/contract/users/endpoints";
import { eraseCustomer } from "@purser/contract/users/privacy";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, sellPackage, saleOf, sell, read } = await shopIn(product);

const erase = async (id: string) => {
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  const body = { reason: "Asked for by letter." };
  const erased = await call(admin, eraseCustomer, { params: { id }, version, body });
  expect(erased.status, erased.text).toBe(200);
};

test("a payment of an erased customer succeeds, grants nothing and records the reason", async () => {
  const pack = await sellPackage();
  for (const interval of ["month", "once"]) {
    const { id, user, version } = await sell(saleOf(pack.id, { interval }), { state: "pending" });
    await erase(user.id);
    const body = { outcome: "succeeded" as const, evidence: "The bank says so." };
    const paid = await call(admin, resolveTransaction, { params: { id }, version, body });
    expect(paid.body, paid.text).toMatchObject({ state: "succeeded", subscriptionId: null });
    for (const table of ["subscriptions", "grants"]) {
      const { rows } = await owner.query(`select from ${table} where user_id = $1`, [user.id]);
      expect(rows, table).toEqual([]);
    }
    expect((await read(id)).events.at(-1)).toMatchObject({
      type: "succeeded",
      source: "system",
      evidence:
        "The customer was erased before the payment succeeded, so no access was granted. Refund the payment.",
    });
  }
});
