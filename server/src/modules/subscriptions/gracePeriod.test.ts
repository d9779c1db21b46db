import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { owner } = product;
const { sellPackage, saleOf, sell } = await shopIn(product);

test("a changed grace period applies to future payments", async () => {
  const pack = await sellPackage();
  const graceOf = async () => {
    const { subscriptionId: id } = await sell(saleOf(pack.id));
    const { rows } = await owner.query<{ days: number }>(
      "select extract(day from access_until - period_end)::int as days from subscriptions where id = $1",
      [id],
    );
    return rows[0]?.days;
  };
  expect(await graceOf()).toBe(7);
  await owner.query("update settings set grace_days = 0");
  expect(await graceOf()).toBe(0);
});
