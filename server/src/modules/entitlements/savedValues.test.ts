import { checkFeature } from "@purser/contract/entitlements/explanation";
import { expect, test, vi } from "vitest";
import { patiently } from "#patience.testing.ts";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { workersOf } from "../packages/testing/workers.testing.ts";
import { appKeysIn } from "./testing/appKeys.testing.ts";

const product = await testProduct();
const { call, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, give, publish, addSubscribers } = catalogIn(product, admin);
const { newServerKey } = appKeysIn(product, admin);
const { work } = workersOf(product);

const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;

/** A package on sale with 5 seats, a subscriber, and the number of seats that a check of the app returns. */
const sold = async () => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const { id } = await newPackage({ prices: [eur] });
  await give(id, seats, 5);
  await publish(id);
  const [customer = ""] = await addSubscribers(id, 1);
  const { headers } = await newServerKey(app.id);
  const seatsOf = async (user: string) => {
    const query = { user, feature: seats.code };
    return (await call(null, checkFeature, { query, headers })).body.value;
  };
  return { id, seats, customer, seatsOf };
};

test("MX10 the check answers with the saved value within a second after it was published for all", async () => {
  const { id, seats, customer, seatsOf } = await sold();
  await work();
  expect(await seatsOf(customer)).toBe(5);
  await give(id, seats, 8);
  // A draft changes nothing yet.
  expect(await seatsOf(customer)).toBe(5);
  await publish(id, { rollout: "now" });
  await vi.waitFor(async () => expect(await seatsOf(customer)).toBe(8), {
    timeout: patiently(1000),
    interval: 20,
  });
});

test("MX10 a new subscriber has the saved value from the first check", async () => {
  const { id, seats, customer, seatsOf } = await sold();
  await give(id, seats, 8);
  await publish(id);
  const [newcomer = ""] = await addSubscribers(id, 1);
  expect([await seatsOf(customer), await seatsOf(newcomer)]).toEqual([5, 8]);
});
