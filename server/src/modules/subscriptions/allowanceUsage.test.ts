import { correctUsage } from "@purser/contract/usage/endpoints";
import { expect, test } from "vitest";
import { openAllowances } from "./testing/allowances.testing.ts";

const allowances = await openAllowances(Date.UTC(2026, 10, 7, 12));
const { product, shop, features, monthly, newPackage, at, newEmail, buy } = allowances;
const { check, record, reserve, confirm, use, end } = allowances;
const { call } = product;
const { admin } = shop;
const { month, week } = features;
const group = "plans";
const small = await newPackage(10, { name: "Small", group });
const large = await newPackage(50, { name: "Large", group });
const other = await newPackage(10, { name: "Other", group: "others" });

const newBuyer = async (since = "2026-11-07T12:00:01Z", details: object = {}) => {
  const email = newEmail();
  await at(since);
  return { email, user: await buy(email, small.id, details) };
};

const recorded = async (user: string, feature: string, moments: readonly string[], amount = 10) => {
  const { body } = await record(moments.map((moment) => ({ user, feature, amount, at: moment })));
  return body.items.map(({ result, reason }) => reason ?? result);
};

test("I10 a late event counts in the counter that covers its time", async () => {
  const { email, user } = await newBuyer();
  await at("2026-11-29T12:00:00Z");
  await use(user, week, 10);
  await at("2026-12-08T12:00:00Z");
  await buy(email, small.id);
  expect(await recorded(user, week, ["2026-12-01T12:00:00Z"])).toEqual(["limit reached"]);
  expect(await recorded(user, week, ["2026-11-22T12:00:00Z"])).toEqual(["recorded"]);
  expect(await recorded(user, week, ["2026-11-21T13:00:00Z"], 1)).toEqual(["limit reached"]);
});

test("I10 a late event has the window and the limit of its time", async () => {
  const { email, user } = await newBuyer("2026-10-07T12:00:01Z");
  await at("2026-10-10T12:00:00Z");
  await use(user, month, 10);
  await at("2026-11-07T12:00:00Z");
  await buy(email, small.id);
  await use(user, month, 10);
  await at("2026-11-20T12:00:01Z");
  await buy(email, large.id);
  const late = ["2026-10-30T12:00:00Z", "2026-11-10T12:00:00Z"];
  expect(await recorded(user, month, late, 1)).toEqual(["limit reached", "limit reached"]);
  expect(await check(user, month)).toMatchObject({ limit: 50, used: 0 });
});

test("I10 a late event before the first counter of a window counts with those after it", async () => {
  const { user } = await newBuyer();
  await at("2026-11-20T12:00:00Z");
  await use(user, month, 8);
  expect(await recorded(user, month, ["2026-11-09T12:00:00Z"], 3)).toEqual(["limit reached"]);
  expect(await recorded(user, month, ["2026-11-09T12:00:00Z"], 2)).toEqual(["recorded"]);
  expect(await check(user, month)).toMatchObject({ used: 10 });
});

test("I10 an expired reservation is confirmed only if it fits everything in its window", async () => {
  const { email, user } = await newBuyer("2026-11-01T12:00:01Z");
  await at("2026-11-15T12:00:01Z");
  await buy(email, other.id);
  await use(user, month, 5);
  const { body } = await reserve({ user, feature: month, amount: 6, seconds: 60 });
  await end(user, small.id);
  await at("2026-12-02T12:00:00Z");
  await use(user, month, 5);
  expect(await check(user, month)).toMatchObject({ used: 10, limit: 10 });
  expect((await confirm(body.reservation?.id ?? "")).status).toBe(409);
});

test("a correction takes from the newest counter first, and then from older ones", async () => {
  const { email, user } = await newBuyer("2026-11-01T12:00:01Z");
  await at("2026-11-15T12:00:01Z");
  await buy(email, other.id);
  await use(user, month, 8);
  await end(user, small.id);
  await at("2026-12-02T12:00:00Z");
  await use(user, month, 2);
  const correct = (amount: number) =>
    call(admin, correctUsage, {
      params: { id: user },
      body: { featureId: monthly.id, amount, reason: "The export failed." },
    });
  expect((await correct(-11)).status).toBe(400);
  expect((await correct(-5)).body).toEqual({ used: 5 });
  expect(await check(user, month)).toMatchObject({ used: 5, remaining: 5 });
});
