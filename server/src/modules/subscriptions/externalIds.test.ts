import { randomUUID } from "node:crypto";
import {
  cancelSubscription,
  changeSubscription,
  keepSubscription,
  pauseSubscription,
  previewChange,
  resumeSubscription,
  startTrial,
} from "@purser/contract/subscriptions/endpoints";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import { getCustomer, upsertCustomer } from "@purser/contract/users/appCustomers";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { serviceAccountsIn } from "../users/testing/serviceAccounts.testing.ts";

const product = await testProduct();
const { call, owner } = product;
const shop = await shopIn(product);
const backend = await serviceAccountsIn(product, shop.admin).newCaller({ name: "Shop backend" });
const group = `g-${randomUUID().slice(0, 8)}`;
const perSeat = (amount: number) => ({
  group,
  prices: [{ currency: "EUR", amount, interval: "month", perUnit: true }],
});
const small = await shop.sellPackage(perSeat(1000));
const large = await shop.sellPackage(perSeat(2000));
const trial = await shop.sellPackage({ trialDays: 14 });

const newExternalId = async (email = `${randomUUID()}@example.com`) => {
  const externalId = `user-${randomUUID()}`;
  const made = await call(backend, upsertCustomer, { params: { externalId }, body: { email } });
  expect(made.status, made.text).toBe(200);
  return externalId;
};

const offerOf = (packageId: string) => ({
  packageId,
  currency: "EUR",
  interval: "month" as const,
});

const saleTo = (user: string, packageId: string) => ({
  user,
  ...offerOf(packageId),
  occurredAt: new Date(Date.now() - 1000).toISOString(),
});

/** The subscription of a package, as a backend finds it that knows only its own ID of the customer. */
const subscriptionOf = async (externalId: string, packageId: string) => {
  const { body } = await call(backend, getCustomer, { params: { externalId }, query: {} });
  const [found] = body.subscriptions.filter(
    (one) => one.package.id === packageId && one.status !== "ended",
  );
  if (!found) throw new Error("The customer has no such subscription.");
  return { ...found, params: { id: found.id } };
};

const buy = async (user: string, packageId: string, key: string = randomUUID()) => {
  const sale = saleTo(user, packageId);
  const quoted = await call(backend, quoteSale, { body: sale });
  expect(quoted.status, quoted.text).toBe(200);
  const { total } = quoted.body.quote;
  const body = { ...sale, total, state: "succeeded" as const, reference: randomUUID() };
  const record = () => call(backend, createTransaction, { body, key });
  return { quoted: quoted.body, sold: await record(), record };
};

test("a backend buys, changes, cancels and resumes with the external ID only", async () => {
  const user = await newExternalId();
  const { quoted, sold, record } = await buy(user, small.id);
  expect(sold.status, sold.text).toBe(201);
  expect(sold.body.user?.id).toBe(quoted.customer?.id);
  const repeated = await record();
  expect([repeated.status, repeated.body.id]).toEqual([201, sold.body.id]);
  expect(repeated.headers["idempotent-replayed"]).toBe("true");

  const started = await call(backend, startTrial, { body: { user, ...offerOf(trial.id) } });
  expect([started.status, started.body.status], started.text).toEqual([201, "trialing"]);
  const again = await call(backend, startTrial, { body: { user, ...offerOf(trial.id) } });
  expect(again.status, "a customer tries a package once").toBe(409);

  const bought = await subscriptionOf(user, small.id);
  const wanted = { ...offerOf(large.id), when: "period end" as const };
  const preview = await call(backend, previewChange, { params: bought.params, body: wanted });
  expect(preview.status, preview.text).toBe(200);
  const changed = await call(backend, changeSubscription, {
    ...bought,
    body: { ...wanted, reason: "More exports" },
  });
  expect(changed.body.next?.package, changed.text).toBe(large.name);
  const kept = await call(backend, keepSubscription, {
    ...(await subscriptionOf(user, small.id)),
    body: {},
  });
  expect(kept.body.next, kept.text).toBeNull();

  const more = await call(backend, changeSubscription, {
    ...(await subscriptionOf(user, small.id)),
    body: { ...offerOf(small.id), quantity: 3, when: "period end", reason: "New colleagues" },
  });
  expect(more.body.next?.quantity, more.text).toBe(3);
  await call(backend, keepSubscription, {
    ...(await subscriptionOf(user, small.id)),
    body: {},
  });

  const paused = await call(backend, pauseSubscription, {
    ...(await subscriptionOf(user, small.id)),
    body: { reason: "Parental leave" },
  });
  expect(paused.body.status, paused.text).toBe("paused");
  const resumed = await call(backend, resumeSubscription, {
    ...(await subscriptionOf(user, small.id)),
    body: {},
  });
  expect(resumed.body.status, resumed.text).toBe("active");
  const last = await subscriptionOf(user, small.id);
  const cancel = () =>
    call(backend, cancelSubscription, { ...last, body: { when: "period end", reason: "Asked" } });
  expect((await cancel()).body.status).toBe("ending");
  expect((await cancel()).status, "a change based on an old version is refused").toBe(412);
});

test("several sales to a customer named in different ways at once go to the same customer", async () => {
  const email = `${randomUUID()}@example.com`;
  const user = await newExternalId(email);
  const [one, two] = [await shop.sellPackage(), await shop.sellPackage()];
  const sales = await Promise.all([buy(user, one.id), buy(email, two.id), buy(user, trial.id)]);
  const ids = new Set(sales.map(({ sold }) => sold.body.user?.id));
  expect(sales.map(({ sold }) => sold.status)).toEqual([201, 201, 201]);
  expect(ids.size).toBe(1);
});

test("an unknown customer is refused with a clear message, and nothing is created", async () => {
  const count = async () => (await owner.query("select count(*)::int from users")).rows[0].count;
  const before = await count();
  for (const user of [`user-${randomUUID()}`, randomUUID(), `${randomUUID()}@example.com`]) {
    const sale = saleTo(user, small.id);
    const sold = { ...sale, total: 1000, state: "succeeded" as const, reference: "B-1" };
    for (const refused of [
      await call(backend, quoteSale, { body: sale }),
      await call(backend, createTransaction, { body: sold }),
      await call(backend, startTrial, { body: { user, ...offerOf(trial.id) } }),
    ])
      expect(refused).toMatchObject({
        status: 400,
        body: {
          reason: "customer_unknown",
          errors: [
            {
              pointer: "/user",
              message: "No customer has this ID. Create the customer first.",
            },
          ],
        },
      });
  }
  expect(await count()).toBe(before);
});

test("a customer is named once, in user or in email", async () => {
  const user = await newExternalId();
  const sale = saleTo(user, small.id);
  const { user: _, ...nobody } = sale;
  for (const body of [{ ...sale, email: "ada@example.com" }, nobody])
    expect(await call(backend, quoteSale, { body: body as never })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/email", code: "buyer_ambiguous" }] },
    });
});

test("a merged customer is found by the external ID of both records", async () => {
  const user = await newExternalId();
  const survivor = await shop.sell(shop.saleOf(small.id));
  await owner.query(
    "update users set status = 'suspended', merged_into = $1 where external_id = $2",
    [survivor.user.id, user],
  );
  const { sold } = await buy(user, trial.id);
  expect([sold.status, sold.body.user?.id], sold.text).toEqual([201, survivor.user.id]);
});
