import { getEntitlements } from "@purser/contract/explanation";
import {
  extendSubscription,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@purser/contract/subscriptions";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, owner } = product;
const { admin, newApp, newLimit, promote, sellPackage, saleOf, sell } = await shopIn(product);

/** Somebody who bought a package together with a feature that lasts as long as it. */
const subscribe = async () => {
  const pack = await sellPackage();
  const app = await newApp();
  const feature = await newLimit(app.id);
  for (const [table, id] of [
    ["apps", app.id],
    ["features", feature.id],
  ])
    await owner.query(`update ${table} set status = 'active', activated_at = now() where id = $1`, [
      id,
    ]);
  await promote({
    kind: "feature",
    basisPoints: null,
    featureId: feature.id,
    value: 7,
    featureDays: null,
    packageIds: [pack.id],
    stacking: "stackable",
    needsCode: false,
  });
  const { subscriptionId, user } = await sell(saleOf(pack.id));
  const params = { id: subscriptionId ?? "" };
  const read = async () => (await call(admin, getSubscription, { params })).body;
  const valueAt = async (at?: string) => {
    const query = at === undefined ? {} : { at };
    const { body } = await call(admin, getEntitlements, { params: { id: user.id }, query });
    return body.items.find((item) => item.feature.id === feature.id)?.value;
  };
  const pause = async () => {
    const { version } = await read();
    await call(admin, pauseSubscription, { params, version, body: { reason: "A rest." } });
    expect(await valueAt()).toBe(1);
  };
  return { pack, user, params, read, valueAt, pause };
};

const before = (moment: string) => new Date(Date.parse(moment) - 1000).toISOString();

test("I9 a feature that lasts as long as what was bought rests with it and comes back with it", async () => {
  const { params, read, valueAt, pause } = await subscribe();
  await pause();
  const { version } = await read();
  await call(admin, resumeSubscription, { params, version, body: {} });
  expect(await valueAt()).toBe(7);
  expect(await valueAt(before((await read()).accessUntil))).toBe(7);
});

test("I9 days that are given bring the lasting features too", async () => {
  const { params, read, valueAt } = await subscribe();
  const { version } = await read();
  const body = { days: 10, reason: "An apology." };
  expect((await call(admin, extendSubscription, { params, version, body })).status).toBe(200);
  expect(await valueAt(before((await read()).accessUntil))).toBe(7);
});

test("I9 whoever buys more while it is paused has the lasting features at once and to the end", async () => {
  const { pack, user, read, valueAt, pause } = await subscribe();
  await pause();
  await sell(saleOf(pack.id, { email: user.email, occurredAt: new Date().toISOString() }), {
    isNoDuplicate: true,
  });
  expect((await read()).status).toBe("active");
  expect(await valueAt(new Date(Date.now() + 60_000).toISOString())).toBe(7);
  expect(await valueAt(before((await read()).accessUntil))).toBe(7);
});
