import { expect, test } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { explanationsIn, type LimitFeature } from "../testing/explanations.testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { owner, signIn } = product;
const admin = await signIn("admin", "Ines Okonjo");
const viewer = await signIn("viewer");
const { newApp, newLimit, packageGiving } = catalogIn(product, admin);
const { newCustomer, insertGrant } = grantsIn(product, admin);
const { itemOf } = explanationsIn(product, viewer);

const dayMs = 86_400_000;

const app = await newApp();
const seats = await newLimit(app.id);
const storage = await newLimit(app.id, "Storage", { combining: "sum", defaultValue: 0 });
const studio = await packageGiving("Studio", [
  [seats, 5],
  [storage, 100],
]);
const extra = await packageGiving("Extra", [
  [seats, 3],
  [storage, 50],
]);

test("says until when a value lasts: the largest until its last grant ends, a sum until its first", async () => {
  const { id } = await newCustomer();
  await insertGrant(id, studio, [-9, 30]);
  await insertGrant(id, extra, [-2, 20]);
  const endOf = async (feature: LimitFeature) =>
    Math.round((Date.parse((await itemOf(id, feature)).until?.at ?? "") - Date.now()) / dayMs);
  expect(await endOf(seats)).toBe(30);
  expect(await endOf(storage)).toBe(20);
});

const today = Date.now();
const onDay = (day: number) => new Date(today + day * dayMs);

/** A subscription to Studio. The end of its period is in days from today. */
const subscribe = async (userId: string, periodEnds: number, status = "active") => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into subscriptions (user_id, package_id, version_id, status, period_start, period_end, access_until)
     select $1, $2, id, $3, $4, $5, $6 from package_versions where package_id = $2 and state = 'on sale' returning id`,
    [userId, studio, status, ...[-30, 0, 7].map((days) => onDay(periodEnds + days))],
  );
  return rows[0]?.id ?? "";
};

/** A grant of a subscription, which may belong to another customer. The days are relative to today. */
const insertPaidGrant = (
  userId: string,
  subscriptionId: string,
  [from, to]: [number, number],
  sourceId = "test",
) =>
  owner.query(
    `insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at,
       promised_until)
     select $1, package_id, version_id, id, 'transaction', $3, $4, $5, $5 from subscriptions where id = $2`,
    [userId, subscriptionId, sourceId, onDay(from), onDay(to)],
  );

/** A grant of nine of a feature, with or without an end. The days are relative to today. */
const insertNine = (userId: string, feature: LimitFeature, from: number, to?: number) =>
  owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, starts_at, ends_at)
     values ($1, $2, '9', 'import', 'test', $3, coalesce($4::timestamptz, 'infinity'))`,
    [userId, feature.id, onDay(from), to === undefined ? null : onDay(to)],
  );

/** In how many days a value changes, and whether it renews then. */
const untilOf = async (id: string, feature: LimitFeature, day?: number) => {
  const { until } = await itemOf(id, feature, day === undefined ? day : onDay(day).toISOString());
  return until && [(Date.parse(until.at) - today) / dayMs, until.isRenewal];
};

test("a renewal is shown only if it is after the requested moment", async () => {
  const { id } = await newCustomer();
  await insertPaidGrant(id, await subscribe(id, 30), [-1, 37]);
  expect(await untilOf(id, seats)).toEqual([30, true]);
  expect(await untilOf(id, seats, 33)).toEqual([37, false]);
});

test("a past due subscription ends with its grace period and doesn't renew", async () => {
  const { id } = await newCustomer();
  await insertPaidGrant(id, await subscribe(id, -2, "past due"), [-32, 5]);
  expect(await untilOf(id, seats)).toEqual([5, false]);
  expect((await itemOf(id, seats)).lines).toMatchObject([{ isApplied: true, renewsAt: null }]);
});

test("a grant from another customer's subscription ends and doesn't renew", async () => {
  const [giver, receiver] = [await newCustomer(), await newCustomer()];
  await insertPaidGrant(receiver.id, await subscribe(giver.id, 30), [-1, 37]);
  expect(await untilOf(receiver.id, seats)).toEqual([37, false]);
  expect((await itemOf(receiver.id, seats)).lines).toMatchObject([{ renewsAt: null }]);
});

test("a value lasts through consecutive grants of the same value, and changes with a larger one", async () => {
  const { id } = await newCustomer();
  const subscriptionId = await subscribe(id, 60);
  await insertPaidGrant(id, subscriptionId, [-1, 30]);
  await insertPaidGrant(id, subscriptionId, [30, 67]);
  expect(await untilOf(id, seats)).toEqual([60, true]);
  expect(await untilOf(id, storage)).toEqual([60, true]);
  await insertNine(id, seats, 40);
  expect(await untilOf(id, seats)).toEqual([40, false]);
  expect(await untilOf(id, seats, 50)).toBeNull();
});

test("a sum changes if not all of its grants renew", async () => {
  const { id } = await newCustomer();
  await insertPaidGrant(id, await subscribe(id, 30), [-1, 37]);
  await insertNine(id, storage, -1, 37);
  expect(await untilOf(id, storage)).toEqual([37, false]);
});

test("time resumed after a pause is explained by the payment before it", async () => {
  const { id } = await newCustomer();
  const subscriptionId = await subscribe(id, 25);
  const pay = async (day: number) => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into transactions (kind, state, user_id, subscription_id, currency, subtotal, total, provider,
         occurred_at, settled_at, period_start, period_end)
       values ('renewal', 'succeeded', $1, $2, 'EUR', 1200, 1200, 'renewal', $3, $3, $3, $4) returning id`,
      [id, subscriptionId, onDay(day), onDay(day + 30)],
    );
    return rows[0]?.id ?? "";
  };
  const [first, second] = [await pay(-40), await pay(-5)];
  await insertPaidGrant(id, subscriptionId, [-40, -30], first);
  await insertPaidGrant(id, subscriptionId, [-25, -5], `resumed ${subscriptionId}`);
  await insertPaidGrant(id, subscriptionId, [-5, 32], second);
  const { lines } = await itemOf(id, seats);
  expect(lines.map(({ cause }) => cause)).toMatchObject([
    { kind: "transaction", id: second },
    { kind: "transaction", id: first },
    { kind: "transaction", id: first },
  ]);
});
