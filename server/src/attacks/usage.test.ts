import { randomUUID } from "node:crypto";
import { activateApp, getApp, resumeApp, suspendApp } from "@purser/contract/apps/endpoints";
import { exportAppUsage, getUsage } from "@purser/contract/usage/endpoints";
import { mergeUsers } from "@purser/contract/users/merge";
import { expect, test } from "vitest";
import { grantsIn } from "../modules/entitlements/testing/testing.ts";
import { catalogIn } from "../modules/packages/testing/testing.ts";
import { appCallsIn, keyIn } from "../modules/usage/testing/testing.ts";
import { testProduct } from "../testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("owner");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);

const app = await newApp();
const exportsOf = await newLimit(app.id, "Exports", {
  kind: "metered",
  reset: "year",
  combining: "sum",
  defaultValue: 0,
});
const studio = await newPackage({ name: "Studio" });
await give(studio.id, exportsOf, 10);
await publish(studio.id);
const feature = exportsOf.code;
const { check, record, consume, reserve, confirm, release } = appCallsIn(
  product,
  await keyIn(product, admin, app.id),
);

const newSubscriber = async () => {
  const customer = await newCustomer();
  await grantTo(customer.email, { packageId: studio.id });
  return customer.id;
};

const merge = async (id: string, otherId: string) => {
  const body = { otherId, reason: "Two addresses." };
  const merged = await call(admin, mergeUsers, { params: { id }, body });
  expect(merged.status, merged.text).toBe(200);
};

const useOf = async (user: string) => {
  const { rows } = await owner.query<{ used: number; reserved: number }>(
    `select coalesce(sum(used), 0)::int as used, coalesce(sum(reserved), 0)::int as reserved
     from feature_use where user_id = $1`,
    [user],
  );
  return rows[0];
};

test("I10 usage and reservations of a merged customer continue, and are counted once", async () => {
  const [stays, goes] = [await newSubscriber(), await newSubscriber()];
  const event = { user: goes, feature, amount: 4, id: randomUUID() };
  await consume(event);
  await consume({ user: stays, feature, amount: 3 });
  const reservation = (await reserve({ user: goes, feature, amount: 5 })).body.reservation?.id;
  await merge(stays, goes);
  expect(await check(goes, feature)).toMatchObject({ limit: 20, used: 7, remaining: 8 });

  // What the app repeats because it lost the reply.
  const repeated = await consume(event);
  expect(repeated.body, repeated.text).toMatchObject({ result: "duplicate", used: 7 });
  const { body } = await record([event]);
  expect(body.items).toEqual([{ id: event.id, result: "duplicate", reason: null }]);

  const settled = await Promise.all(
    Array.from({ length: 6 }, (_, nth) =>
      nth % 2 === 0 ? confirm(reservation ?? "", 5) : release(reservation ?? ""),
    ),
  );
  const confirmed = settled.some(({ body: { status } }) => status === "confirmed");
  expect(await useOf(stays)).toEqual({ used: confirmed ? 12 : 7, reserved: 0 });
});

test("the team sees and exports the usage of merged customers once", async () => {
  const [stays, goes] = [await newSubscriber(), await newSubscriber()];
  await consume({ user: goes, feature, amount: 4 });
  await consume({ user: stays, feature, amount: 3 });
  await merge(stays, goes);
  const { body } = await call(admin, getUsage, { params: { id: stays }, query: {} });
  expect(body.items).toMatchObject([{ used: 7 }]);
  const { text } = await call(admin, exportAppUsage, {
    params: { id: app.id },
    query: {} as never,
  });
  const rows = text.split("\r\n").filter((row) => row.includes(stays) || row.includes(goes));
  expect(rows.map((row) => [row.includes(stays), row.split(",").at(-1)])).toEqual([[true, "7"]]);
});

test("I10 consuming while customers are merged never exceeds the limit of both", async () => {
  const [stays, goes] = [await newSubscriber(), await newSubscriber()];
  await consume({ user: goes, feature });
  await consume({ user: stays, feature });
  const consuming = Array.from({ length: 40 }, (_, nth) =>
    consume({ user: nth % 2 === 0 ? goes : stays, feature }),
  );
  const [answers] = await Promise.all([Promise.all(consuming), merge(stays, goes)]);
  const allowed = answers.filter(({ body }) => body.result === "recorded").length + 2;
  expect(allowed).toBeLessThanOrEqual(20);
  expect(await check(stays, feature)).toMatchObject({ used: allowed, remaining: 20 - allowed });
});

test("I10 a reservation that expired before a merge is confirmed only if it fits both", async () => {
  const [stays, goes] = [await newSubscriber(), await newSubscriber()];
  const reserved = async (amount: number) =>
    (await reserve({ user: goes, feature, amount })).body.reservation?.id ?? "";
  const [fits, tooMuch] = [await reserved(4), await reserved(5)];
  await owner.query(
    "update usage_reservations set expires_at = now() - interval '1 second' where user_id = $1",
    [goes],
  );
  await consume({ user: goes, feature });
  await consume({ user: stays, feature, amount: 10 });
  await merge(stays, goes);
  await consume({ user: stays, feature, amount: 2 });
  expect((await confirm(fits)).body).toMatchObject({ status: "confirmed", confirmed: 4 });
  expect((await confirm(tooMuch)).status).toBe(409);
  expect(await useOf(stays)).toEqual({ used: 17, reserved: 0 });
});

test("a suspended app settles what it has reserved, and gets nothing new", async () => {
  const user = await newSubscriber();
  const [first = "", second = ""] = [
    (await reserve({ user, feature, amount: 2 })).body.reservation?.id,
    (await reserve({ user, feature, amount: 3 })).body.reservation?.id,
  ];
  const params = { id: app.id };
  const { version } = (await call(admin, getApp, { params })).body;
  const suspended = await call(admin, suspendApp, { params, version, body: { reason: "Abuse." } });
  expect(suspended.status, suspended.text).toBe(200);
  expect((await consume({ user, feature })).body).toMatchObject({ reason: "app suspended" });
  expect((await reserve({ user, feature })).body.reservation).toBeNull();
  const { body } = await record([{ user, feature }]);
  expect(body.items).toMatchObject([{ result: "refused", reason: "no access" }]);
  expect((await confirm(first)).body).toMatchObject({ status: "confirmed", confirmed: 2 });
  expect((await release(second)).body).toMatchObject({ status: "released" });
  expect(await useOf(user)).toEqual({ used: 2, reserved: 0 });
  const next = (await call(admin, getApp, { params })).body.version;
  await call(admin, resumeApp, { params, version: next, body: { reason: "Cleared." } as never });
});

test("confirming and releasing at once settles a reservation once", async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await newSubscriber();
    const id = (await reserve({ user, feature, amount: 6 })).body.reservation?.id ?? "";
    const answers = await Promise.all([
      confirm(id, 6),
      release(id),
      confirm(id, 2),
      release(id),
      consume({ user, feature, amount: 5 }),
    ]);
    const kinds = new Set(
      answers
        .slice(0, 4)
        .flatMap(({ status, body }) => (status === 200 ? JSON.stringify(body) : [])),
    );
    expect(kinds.size).toBe(1);
    const { used = 0, reserved } = (await useOf(user)) ?? {};
    expect(reserved).toBe(0);
    expect(used).toBeLessThanOrEqual(10);
  }
});

test("the same ID of two apps is two events", async () => {
  const other = await newApp("Ledgerly");
  const calls = await newLimit(other.id, "Calls", { kind: "limit", defaultValue: 10 });
  await call(admin, activateApp, { params: { id: other.id }, version: other.version, body: {} });
  const theirs = appCallsIn(product, await keyIn(product, admin, other.id));
  const user = await newSubscriber();
  const id = randomUUID();
  expect((await consume({ user, feature, id })).body).toMatchObject({ result: "recorded" });
  expect((await theirs.consume({ user, feature: calls.code, id })).body).toMatchObject({
    result: "recorded",
  });
  expect((await theirs.consume({ user, feature, id })).status).toBe(404);
});
