import { listSubscribers } from "@purser/contract/entitlements/grants";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { grantsIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, signIn } = product;
const admin = await signIn("admin");
const support = await signIn("support");
const { newApp, newLimit, newPackage, read, give, publish, addSubscribers } = catalogIn(
  product,
  admin,
);
const { newCustomer, insertGrant } = grantsIn(product, support);

const onSale = async () => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const made = await newPackage();
  await give(made.id, seats, 5);
  expect((await publish(made.id)).status).toBe(200);
  return { stored: await read(made.id) };
};

const subscribersOf = (id: string, query: { q?: string; after?: string } = {}) =>
  call(admin, listSubscribers, { params: { id }, query });

test("lists active grants, newest first, 25 per page", async () => {
  const { stored } = await onSale();
  const { id } = await newCustomer();
  await insertGrant(id, stored.id, [-10, -5]);
  await insertGrant(id, stored.id, [5, 10]);
  const customers = await addSubscribers(stored.id, 60);
  const pages = [];
  let after: string | null = null;
  do {
    const { body } = await subscribersOf(stored.id, after ? { after } : {});
    pages.push(body.items);
    after = body.next;
  } while (after);
  expect(pages.map(({ length }) => length)).toEqual([25, 25, 10]);
  const seen = pages.flat();
  expect(seen.map((grant) => grant.id)).toEqual(
    seen
      .map((grant) => grant.id)
      .toSorted()
      .toReversed(),
  );
  expect(seen.map(({ user }) => user.id).toSorted()).toEqual(customers.toSorted());
  expect((await subscribersOf(crypto.randomUUID())).status).toBe(404);
});

test("finds subscribers by the start of the address or a part of the name, with % and _ as literals", async () => {
  const { stored } = await onSale();
  const subscribers = [
    { email: "zoe_1@example.com", name: "Zoë Quill" },
    { email: "zoex1@example.com", name: "100% Sure" },
    { email: "other@example.com", name: "Åsa zoe_1" },
  ];
  for (const subscriber of subscribers) {
    const { id } = await newCustomer(subscriber);
    await insertGrant(id, stored.id, [-1, 1]);
  }
  await newCustomer({ email: "zoe_2@example.com", name: "Has nothing" });
  const found = async (q: string) =>
    (await subscribersOf(stored.id, { q })).body.items.map(({ user }) => user.email).toSorted();
  expect(await found("zoe_1")).toEqual(["other@example.com", "zoe_1@example.com"]);
  expect(await found("ZOE")).toEqual(subscribers.map(({ email }) => email).toSorted());
  expect(await found("0%")).toEqual([]);
  expect(await found("00%")).toEqual(["zoex1@example.com"]);
  expect(await found("zo")).toEqual(["zoe_1@example.com", "zoex1@example.com"]);
  expect(await found("åsa")).toEqual(["other@example.com"]);
  expect(await found("example.com")).toEqual([]);
});
