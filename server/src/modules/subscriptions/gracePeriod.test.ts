import { getSubscription } from "@purser/contract/subscriptions/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, sellPackage, saleOf, sell } = await shopIn(product);

test("a changed grace period applies to future payments", async () => {
  const pack = await sellPackage();
  const graceOf = async () => {
    const { subscriptionId: id } = await sell(saleOf(pack.id));
    const { body } = await call(admin, getSubscription, { params: { id: id ?? "" } });
    return (Date.parse(body.accessUntil) - Date.parse(body.periodEnd)) / 86_400_000;
  };
  expect(await graceOf()).toBe(7);
  await owner.query("update settings set grace_days = 0");
  expect(await graceOf()).toBe(0);
});
