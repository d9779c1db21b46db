import { randomUUID } from "node:crypto";
import { grantAccess } from "@purser/contract/entitlements/grants";
import { createTransaction } from "@purser/contract/transactions/sales";
import { createUser } from "@purser/contract/users/endpoints";
import { previewTransfer } from "@purser/contract/users/merge";
import { expect, test } from "vitest";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import { testProduct } from "#testing.ts";

const product = await testProduct();
const { call, signIn } = product;
const colleague = await signIn("admin", "Hidden Colleague");
const support = await signIn("support");

/** Every way to name a customer by email address. */
const byEmail = async (email: string) => {
  const shop = await shopIn(product);
  const { id: packageId } = await shop.sellPackage();
  const app = await shop.newApp();
  const { id: featureId } = await shop.newLimit(app.id);
  const customer = await call(shop.admin, createUser, {
    body: { name: "Ada", email: `${randomUUID()}@example.com` },
  });
  const sale = shop.saleOf(packageId, { email });
  const params = { id: customer.body.id };
  return {
    grant: await call(support, grantAccess, {
      body: { email, featureId, value: 3, endsAt: null, reason: "Goodwill" },
    }),
    user: await call(support, createUser, { body: { name: "Ada", email } }),
    transfer: await call(support, previewTransfer, { params, body: { email, grantIds: [] } }),
    sale: await call(support, createTransaction, { body: sale as never }),
  };
};

test("D10 support doesn't learn the name or ID of a team member from an email address", async () => {
  for (const { text } of Object.values(await byEmail(colleague.email))) {
    expect(text).not.toContain("Hidden Colleague");
    expect(text).not.toContain(colleague.id);
  }
});

test("D10 support can't give a team member access", async () => {
  const { grant } = await byEmail(colleague.email);
  expect(grant).toMatchObject({ status: 400, body: { errors: [{ pointer: "/email" }] } });
});
