import { grantAccess } from "@purser/contract/entitlements/grants";
import { expect, test } from "vitest";
import { openAllowances } from "./testing/allowances.testing.ts";

const allowances = await openAllowances(Date.UTC(2026, 10, 7, 12));
const { product, shop, features, newPackage, at, newEmail, buy } = allowances;
const { check, use, reserve, confirm, end, pause, resume, extend } = allowances;
const { call } = product;
const { admin } = shop;
const { month, week, day, year } = features;
const group = "plans";
const small = await newPackage(10, { name: "Small", group });
const large = await newPackage(50, { name: "Large", group });
const larger = await newPackage(60, { name: "Larger", group });
const other = await newPackage(10, { name: "Other", group: "others" });
const extra = await newPackage(5, { name: "Extra", kind: "add-on" });

const newBuyer = async (since = "2026-11-07T12:00:01Z", details: object = {}) => {
  const email = newEmail();
  await at(since);
  return { email, user: await buy(email, small.id, details) };
};

const grantBase = (email: string, packageId: string) =>
  call(admin, grantAccess, { body: { email, packageId, endsAt: null, reason: "A pilot." } });

test("I10 buying the next period early doesn't start the allowance again", async () => {
  const { email, user } = await newBuyer();
  await at("2026-11-10T12:00:00Z");
  await use(user, month, 10);
  await extend(user, small.id, 10);
  await at("2026-11-20T12:00:00Z");
  await buy(email, small.id);
  expect(await check(user, month)).toMatchObject({
    reason: "limit reached",
    used: 10,
    resetsAt: "2026-12-17T12:00:00.000Z",
  });
  await at("2026-12-17T12:00:00Z");
  expect(await check(user, month)).toMatchObject({
    used: 0,
    resetsAt: "2027-01-17T12:00:00.000Z",
  });
});

test("I10 pausing after the next period was bought doesn't start the allowance again", async () => {
  const { email, user } = await newBuyer();
  await use(user, month, 10);
  await at("2026-11-09T12:00:00Z");
  await buy(email, small.id);
  await at("2026-11-10T12:00:00Z");
  await pause(user, small.id);
  await at("2026-11-20T12:00:00Z");
  await resume(user, small.id);
  await at("2026-12-10T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 10, reason: "limit reached" });
  await at("2026-12-17T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 0 });
});

test("I10 weeks of a month stay where they are when the next period is bought early", async () => {
  const { email, user } = await newBuyer();
  await at("2026-11-30T13:00:00Z");
  await use(user, week, 10);
  await buy(email, small.id);
  expect(await check(user, week)).toMatchObject({
    used: 10,
    resetsAt: "2026-12-07T12:00:00.000Z",
  });
});

test("I10 an add-on doesn't reset an allowance that was granted without a subscription", async () => {
  const email = newEmail();
  await at("2026-11-07T12:00:01Z");
  await grantBase(email, small.id);
  await use(email, month, 10);
  await at("2026-11-15T12:00:01Z");
  await buy(email, extra.id);
  expect(await check(email, month)).toMatchObject({
    limit: 15,
    used: 10,
    remaining: 5,
    resetsAt: "2026-12-01T00:00:00.000Z",
  });
});

test("I10 ending the subscription that decided keeps what was used", async () => {
  const { email, user } = await newBuyer("2026-11-01T12:00:01Z");
  await at("2026-11-15T12:00:01Z");
  await buy(email, other.id);
  await at("2026-11-20T12:00:00Z");
  await use(user, month, 20);
  await at("2026-11-21T12:00:00Z");
  await end(user, small.id);
  expect(await check(user, month)).toMatchObject({ limit: 10, used: 20, remaining: 0 });
  await at("2026-12-05T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 20, reason: "limit reached" });
  await at("2026-12-15T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 0, remaining: 10 });
});

test("I10 ending the subscription that decided starts nothing again before its window ends", async () => {
  const email = newEmail();
  await at("2026-10-01T12:00:01Z");
  const user = await buy(email, small.id, { interval: "year" });
  await at("2026-10-15T12:00:01Z");
  await buy(email, other.id, { interval: "year" });
  await at("2026-11-10T12:00:00Z");
  await use(user, month, 20);
  await at("2026-11-21T12:00:00Z");
  await end(user, small.id);
  expect(await check(user, month)).toMatchObject({ limit: 10, used: 20, reason: "limit reached" });
  await at("2026-12-01T12:00:00Z");
  expect(await check(user, month)).toMatchObject({
    used: 0,
    resetsAt: "2026-12-15T12:00:00.000Z",
  });
});

test("usage before the second subscription isn't counted in its windows when the first one ends", async () => {
  const { email, user } = await newBuyer("2026-11-01T12:00:01Z");
  await at("2026-11-10T12:00:00Z");
  await use(user, month, 10);
  await at("2026-11-15T12:00:01Z");
  await buy(email, other.id);
  await use(user, month, 4);
  expect(await check(user, month)).toMatchObject({ limit: 20, used: 14 });
  await at("2026-11-21T12:00:00Z");
  await end(user, small.id);
  expect(await check(user, month)).toMatchObject({ limit: 10, used: 4 });
});

test("I10 a package that the team grants to a subscriber moves the reset, and keeps what was used", async () => {
  const { email, user } = await newBuyer();
  await use(user, month, 10);
  await at("2026-11-20T12:00:00Z");
  await grantBase(email, other.id);
  expect(await check(user, month)).toMatchObject({
    limit: 20,
    used: 10,
    resetsAt: "2026-12-01T00:00:00.000Z",
  });
  await at("2026-12-02T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 10 });
  await at("2026-12-07T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 0 });
});

test("I10 an add-on doesn't reset what is left from an earlier window", async () => {
  const { email, user } = await newBuyer();
  await use(user, month, 10);
  await at("2026-11-20T12:00:00Z");
  await grantBase(email, other.id);
  await at("2026-12-02T12:00:00Z");
  await buy(email, extra.id);
  expect(await check(user, month)).toMatchObject({ limit: 25, used: 10 });
});

test("I10 usage of the moment of a change counts in the new allowance only", async () => {
  const { email, user } = await newBuyer();
  await use(user, month, 6);
  await at("2026-11-20T12:00:00Z");
  await use(user, month, 4);
  // The sale started at the same moment, and was stored after it.
  await buy(email, large.id, { occurredAt: "2026-11-20T12:00:00Z" });
  expect(await check(user, month)).toMatchObject({ limit: 50, used: 4 });
});

test("a package that replaces another starts a new allowance, and so does one bought again", async () => {
  const { email, user } = await newBuyer();
  await use(user, month, 10);
  await at("2026-11-20T12:00:01Z");
  await buy(email, large.id);
  expect(await check(user, month)).toMatchObject({
    limit: 50,
    used: 0,
    resetsAt: "2026-12-20T12:00:00.000Z",
  });
  await use(user, month, 50);
  await end(user, large.id);
  await at("2026-11-22T12:00:01Z");
  await buy(email, small.id);
  expect(await check(user, month)).toMatchObject({ limit: 10, used: 0 });
});

test("I10 a change that is recorded later keeps what was used since its date", async () => {
  const { email, user } = await newBuyer();
  await at("2026-11-10T12:00:00Z");
  await use(user, month, 3);
  await at("2026-11-12T12:00:00Z");
  await use(user, month, 7);
  await buy(email, large.id, { occurredAt: "2026-11-11T12:00:00Z" });
  expect(await check(user, month)).toMatchObject({ limit: 50, used: 7, remaining: 43 });
});

test("I10 a second change that is recorded later keeps what the first one moved", async () => {
  const { email, user } = await newBuyer();
  await at("2026-11-12T12:00:00Z");
  await use(user, month, 7);
  await buy(email, large.id, { occurredAt: "2026-11-10T12:00:00Z" });
  await buy(email, larger.id, { occurredAt: "2026-11-11T12:00:00Z" });
  expect(await check(user, month)).toMatchObject({ limit: 60, used: 7 });
});

test("I10 what a change moves counts as long as it would have before", async () => {
  const { email, user } = await newBuyer();
  await at("2026-11-12T12:00:00Z");
  await use(user, month, 7);
  await buy(email, large.id, { occurredAt: "2026-11-11T12:00:00Z" });
  await at("2026-11-20T12:00:00Z");
  await grantBase(email, other.id);
  await at("2026-12-02T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 7 });
});

test("I10 a reservation since a change that is recorded later counts in its allowance", async () => {
  const { email, user } = await newBuyer();
  await at("2026-11-12T12:00:00Z");
  const { body } = await reserve({ user, feature: month, amount: 7 });
  await buy(email, large.id, { occurredAt: "2026-11-11T12:00:00Z" });
  expect(await check(user, month)).toMatchObject({ limit: 50, remaining: 43 });
  expect((await confirm(body.reservation?.id ?? "")).status).toBe(200);
  expect(await check(user, month)).toMatchObject({ used: 7, remaining: 43 });
});

test("I10 an extension makes the last window longer, and a long one adds whole windows after it", async () => {
  const { user } = await newBuyer();
  await at("2026-12-06T12:00:00Z");
  await use(user, week, 10);
  await use(user, month, 10);
  await extend(user, small.id, 5);
  const longer = { used: 10, resetsAt: "2026-12-12T12:00:00.000Z" };
  expect(await check(user, week)).toMatchObject(longer);
  expect(await check(user, month)).toMatchObject(longer);
  await extend(user, small.id, 7);
  expect(await check(user, week)).toMatchObject(longer);
  expect(await check(user, month)).toMatchObject({
    used: 10,
    resetsAt: "2026-12-19T12:00:00.000Z",
  });
  await at("2026-12-12T12:00:00Z");
  expect(await check(user, week)).toMatchObject({
    used: 0,
    resetsAt: "2026-12-19T12:00:00.000Z",
  });
});

test("I10 a pause makes only the window longer in which it was", async () => {
  const { user } = await newBuyer();
  await at("2026-11-10T13:00:00Z");
  for (const feature of [day, week]) await use(user, feature, 10);
  await pause(user, small.id);
  await at("2026-11-20T13:00:00Z");
  await resume(user, small.id);
  expect(await check(user, day)).toMatchObject({
    used: 10,
    resetsAt: "2026-11-21T12:00:00.000Z",
  });
  expect(await check(user, week)).toMatchObject({
    used: 10,
    resetsAt: "2026-11-24T12:00:00.000Z",
  });
  await at("2026-11-21T12:00:00Z");
  expect(await check(user, day)).toMatchObject({ used: 0, resetsAt: "2026-11-22T12:00:00.000Z" });
});

test("I10 an extension keeps free days and the paid period apart", async () => {
  const trial = await newPackage(10, { name: "Trial", trialDays: 14 });
  const email = newEmail();
  await at("2026-11-01T12:00:01Z");
  const user = await buy(email, trial.id);
  await use(user, month, 10);
  await at("2026-11-20T12:00:00Z");
  const paid = { used: 0, resetsAt: "2026-12-15T12:00:00.000Z" };
  expect(await check(user, month)).toMatchObject(paid);
  await extend(user, trial.id, 5);
  expect(await check(user, month)).toMatchObject({
    ...paid,
    resetsAt: "2026-12-20T12:00:00.000Z",
  });
});

test("I10 extending while the payment is overdue keeps the window that has started", async () => {
  const { user } = await newBuyer();
  await use(user, month, 10);
  await at("2026-12-08T12:00:00Z");
  await use(user, month, 4);
  await product.owner.query("update subscriptions set status = 'past due' where user_id = $1", [
    user,
  ]);
  await extend(user, small.id, 5);
  expect(await check(user, month)).toMatchObject({ used: 4 });
  await at("2026-12-13T12:00:00Z");
  expect(await check(user, month)).toMatchObject({ used: 4 });
});

test("an allowance longer than the paid period counts from the first period, also of a sale recorded later", async () => {
  await at("2026-11-17T12:00:00Z");
  const user = await buy(newEmail(), small.id, { occurredAt: "2026-11-10T12:00:00Z" });
  expect(await check(user, year)).toMatchObject({ resetsAt: "2027-11-10T12:00:00.000Z" });
});

test("a subscription of a release that didn't store periods has the current one, and those that follow", async () => {
  const { email, user } = await newBuyer();
  await use(user, month, 10);
  await product.owner.query(
    "delete from subscription_periods where subscription_id in (select id from subscriptions where user_id = $1)",
    [user],
  );
  expect(await check(user, month)).toMatchObject({
    used: 10,
    resetsAt: "2026-12-07T12:00:00.000Z",
  });
  await at("2026-11-10T12:00:00Z");
  await extend(user, small.id, 10);
  await at("2026-11-20T12:00:00Z");
  await buy(email, small.id);
  expect(await check(user, month)).toMatchObject({
    used: 10,
    resetsAt: "2026-12-17T12:00:00.000Z",
  });
});
