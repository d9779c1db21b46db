import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createAppKey, revokeAppKey } from "@purser/contract/apps/keys";
import {
  checkFeature,
  checkFeatures,
  checkQuestions,
} from "@purser/contract/entitlements/explanation";
import { consumeUsage } from "@purser/contract/usage/endpoints";
import { afterAll, expect, test, vi } from "vitest";
import { compose } from "#compose.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { grantsIn } from "../testing/testing.ts";

/** A connection to PostgreSQL that a test can cut, like a network that fails. */
const cuttable = async (url: string) => {
  const target = new URL(url);
  const own = new URL(url);
  const sockets = new Set<Socket>();
  const state = { isCut: false };
  const server = createServer((from) => {
    if (state.isCut) return from.destroy();
    const to = connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
    return from;
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  afterAll(() => void server.close());
  own.hostname = "127.0.0.1";
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    cut: () => {
      state.isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      state.isCut = false;
    },
  };
};

// Starts at the real time, because the database has its own clock.
const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
const line: { current?: Awaited<ReturnType<typeof cuttable>> } = {};
const product = await testProduct({
  clock,
  environment: async (databaseUrl) => {
    line.current = await cuttable(databaseUrl);
    return { CHECK_CACHE_MS: "1000", DATABASE_URL: line.current.url };
  },
});
const { call, owner, signIn, config } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);

const app = await newApp();
const seats = await newLimit(app.id, "Seats", { defaultValue: 0 });
const strictApp = await newApp();
const signing = await newLimit(strictApp.id, "Signing", { defaultValue: 0, fallback: "deny" });
const notes = await newLimit(strictApp.id, "Notes", { defaultValue: 0 });
const studio = await newPackage({ name: "Studio" });
await give(studio.id, seats, 5);
await give(studio.id, signing, 5);
await give(studio.id, notes, 5);
await publish(studio.id);

const newKey = async (appId = app.id) => {
  const body = {
    name: "Server",
    kind: "server" as const,
    scopes: ["entitlements:read" as const, "usage:write" as const],
  };
  const made = await call(admin, createAppKey, { params: { id: appId }, body });
  return { id: made.body.id, headers: { authorization: `Bearer ${made.body.secret}` } };
};
const { headers } = await newKey();
const strictKey = await newKey(strictApp.id);

const subscribed = async () => {
  const customer = await newCustomer();
  await grantTo(customer.email, { packageId: studio.id });
  return customer;
};

const check = (
  user: string,
  { feature = seats.code, ...more }: { feature?: string; headers?: Record<string, string> } = {},
) =>
  call(null, checkFeature, {
    query: { user, feature },
    headers: { ...headers, ...more.headers },
  });

const suspend = (id: string) =>
  owner.query("update users set status = 'suspended' where id = $1", [id]);

test("I11 answers from memory for less than a second", async () => {
  const { id, email } = await subscribed();
  const before = (await check(email)).body;
  expect(before).toMatchObject({ allowed: true, isStale: false, maxAgeSeconds: 4 });
  await suspend(id);
  expect((await check(email)).body).toEqual(before);
  expect((await check(email)).body.version).toBe(before.version);
  clock.ahead += 1000;
  expect((await check(email)).body).toMatchObject({
    allowed: false,
    reason: "customer suspended",
  });
});

test("a change on the same instance is answered at once", async () => {
  const { email } = await newCustomer();
  expect((await check(email)).body).toMatchObject({ allowed: false, reason: "not included" });
  await grantTo(email, { packageId: studio.id });
  expect((await check(email)).body).toMatchObject({ allowed: true, reason: "granted" });
  const use = { id: crypto.randomUUID(), user: email, feature: seats.code, amount: 3 };
  await call(null, consumeUsage, { headers, body: use });
  expect((await check(email)).body).toMatchObject({ used: 3, remaining: 2 });
});

test("I11 a change on another instance is answered within a second, and at once with its version", async () => {
  const other = await compose(config, { name: "other", works: false, clock });
  const served = await other.serve();
  try {
    const { email } = await newCustomer();
    const url = `/api/check?user=${email}&feature=${seats.code}`;
    const ask = async (more = "") => (await served.inject({ url: url + more, headers })).json();
    expect(await ask()).toMatchObject({ allowed: false });
    const granted = await grantTo(email, { packageId: studio.id });
    const version = Number(granted.headers["purser-version"]);
    expect(version).toBeGreaterThan(0);
    expect(await ask(`&minVersion=${version}`)).toMatchObject({ allowed: true });
    clock.ahead += 1000;
    expect(await ask()).toMatchObject({ allowed: true });
  } finally {
    await served.close();
    await other.close();
  }
});

test("I11 a flag is no older than the version in its context", async () => {
  const other = await compose(config, { name: "other", works: false, clock });
  const served = await other.serve();
  try {
    const { email: targetingKey } = await newCustomer();
    const ask = async (path: string, context: object = {}) =>
      (
        await served.inject({
          method: "POST",
          url: `/ofrep/v1/evaluate/flags${path}`,
          headers,
          payload: { context: { targetingKey, ...context } },
        })
      ).json();
    const one = `/${seats.code}.allowed`;
    expect(await ask(one)).toMatchObject({ value: false });
    expect((await ask("")).flags[1]).toMatchObject({ value: false });
    const granted = await grantTo(targetingKey, { packageId: studio.id });
    const purserVersion = Number(granted.headers["purser-version"]);
    expect(await ask(one)).toMatchObject({ value: false });
    expect(await ask(one, { purserVersion })).toMatchObject({ value: true });
    expect((await ask("", { purserVersion })).flags[1]).toMatchObject({ value: true });
    expect(await ask(one, { purserVersion: "new" })).toMatchObject({
      errorCode: "INVALID_CONTEXT",
    });
  } finally {
    await served.close();
    await other.close();
  }
});

test("a grant that ends within the second ends in time", async () => {
  const { email } = await newCustomer();
  const endsAt = new Date(clock.now() + 2500);
  await grantTo(email, { packageId: studio.id }, { endsAt: endsAt.toISOString() });
  const first = (await check(email)).body;
  expect(first).toMatchObject({ allowed: true });
  expect(first.maxAgeSeconds).toBeLessThan(3);
  clock.ahead += endsAt.getTime() - 100 - clock.now();
  expect((await check(email)).body).toMatchObject({ allowed: true, maxAgeSeconds: 0 });
  clock.ahead += 200;
  expect((await check(email)).body).toMatchObject({ allowed: false, reason: "expired" });
});

test("a revoked key is refused from the next request on", async () => {
  const { email } = await subscribed();
  const key = await newKey();
  expect((await check(email, { headers: key.headers })).status).toBe(200);
  await call(admin, revokeAppKey, { params: { id: app.id, keyId: key.id }, body: {} });
  expect((await check(email, { headers: key.headers })).status).toBe(401);
});

test("an unchanged answer has the same ETag, whenever it is read", async () => {
  const { email } = await subscribed();
  const first = await check(email);
  clock.ahead += 2000;
  const again = await check(email, { headers: { "if-none-match": String(first.headers.etag) } });
  expect(again.status).toBe(304);
  expect(again.text).toBe("");
  await call(null, consumeUsage, {
    headers,
    body: { id: crypto.randomUUID(), user: email, feature: seats.code, amount: 1 },
  });
  const changed = await check(email, { headers: { "if-none-match": String(first.headers.etag) } });
  expect(changed.status).toBe(200);
});

test("answers questions about many customers with few statements", async () => {
  const [one, two] = [await subscribed(), await newCustomer()];
  const asked = [
    { user: one.email, feature: seats.code, amount: 6 },
    { user: two.email, feature: seats.code },
    { user: "nobody", feature: seats.code },
    { user: one.email, feature: "missing" },
  ];
  const { body } = await call(null, checkQuestions, { headers, body: { questions: asked } });
  expect(body.items.map(({ answer }) => answer.reason)).toEqual([
    "amount exceeds remaining",
    "not included",
    "not included",
    "unknown feature",
  ]);
  expect(body.items[3]).toMatchObject({
    user: one.email,
    feature: "missing",
    answer: { feature: { code: "missing", kind: null }, allowed: false, staleIfErrorSeconds: 0 },
  });
});

/** Until the connections that were cut are replaced. */
const untilReached = (user: string, feature = seats.code, key = headers) =>
  vi.waitFor(async () => {
    clock.ahead += 2000;
    expect((await check(user, { feature, headers: key })).body).toMatchObject({
      allowed: true,
      isStale: false,
    });
  });

test("with a read-only database, checks answer as usual, and usage with 503", async () => {
  const { email } = await subscribed();
  const { rows } = await owner.query("select current_database() as name");
  await owner.query(`alter database "${rows[0].name}" set default_transaction_read_only = on`);
  // The setting is for new connections.
  line.current?.cut();
  line.current?.mend();
  await untilReached(email);
  const ready = await product.app.inject({ url: "/readyz" });
  expect([ready.statusCode, ready.json()]).toEqual([
    200,
    { status: "degraded", database: "read only", migrations: "ok", redis: "ok" },
  ]);
  const use = { id: crypto.randomUUID(), user: email, feature: seats.code };
  const refused = await call(null, consumeUsage, { headers, body: use });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  await owner.query(`alter database "${rows[0].name}" reset default_transaction_read_only`);
  line.current?.cut();
  line.current?.mend();
});

test("I11 without the database, a feature that denies is never answered from memory once it isn't fresh", async () => {
  const { email: user } = await subscribed();
  const { headers } = strictKey;
  const one = (feature: string) => call(null, checkFeature, { query: { user, feature }, headers });
  const many = (features: string[]) =>
    call(null, checkQuestions, {
      headers,
      body: { questions: features.map((feature) => ({ user, feature })) },
    });
  const all = () => call(null, checkFeatures, { query: { user }, headers });
  const flags = (place = "") =>
    product.app.inject({
      method: "POST",
      url: `/ofrep/v1/evaluate/flags${place}`,
      headers,
      payload: { context: { targetingKey: user } },
    });
  const askAll = async () => ({
    one: (await one(signing.code)).status,
    many: (await many([notes.code, signing.code])).status,
    all: (await all()).status,
    flag: (await flags(`/${signing.code}`)).statusCode,
    flags: (await flags()).statusCode,
  });
  await untilReached(user, signing.code, headers);
  await one(notes.code);
  expect(await askAll()).toEqual({ one: 200, many: 200, all: 200, flag: 200, flags: 200 });
  line.current?.cut();
  try {
    clock.ahead += 2000;
    expect(await askAll()).toEqual({ one: 503, many: 503, all: 503, flag: 503, flags: 503 });
    for (const refused of [await one(signing.code), await many([signing.code]), await all()])
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number((await flags()).headers["retry-after"])).toBeGreaterThan(0);
    expect((await one(notes.code)).body).toMatchObject({ allowed: true, isStale: true });
    expect((await many([notes.code])).status).toBe(200);
  } finally {
    line.current?.mend();
  }
  await untilReached(user, signing.code, headers);
});

test("without the database, checks answer for an hour from memory and say so, and everything else with 503", async () => {
  const known = await subscribed();
  await untilReached(known.email);
  const all = () => call(null, checkFeatures, { query: { user: known.email }, headers });
  await check(known.email);
  await all();
  clock.ahead += 5000;
  line.current?.cut();
  try {
    expect((await check(known.email)).body).toMatchObject({ allowed: true, isStale: true });
    expect((await all()).body.items).toMatchObject([{ allowed: true, isStale: true }]);
    const unknown = await check("nobody-asked-before@example.com");
    expect(unknown.status).toBe(503);
    expect(Number(unknown.headers["retry-after"])).toBeGreaterThan(0);
    const use = { id: crypto.randomUUID(), user: known.email, feature: seats.code };
    expect((await call(null, consumeUsage, { headers, body: use })).status).toBe(503);
    const ready = await product.app.inject({ url: "/readyz" });
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { status: "degraded", database: "unreachable", migrations: "unknown", redis: "ok" },
    ]);
    clock.ahead += 3_590_000;
    const last = (await check(known.email)).body;
    expect(last).toMatchObject({ allowed: true, isStale: true });
    // What is left of the hour, so that no app starts it again.
    expect(last.staleIfErrorSeconds).toBeLessThan(10);
    expect(last.staleIfErrorSeconds).toBeGreaterThan(0);
    clock.ahead += 10_000;
    expect((await check(known.email)).status).toBe(503);
    const empty = await product.app.inject({ url: "/readyz" });
    expect([empty.statusCode, empty.json().status]).toEqual([503, "not ready"]);
  } finally {
    line.current?.mend();
  }
  await untilReached(known.email);
});
