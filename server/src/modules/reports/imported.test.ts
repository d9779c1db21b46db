import { expect, test } from "vitest";
import { importing } from "#modules/imports/testing/importing.ts";
import { daysAgo, moneyIn, monthly } from "../../moneyFaults/testing.ts";
import { testProduct } from "../../testing.ts";
import { updateFigures, workerPortion } from "./update.ts";
import { figureRules, verifyFigures } from "./verifyQueries.ts";

const product = await testProduct();
const { owner, platform } = product;
const money = await moneyIn(product);
const subscriptions = importing(product, money.admin, "subscriptions");
// Their access would need another team member.
await product.owner.query("update settings set approval_rules = '{}'");
const payments = importing(product, money.admin, "transactions");
const pack = await money.putOnSale([monthly(1200)]);

const update = async () => {
  const step = () =>
    platform.db.transaction().execute((db) => updateFigures(db, "UTC", workerPortion));
  while (await step());
  for (const rule of figureRules)
    expect(await verifyFigures(platform.db, rule, "UTC"), rule).toEqual([]);
};

test("imported payments count as revenue at their dates", async () => {
  const { email } = await money.newCustomer();
  await payments.all(
    [
      "reference,email,date,currency,amount,tax,status,package",
      `rev-1,${email},2024-03-01,EUR,11.90,1.90,paid,${pack.code}`,
      `rev-2,${email},2024-04-01,EUR,11.90,1.90,refunded,`,
    ].join("\n"),
  );
  await update();
  const { rows } = await owner.query(
    `select day::text, net::int, tax::int, refunds::int from revenue_days
     where dimension = 'total' and currency = 'EUR' order by day`,
  );
  expect(rows).toEqual([
    { day: "2024-03-01", net: 1000, tax: 190, refunds: 0 },
    { day: "2024-04-01", net: 0, tax: 0, refunds: 1190 },
  ]);
});

test("imported payments of a subscription count as recurring revenue", async () => {
  const { id, email } = await money.newCustomer();
  const [before, from, until] = [daysAgo(40), daysAgo(10), daysAgo(-20)];
  await subscriptions.all(
    `reference,email,package,interval,currency,started at,period start,period end
mrr-1,${email},${pack.code},month,EUR,${before},${from},${until}`,
  );
  await payments.all(
    [
      "reference,email,date,currency,amount,subscription,period start,period end",
      `mrr-a,${email},${before},EUR,12.00,mrr-1,${before},${from}`,
      `mrr-b,${email},${from},EUR,12.00,mrr-1,${from},${until}`,
    ].join("\n"),
  );
  await update();
  const { rows } = await owner.query(
    "select kind, day::text, amount::int from mrr_movements where user_id = $1",
    [id],
  );
  expect(rows).toEqual([{ kind: "new", day: before.slice(0, 10), amount: 1200 }]);
});
