import { randomUUID } from "node:crypto";
import { correctUsage, exportAppUsage, getUsage } from "@purser/contract/usage/endpoints";
import { suspendUser } from "@purser/contract/users/endpoints";
import { expect, test } from "vitest";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { appCallsIn, keyIn } from "./testing/testing.ts";

let now = Date.UTC(2026, 5, 15, 12);
const product = await testProduct({ clock: { now: () => now } });
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);

const app = await newApp();
const metered = { kind: "metered", reset: "month", combining: "sum", defaultValue: 0 };
const exportsOf = await newLimit(app.id, "Exports", metered);
const calls = await newLimit(app.id, "Calls", { ...metered, enforcement: "soft" });
const seats = await newLimit(app.id, "Seats", { defaultValue: 0 });
const studio = await newPackage({ name: "Studio" });
await give(studio.id, exportsOf, 10);
await give(studio.id, calls, 10);
await give(studio.id, seats, 3);
await publish(studio.id);

const headers = await keyIn(product, admin, app.id);
const { check, record, consume, reserve, confirm, release } = appCallsIn(product, headers);
const feature = exportsOf.code;

const newSubscriber = async () => {
  const customer = await newCustomer();
  await grantTo(customer.email, { packageId: studio.id });
  return customer.id;
};

const storedUse = async (user: string) => {
  const { rows } = await owner.query<{
    used: string;
    reserved: string;
    events: string;
    days: string;
  }>(
    `select used, reserved,
       (select coalesce(sum(amount), 0) from usage_events e where e.user_id = u.user_id and e.feature_id = u.feature_id) as events,
       (select coalesce(sum(used), 0) from usage_days d where d.user_id = u.user_id and d.feature_id = u.feature_id) as days
     from feature_use u where user_id = $1 and feature_id = $2`,
    [user, exportsOf.id],
  );
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
  );
};

test("I10 an event is counted once, and never above a hard limit", async () => {
  const user = await newSubscriber();
  const id = randomUUID();
  const first = await consume({ user, feature, amount: 4, id });
  expect(first.body).toMatchObject({ allowed: true, result: "recorded", used: 4, remaining: 6 });
  expect((await consume({ user, feature, amount: 4, id })).body).toMatchObject({
    allowed: true,
    result: "duplicate",
    used: 4,
  });
  expect((await consume({ user, feature, amount: 7 })).body).toMatchObject({
    allowed: false,
    reason: "amount exceeds remaining",
    result: "refused",
    used: 4,
    remaining: 6,
  });
  expect((await consume({ user, feature, amount: 6 })).body).toMatchObject({
    used: 10,
    remaining: 0,
  });
  expect((await consume({ user, feature })).body).toMatchObject({ reason: "limit reached" });
  // A repeated event is answered as before, also after the limit is reached.
  expect((await consume({ user, feature, amount: 4, id })).body).toMatchObject({
    allowed: true,
    result: "duplicate",
    reason: "granted",
  });
  expect(await storedUse(user)).toEqual({ used: 10, reserved: 0, events: 10, days: 10 });
  expect(await check(user, feature)).toMatchObject({
    allowed: false,
    reason: "limit reached",
    used: 10,
  });
});

test("refuses an ID that was used for another event", async () => {
  const user = await newSubscriber();
  const id = randomUUID();
  await consume({ user, feature, id });
  const other = await consume({ user, feature, amount: 2, id });
  expect(other.status).toBe(409);
  const { body } = await record([{ user, feature: calls.code, id }]);
  expect(body.items).toEqual([{ id, result: "refused", reason: "id reused" }]);
});

test("I10 100 requests at once consume exactly the limit", async () => {
  const user = await newSubscriber();
  const answers = await Promise.all(Array.from({ length: 100 }, () => consume({ user, feature })));
  expect(answers.filter(({ body }) => body.allowed)).toHaveLength(10);
  expect(await storedUse(user)).toEqual({ used: 10, reserved: 0, events: 10, days: 10 });
});

test("the same event at once from several requests is counted once", async () => {
  const user = await newSubscriber();
  const id = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => consume({ user, feature, id })),
  );
  expect(answers.map(({ body }) => body.result).toSorted()).toEqual([
    ...Array.from({ length: 19 }, () => "duplicate"),
    "recorded",
  ]);
  expect(await storedUse(user)).toMatchObject({ used: 1, events: 1 });
});

test("a batch says for each event what became of it", async () => {
  const user = await newSubscriber();
  const suspended = await newSubscriber();
  await call(admin, suspendUser, {
    params: { id: suspended },
    body: { reason: "Fraud." },
    headers: { "if-match": '"1"' },
  });
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
  const { body } = await record([
    { user, feature, amount: 9 },
    { user, feature, amount: 2 },
    { user, feature, amount: 1 },
    { user, feature: "no-such-thing" },
    { user: "nobody@example.com", feature },
    { user, feature, amount: -1 },
    { user, feature: seats.code, amount: 2 },
    { user, feature: seats.code, amount: -1 },
    { user, feature: seats.code, amount: -2 },
    { user, feature, at: at(-32) },
    { user, feature, at: at(1) },
    { user: suspended, feature },
  ]);
  expect(body.items.map(({ result, reason }) => reason ?? result)).toEqual([
    "recorded",
    "limit reached",
    "recorded",
    "unknown feature",
    "unknown customer",
    "negative amount",
    "recorded",
    "recorded",
    "below zero",
    "too late",
    "in the future",
    "no access",
  ]);
  expect(await storedUse(user)).toMatchObject({ used: 10, events: 10 });
});

test("a late event counts in the window of its time", async () => {
  const user = await newSubscriber();
  await record([
    { user, feature, amount: 8, at: "2026-05-31T23:59:59Z" },
    { user, feature, amount: 3, at: "2026-06-01T00:00:00Z" },
  ]);
  expect(await check(user, feature)).toMatchObject({
    used: 3,
    resetsAt: "2026-07-01T00:00:00.000Z",
  });
  const { rows } = await owner.query(
    "select used::int from feature_use where user_id = $1 order by window_start",
    [user],
  );
  expect(rows).toEqual([{ used: 8 }, { used: 3 }]);
});

test("a soft limit is exceeded and reported", async () => {
  const user = await newSubscriber();
  const { body } = await consume({ user, feature: calls.code, amount: 12 });
  expect(body).toMatchObject({ allowed: true, reason: "over soft limit", used: 12, remaining: 0 });
});

test("a reservation holds its amount until it is confirmed, released or expired", async () => {
  const user = await newSubscriber();
  const { body } = await reserve({ user, feature, amount: 6, seconds: 60 });
  const reservation = body.reservation?.id ?? "";
  expect(body).toMatchObject({
    answer: { allowed: true, remaining: 4 },
    reservation: { status: "open", amount: 6, confirmed: null },
  });
  expect((await consume({ user, feature, amount: 5 })).body).toMatchObject({
    allowed: false,
    remaining: 4,
  });
  expect((await confirm(reservation, 7)).status).toBe(400);
  expect((await confirm(reservation, 5)).body).toMatchObject({ status: "confirmed", confirmed: 5 });
  expect((await confirm(reservation, 5)).body).toMatchObject({ status: "confirmed", confirmed: 5 });
  expect((await confirm(reservation, 4)).status).toBe(409);
  expect((await release(reservation)).status).toBe(409);
  expect(await storedUse(user)).toEqual({ used: 5, reserved: 0, events: 5, days: 5 });

  const next = (await reserve({ user, feature, amount: 5 })).body.reservation?.id ?? "";
  expect((await reserve({ user, feature })).body).toMatchObject({
    answer: { allowed: false, reason: "limit reached" },
    reservation: null,
  });
  expect((await release(next)).body).toMatchObject({ status: "released" });
  expect((await release(next)).status).toBe(200);
  expect(await storedUse(user)).toMatchObject({ used: 5, reserved: 0 });
});

test("I10 an expired reservation is given back, and confirmed only if it still fits", async () => {
  const user = await newSubscriber();
  const reserved = async (amount: number) =>
    (await reserve({ user, feature, amount, seconds: 60 })).body.reservation?.id ?? "";
  const [first, second] = [await reserved(6), await reserved(4)];
  now += 61_000;
  expect((await consume({ user, feature, amount: 5 })).body).toMatchObject({
    allowed: true,
    used: 5,
    remaining: 5,
  });
  const late = await confirm(first);
  expect(late.status).toBe(409);
  expect((await confirm(second)).body).toMatchObject({ status: "confirmed", confirmed: 4 });
  expect(await storedUse(user)).toEqual({ used: 9, reserved: 0, events: 9, days: 9 });
});

test("another app's key finds neither the feature nor the reservation", async () => {
  const user = await newSubscriber();
  const { body } = await reserve({ user, feature });
  const other = appCallsIn(product, await keyIn(product, admin, (await newApp("Ledgerly")).id));
  expect((await other.consume({ user, feature })).status).toBe(404);
  expect((await other.confirm(body.reservation?.id ?? "")).status).toBe(404);
  expect((await other.release(body.reservation?.id ?? "")).status).toBe(404);
  expect(await storedUse(user)).toMatchObject({ reserved: 1 });
});

test("requires the scope usage:write", async () => {
  const reading = appCallsIn(product, await keyIn(product, admin, app.id, ["entitlements:read"]));
  const user = await newSubscriber();
  expect((await reading.consume({ user, feature })).status).toBe(403);
  expect((await reading.record([{ user, feature }])).status).toBe(403);
  expect((await reading.reserve({ user, feature })).status).toBe(403);
});

test("a switch isn't counted, and a customer must exist", async () => {
  const user = await newSubscriber();
  const beta = await newLimit(app.id, "Beta", { kind: "switch", unit: null, defaultValue: true });
  const refused = await consume({ user, feature: beta.code });
  expect(refused.status).toBe(409);
  expect((await consume({ user: "nobody@example.com", feature })).status).toBe(404);
});

test("the team sees usage by day and corrects it, with a reason in the audit log", async () => {
  const user = await newSubscriber();
  await consume({ user, feature, amount: 8 });
  const correct = (amount: number, by = admin) =>
    call(by, correctUsage, {
      params: { id: user },
      body: { featureId: exportsOf.id, amount, reason: "The export failed." },
    });
  expect((await correct(-9)).status).toBe(400);
  expect((await correct(-3, viewer)).status).toBe(403);
  expect((await correct(-3)).body).toEqual({ used: 5 });
  expect((await consume({ user, feature, amount: 5 })).body).toMatchObject({
    allowed: true,
    used: 10,
  });
  const { body } = await call(viewer, getUsage, { params: { id: user }, query: {} });
  expect(body.items).toMatchObject([
    { feature: { code: feature }, used: 10, days: [{ day: "2026-06-15", used: 10 }] },
  ]);
  const { rows } = await owner.query(
    "select actor_id, reason from audit_entries where entity = 'usage_corrections' order by id desc limit 1",
  );
  expect(rows).toEqual([{ actor_id: admin.id, reason: "The export failed." }]);
});

test("the team exports what all customers used of an app or a feature in a period", async () => {
  const [one, two] = [await newSubscriber(), await newSubscriber()];
  await consume({ user: one, feature, amount: 2 });
  await consume({ user: two, feature, amount: 3 });
  const ask = (query: object = {}, by = admin) =>
    call(by, exportAppUsage, { params: { id: app.id }, query: query as never });
  const rowsOf = ({ text }: { text: string }) =>
    text
      .trim()
      .split("\r\n")
      .filter((row) => row.includes(one) || row.includes(two));
  const all = await ask();
  expect(all.status, all.text).toBe(200);
  expect(all.text.split("\r\n")[0]).toContain("day,feature,customerId,externalId,email,name,used");
  expect(
    rowsOf(all)
      .map((row) => row.split(",").at(-1))
      .toSorted(),
  ).toEqual(["2", "3"]);
  expect(rowsOf(await ask({ feature }))).toHaveLength(2);
  expect(rowsOf(await ask({ from: "2026-06-15", to: "2026-06-15" }))).toHaveLength(2);
  expect(rowsOf(await ask({ from: "2026-06-14", to: "2026-06-14" }))).toHaveLength(0);
  expect((await ask({ feature: "missing" })).status).toBe(404);
  expect((await ask({}, viewer)).status).toBe(403);
});

test.each([
  [{ from: "2026-06-15", to: "2026-06-14" }, "/to"],
  [{ from: "2025-06-14", to: "2026-06-15" }, "/from"],
])("a period of usage can't be %j", async (query, pointer) => {
  const user = await newSubscriber();
  expect(await call(admin, getUsage, { params: { id: user }, query })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer }] },
  });
});

test("a period of usage ends with its last day, and begins 30 days before by default", async () => {
  const user = await newSubscriber();
  const periodOf = async (query: object) => {
    const { body } = await call(admin, getUsage, { params: { id: user }, query: query as never });
    return [body.from, body.to];
  };
  expect(await periodOf({ to: "2026-03-30" })).toEqual(["2026-03-01", "2026-03-30"]);
  expect(await periodOf({ from: "2025-06-15", to: "2026-06-15" })).toEqual([
    "2025-06-15",
    "2026-06-15",
  ]);
});
