import { webhookEvents } from "@purser/contract/workspace/webhookEvents";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { sellPackage, saleOf, sell } = await shopIn(product);
const { user } = await sell(saleOf((await sellPackage()).id));

test.each([
  ["entitlements.changed", "grants"],
  ["subscription.changed", "subscriptions"],
  ["transaction.changed", "transactions"],
] as const)("%s has the documented fields and no others", async (type, table) => {
  const { rows } = await product.owner.query(
    `select webhook_data(r) as data from ${table} r where r.user_id = $1`,
    [user.id],
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { data } of rows) {
    const common = { user: { id: user.id, externalId: null }, sequence: 1 };
    const event = { type, timestamp: "2026-03-01T09:00:00.123Z", data: { ...common, ...data } };
    // Parsing drops what the schema doesn't know.
    expect(webhookEvents[type].parse(event)).toEqual(event);
  }
});
