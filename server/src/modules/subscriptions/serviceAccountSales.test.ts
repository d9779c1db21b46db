import { randomUUID } from "node:crypto";
import { startTrial } from "@purser/contract/subscriptions/endpoints";
import { refundTransaction } from "@purser/contract/transactions/actions";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import { createUser } from "@purser/contract/users/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { serviceAccountsIn } from "../users/testing/serviceAccounts.testing.ts";

const product = await testProduct();
const { call, owner } = product;
const shop = await shopIn(product);
const { newCaller } = serviceAccountsIn(product, shop.admin);
const backend = await newCaller({ name: "Shop backend" });
const pack = await shop.sellPackage({ trialDays: 14 });

const actorsOf = async (entity: string, id: string) => {
  const { rows } = await owner.query(
    `select distinct actor_kind as kind, actor_id as id, actor_name as name from audit_entries
     where entity = $1 and record_id = $2`,
    [entity, id],
  );
  return rows;
};

const ownActor = [{ kind: "user", id: backend.id, name: "Shop backend" }];

test("a backend creates a customer, previews and records a sale, and is named in the audit log", async () => {
  const email = `${randomUUID()}@example.com`;
  const customer = await call(backend, createUser, { body: { name: "Ada", email } });
  expect(customer.status, customer.text).toBe(201);
  expect(await actorsOf("users", customer.body.id)).toEqual(ownActor);
  const sale = shop.saleOf(pack.id, { email });
  const quoted = await call(backend, quoteSale, { body: sale });
  expect(quoted.status, quoted.text).toBe(200);
  const { total } = quoted.body.quote;
  const body = { ...sale, state: "succeeded" as const, reference: randomUUID(), total };
  const sold = await call(backend, createTransaction, { body });
  expect([sold.status, sold.body.user?.id], sold.text).toEqual([201, customer.body.id]);
  expect(await actorsOf("transactions", sold.body.id)).toEqual(ownActor);
  const { rows } = await owner.query("select created_by from transactions where id = $1", [
    sold.body.id,
  ]);
  expect(rows).toEqual([{ created_by: backend.id }]);
});

test("a backend starts a trial", async () => {
  const body = {
    email: `${randomUUID()}@example.com`,
    packageId: pack.id,
    currency: "EUR",
    interval: "month" as const,
  };
  const started = await call(backend, startTrial, { body });
  expect([started.status, started.body.status], started.text).toEqual([201, "trialing"]);
  expect(await actorsOf("subscriptions", started.body.id)).toEqual(ownActor);
});

test("an idempotency key belongs to the account, whichever of its keys is used", async () => {
  const key = randomUUID();
  const body = { name: "Ada", email: `${randomUUID()}@example.com` };
  const made = await call(backend, createUser, { body, key });
  const { newKey } = serviceAccountsIn(product, shop.admin);
  const repeated = await call(await newKey(backend.id), createUser, { body, key });
  expect([repeated.status, repeated.body.id]).toEqual([201, made.body.id]);
  expect(repeated.headers["idempotent-replayed"]).toBe("true");
  const other = await call(await newCaller(), createUser, { body, key });
  expect(other.status, "the same key of another account is its own").toBe(409);
});

test("D6 a backend refunds up to the limit, and above it a team member has to", async () => {
  await owner.query("update settings set refund_limits = $1, approval_rules = '{}'", [
    { EUR: 500 },
  ]);
  const sale = await shop.sell(shop.saleOf(pack.id));
  const refund = (amount: number) =>
    call(backend, refundTransaction, {
      params: { id: sale.id },
      body: { amount, access: "keep", reason: "Late delivery" } as never,
    });
  const above = await refund(600);
  expect([above.status, above.text]).toEqual([
    403,
    expect.stringContaining("A team member has to do it"),
  ]);
  const within = await refund(400);
  expect(within.status, within.text).toBe(201);
});
