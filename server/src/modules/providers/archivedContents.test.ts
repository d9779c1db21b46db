import { expect, test } from "vitest";
import { archivingIn } from "../packages/testing/archiving.testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { productWithProviders } from "./testing/testing.ts";

const product = await productWithProviders();
const { owner, postBank, settleAll } = product;
const { admin, newApp, newLimit, newPackage, give, publish, sell, saleOf } = await shopIn(product);
const { archive } = archivingIn(product, admin);

const sellNew = async () => {
  const app = await newApp("Harbor");
  const feature = await newLimit(app.id);
  const prices = [{ currency: "EUR", amount: 1200, interval: "month" }];
  const { id, code } = await newPackage({ name: "Studio", prices });
  await give(id, feature, 5);
  await publish(id);
  return { id, code, app, feature };
};

const paid = (payment: string, more: object) => ({
  type: "payment",
  payment,
  at: new Date().toISOString(),
  outcome: "succeeded",
  amount: 1200,
  currency: "EUR",
  ...more,
});

const outcomeOf = async (payment: string) =>
  (await owner.query("select outcome, words from provider_events where payment = $1", [payment]))
    .rows;

test("M11 a payment for a package with an archived app waits for a team member", async () => {
  const made = await sellNew();
  await archive("app", made);
  const sale = { email: "buyer@example.com", package: made.code, interval: "month" };
  expect((await postBank(paid("new-sale", { sale }))).statusCode).toBe(202);
  await settleAll();
  expect(await outcomeOf("new-sale")).toEqual([
    {
      outcome: "unmatched",
      words:
        "Studio includes Harbor, which is archived. Restore the app or publish a version without it.",
    },
  ]);
});

test("M11 a payment for a sale that was pending before gives access", async () => {
  const made = await sellNew();
  const pending = { state: "pending", provider: "bank", reference: "old-sale" };
  const { number, user } = await sell(saleOf(made.id), pending);
  await archive("feature", made);
  await postBank(paid("old-sale", {}));
  await settleAll();
  expect(await outcomeOf("old-sale")).toEqual([
    { outcome: "applied", words: `${number}: succeeded` },
  ]);
  const { rows } = await owner.query("select from grants where user_id = $1", [user.id]);
  expect(rows).toHaveLength(1);
});
