import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { correctUsage } from "@purser/contract/usage/endpoints";
import { expect, test } from "vitest";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { openAllowances } from "./testing/allowances.testing.ts";

const allowances = await openAllowances(Date.UTC(2026, 10, 7, 12));
const { product, shop, monthly, newPackage, at, newEmail, buy, pause, resume, extend } = allowances;
const { check, record, consume, reserve, confirm } = allowances;
const { call } = product;
const { admin } = shop;
const feature = monthly.code;
const group = "plans";
const small = await newPackage(10, { name: "Small", group });
const large = await newPackage(50, { name: "Large", group });
const extra = await newPackage(5, { name: "Extra", kind: "add-on" });

const newBuyer = async (packageId = small.id, interval = "month") => {
  await at("2026-11-07T12:00:01Z");
  return buy(newEmail(), packageId, { interval });
};

test("an allowance follows the paid period, and the next one starts with the renewal or its grace period", async () => {
  const user = await newBuyer();
  expect((await consume({ user, feature, amount: 8 })).body).toMatchObject({
    used: 8,
    remaining: 2,
    resetsAt: "2026-12-07T12:00:00.000Z",
  });
  // The calendar's next month doesn't reset it.
  await at("2026-12-01T12:00:00Z");
  expect(await check(user, feature)).toMatchObject({ used: 8, remaining: 2 });
  await at("2026-12-07T12:00:00Z");
  expect(await check(user, feature)).toMatchObject({ used: 0, remaining: 10 });
  expect((await consume({ user, feature, amount: 1 })).body).toMatchObject({ used: 1 });
  const { body } = await call(admin, getEntitlements, { params: { id: user }, query: {} });
  expect(body.items.find((one) => one.feature.id === monthly.id)).toMatchObject({
    used: 1,
    resetsAt: "2027-01-07T12:00:00.000Z",
    countedSince: "2026-12-07T12:00:00.000Z",
    countedWith: { package: "Small" },
  });
});

test("a late event counts in the period of its time, also before a change of the package", async () => {
  const email = newEmail();
  await at("2026-11-07T12:00:01Z");
  const user = await buy(email, small.id);
  await at("2026-11-20T12:00:01Z");
  await buy(email, large.id);
  expect((await consume({ user, feature, amount: 50 })).body).toMatchObject({
    used: 50,
    remaining: 0,
    resetsAt: "2026-12-20T12:00:00.000Z",
  });
  const { body } = await record([
    { user, feature, amount: 7, at: "2026-11-10T12:00:00Z" },
    { user, feature, amount: 1, at: "2026-11-21T12:00:00Z" },
    { user, feature, amount: 1, at: "2026-11-20T12:00:00Z" },
  ]);
  expect(body.items.map(({ result, reason }) => reason ?? result)).toEqual([
    "recorded",
    "in the future",
    "limit reached",
  ]);
  expect(await check(user, feature)).toMatchObject({ used: 50 });
});

test("a late event is added to the counter that its period has", async () => {
  const user = await newBuyer();
  await consume({ user, feature, amount: 6 });
  await at("2026-12-09T12:00:00Z");
  const { body } = await record([
    { user, feature, amount: 4, at: "2026-12-06T12:00:00Z" },
    { user, feature, amount: 1, at: "2026-12-06T12:00:00Z" },
    { user, feature, amount: 2 },
  ]);
  expect(body.items.map(({ result }) => result)).toEqual(["recorded", "refused", "recorded"]);
  expect(await check(user, feature)).toMatchObject({ used: 2 });
});

test("I10 pausing, resuming and extending give nothing back", async () => {
  const user = await newBuyer();
  await consume({ user, feature, amount: 10 });
  await at("2026-11-10T12:00:00Z");
  await pause(user, small.id);
  expect(await check(user, feature)).toMatchObject({ allowed: false, reason: "paused" });
  await at("2026-11-20T12:00:00Z");
  await resume(user, small.id);
  expect(await check(user, feature)).toMatchObject({
    allowed: false,
    reason: "limit reached",
    used: 10,
    resetsAt: "2026-12-17T12:00:00.000Z",
  });
  await extend(user, small.id, 5);
  expect(await check(user, feature)).toMatchObject({
    reason: "limit reached",
    resetsAt: "2026-12-22T12:00:00.000Z",
  });
});

test("of several packages the base package decides, and an add-on gives its amount at once", async () => {
  const email = newEmail();
  await at("2026-11-07T12:00:01Z");
  const user = await buy(email, small.id);
  await consume({ user, feature, amount: 10 });
  await at("2026-11-15T12:00:01Z");
  await buy(email, extra.id);
  expect(await check(user, feature)).toMatchObject({
    limit: 15,
    used: 10,
    remaining: 5,
    resetsAt: "2026-12-07T12:00:00.000Z",
  });
});

test("a month of a yearly subscription resets every month", async () => {
  const user = await newBuyer(small.id, "year");
  await consume({ user, feature, amount: 10 });
  await at("2027-01-31T12:00:00Z");
  expect(await check(user, feature)).toMatchObject({
    used: 0,
    resetsAt: "2027-02-07T12:00:00.000Z",
  });
});

test("without a subscription the calendar counts, and usage of the same month isn't lost", async () => {
  const email = newEmail();
  await at("2026-11-07T12:00:01Z");
  const user = await buy(email, small.id);
  await consume({ user, feature, amount: 9 });
  await at("2026-11-10T12:00:00Z");
  await product.owner.query(
    "update grants set ends_at = greatest(starts_at, $2) where user_id = $1",
    [user, allowances.nowIso()],
  );
  await grantsIn(product, admin).grantTo(email, { packageId: small.id });
  expect(await check(user, feature)).toMatchObject({
    used: 9,
    resetsAt: "2026-12-01T00:00:00.000Z",
  });
  expect((await consume({ user, feature, amount: 2 })).body).toMatchObject({
    allowed: false,
    remaining: 1,
  });
});

test("a reservation over the end of a period is confirmed in the period that it was made in", async () => {
  const user = await newBuyer();
  await at("2026-12-07T11:59:30Z");
  const { body } = await reserve({ user, feature, amount: 10, seconds: 60 });
  await at("2026-12-07T12:00:10Z");
  expect((await consume({ user, feature, amount: 10 })).body).toMatchObject({ used: 10 });
  expect((await confirm(body.reservation?.id ?? "")).body).toMatchObject({ status: "confirmed" });
  expect(await check(user, feature)).toMatchObject({ used: 10, reason: "limit reached" });
});

test("a correction of the team counts in the current period", async () => {
  const user = await newBuyer();
  await consume({ user, feature, amount: 10 });
  await at("2026-12-05T12:00:00Z");
  const corrected = await call(admin, correctUsage, {
    params: { id: user },
    body: { featureId: monthly.id, amount: -4, reason: "The export failed." },
  });
  expect(corrected.body, corrected.text).toEqual({ used: 6 });
  expect(await check(user, feature)).toMatchObject({ used: 6, remaining: 4 });
});

test("a subscription that was paid in advance and then paused is paused, not expired", async () => {
  const email = newEmail();
  await at("2026-11-07T12:00:01Z");
  const user = await buy(email, small.id);
  await at("2026-11-09T12:00:00Z");
  await buy(email, small.id);
  await at("2026-11-10T12:00:00Z");
  await pause(user, small.id);
  expect(await check(user, feature)).toMatchObject({ allowed: false, reason: "paused" });
});
