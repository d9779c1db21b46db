import { getCallingApp, revokeAppKey } from "@purser/contract/apps/keys";
import { expect, test } from "vitest";
import { compose } from "#compose.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { keyLimits, openKeyLimits } from "#platform/auth/keyLimits.ts";
import { testProduct } from "#testing.ts";
import { appKeysIn } from "../testing/appKeys.testing.ts";

// At the start of a minute, so that no test runs into the next one.
const clock = { at: 1_800_000_000_000, now: () => clock.at };
const nextMinute = () => {
  clock.at += 60_000;
};
const product = await testProduct({ clock });
const { call, signIn, platform } = product;
const admin = await signIn("admin");
const { newApp } = catalogIn(product, admin);
const { newServerKey, newPublishableKey } = appKeysIn(product, admin);
const app = await newApp();

const callWith = (secret: string, address: string) =>
  call(null, getCallingApp, { headers: { authorization: `Bearer ${secret}` }, address });
const repeated = async (times: number, one: (n: number) => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await one(n)).status);
  return statuses;
};
const secretOf = ({ headers }: { headers: { authorization: string } }) =>
  headers.authorization.slice("Bearer ".length);

test("T24 D1 600 guesses of keys from one network end in 429 until the next minute", async () => {
  const guess = (n: number) => callWith(`purser_sk_${n}`, "203.0.113.1");
  const statuses = await repeated(600, guess);
  expect(statuses.slice(0, keyLimits.refused)).toEqual(Array(keyLimits.refused).fill(401));
  expect(new Set(statuses.slice(keyLimits.refused))).toEqual(new Set([429]));
  const refused = await guess(601);
  expect(refused.headers["retry-after"]).toBe("60");
  expect((await callWith("purser_sk_x", "203.0.113.2")).status).toBe(401);
  nextMinute();
  expect((await guess(602)).status).toBe(401);
});

test("D1 600 guesses at once end in 429 too", async () => {
  nextMinute();
  const replies = await Promise.all(
    Array.from({ length: 600 }, (_, n) => callWith(`purser_sk_p${n}`, "203.0.113.3")),
  );
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(keyLimits.refused);
  expect((await callWith("purser_sk_more", "203.0.113.3")).status).toBe(429);
});

test("D1 many first requests with a valid key at once are all accepted", async () => {
  nextMinute();
  const key = await newServerKey(app.id);
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => callWith(secretOf(key), "203.0.113.4")),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test("D1 addresses of one IPv6 network are limited together", async () => {
  nextMinute();
  const statuses = await repeated(100, (n) =>
    callWith(`purser_sk_v6${n}`, `2001:db8:1:2::${n + 1}`),
  );
  expect(statuses.at(-1)).toBe(429);
});

test("D1 a revoked key that many networks still send is limited without being looked up", async () => {
  nextMinute();
  const key = await newServerKey(app.id);
  await call(admin, revokeAppKey, { params: { id: app.id, keyId: key.id }, body: {} });
  const statuses = await repeated(100, (n) => callWith(secretOf(key), `198.51.100.${n}`));
  expect(statuses.filter((status) => status === 401)).toHaveLength(keyLimits.wrongKey);
  expect(statuses.at(-1)).toBe(429);
});

test("D1 wrong keys of a network don't lock out a key that it uses", async () => {
  nextMinute();
  const key = await newServerKey(app.id);
  const address = "203.0.113.5";
  expect((await callWith(secretOf(key), address)).status).toBe(200);
  await repeated(100, (n) => callWith(`purser_sk_other${n}`, address));
  expect((await callWith(secretOf(key), address)).status).toBe(200);
  nextMinute();
  await repeated(100, (n) => callWith(`purser_sk_again${n}`, address));
  expect((await callWith(secretOf(key), address)).status).toBe(200);
});

test("D1 a revoked key is refused at once, also if it was accepted before", async () => {
  nextMinute();
  const key = await newServerKey(app.id);
  expect((await callWith(secretOf(key), "203.0.113.6")).status).toBe(200);
  await call(admin, revokeAppKey, { params: { id: app.id, keyId: key.id }, body: {} });
  const statuses = await repeated(keyLimits.wrongKey + 1, () =>
    callWith(secretOf(key), "203.0.113.6"),
  );
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([401]));
  expect(statuses.at(-1)).toBe(429);
});

test("D1 requests with a publishable key are limited by network, and preflight requests with them", async () => {
  nextMinute();
  const key = await newPublishableKey(app.id);
  const address = "203.0.113.7";
  const statuses = await repeated(keyLimits.network + 1, () => callWith(secretOf(key), address));
  expect(statuses.at(-2)).toBe(200);
  expect(statuses.at(-1)).toBe(429);
  const preflight = await product.app.inject({
    method: "OPTIONS",
    url: "/api/check",
    headers: { origin: product.config.PUBLIC_URL },
    remoteAddress: address,
  });
  expect(preflight.statusCode).toBe(429);
  expect((await callWith(secretOf(key), "203.0.113.8")).status).toBe(200);
  const server = await newServerKey(app.id);
  expect((await callWith(secretOf(server), address)).status).toBe(200);
});

const now = () => new Date(clock.at);
const limitsWith = (redis = platform.announcements.redis) =>
  openKeyLimits({ redis, prefix: platform.redisPrefix, now });
const callerOf = (network: string) => ({ hash: `hash of ${network}`, network });

test.each(["server", "publishable"] as const)("D1 a %s key has its own limit", (kind) => {
  nextMinute();
  const limits = limitsWith();
  // From many networks, which have limits of their own.
  const count = (n: number) => limits.countKey({ hash: kind, network: `network ${n}` }, kind);
  for (let n = 0; n < keyLimits[kind]; n += 1) count(n);
  expect(() => count(0)).toThrow("Too many requests with this API key. Try again in 60 seconds.");
  nextMinute();
  expect(() => count(0)).not.toThrow();
  limits.close();
});

test("D1 instances share their counts with one exchange, and a request waits for none", async () => {
  nextMinute();
  const [one, other] = [limitsWith(), limitsWith()];
  const caller = callerOf("shared");
  const half = keyLimits.wrongKey / 2;
  for (let n = 0; n < half; n += 1) {
    one.countWrongKey(caller);
    other.countWrongKey(caller);
  }
  expect(() => one.assertMayTry(caller)).not.toThrow();
  await one.settle();
  await other.settle();
  expect(() => other.assertMayTry(caller)).toThrow("Too many requests");
  // The first one learns the sum with its next exchange, which its next request leads to.
  one.countWrongKey(caller);
  await one.settle();
  expect(() => one.assertMayTry(caller)).toThrow("Too many requests");
  one.close();
  other.close();
});

test("D1 lost Redis data doesn't reset what an instance counted itself", async () => {
  nextMinute();
  const limits = limitsWith();
  const caller = callerOf("flushed");
  for (let n = 0; n < keyLimits.wrongKey; n += 1) limits.countWrongKey(caller);
  await limits.settle();
  const { redis } = platform.announcements;
  const keys = await redis.keys(`${platform.redisPrefix}requests:*`);
  expect(keys.length).toBeGreaterThan(0);
  await redis.del(keys);
  limits.countWrongKey(callerOf("another"));
  await limits.settle();
  expect(() => limits.assertMayTry(caller)).toThrow("Too many requests");
  limits.close();
});

test("D1 limits apply without Redis", async () => {
  const alone = await testProduct({ clock, environment: { REDIS_URL: "redis://127.0.0.1:1/0" } });
  const guess = (n: number) =>
    alone.call(null, getCallingApp, { headers: { authorization: `Bearer purser_sk_${n}` } });
  const statuses = await repeated(keyLimits.refused + 1, guess);
  await alone.platform.keyLimits.settle();
  expect(statuses.at(-1)).toBe(429);
  expect((await guess(-1)).status).toBe(429);
});

test("D1 a second instance refuses what the first one limited", async () => {
  nextMinute();
  const second = await compose(product.config, { name: "second", works: false, clock });
  const server = await second.serve();
  await repeated(keyLimits.refused, (n) => callWith(`purser_sk_two${n}`, "203.0.113.20"));
  await platform.keyLimits.settle();
  const guess = () =>
    server.inject({
      url: "/api/calling-app",
      headers: { authorization: "Bearer purser_sk_last" },
      remoteAddress: "203.0.113.20",
    });
  expect((await guess()).statusCode).toBe(401);
  await second.platform.keyLimits.settle();
  expect((await guess()).statusCode).toBe(429);
  await server.close();
  await second.close();
});
