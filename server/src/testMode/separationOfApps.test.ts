import { randomUUID } from "node:crypto";
import { createAppKey } from "@purser/contract/apps/keys";
import { keyScopes } from "@purser/contract/auth/keyScopes";
import { endpoints } from "@purser/contract/endpoints";
import { createCustomerToken } from "@purser/contract/entitlements/customerTokens";
import { checkFeature } from "@purser/contract/entitlements/explanation";
import { getSnapshot } from "@purser/contract/entitlements/snapshots";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { consumeUsage, reserveUsage } from "@purser/contract/usage/endpoints";
import { Redis } from "ioredis";
import { expect, onTestFinished, test, vi } from "vitest";
import { grantsIn } from "../modules/entitlements/testing/testing.ts";
import { catalogIn } from "../modules/packages/testing/testing.ts";
import { patiently } from "../patience.testing.ts";
import type { TestProduct } from "../testing.ts";
import { bothModes } from "./bothModes.testing.ts";
import { askFor, marksOf, without } from "./separation.testing.ts";

// With the memory of checks, which each mode must have for itself.
const {
  live,
  test: testMode,
  listen,
} = await bothModes({ environment: { CHECK_CACHE_MS: "1000" } });
const admin = await live.signIn("owner");
await testMode.platform.testMode?.copies.refresh();

const [appCode, featureCode, externalId] = ["harbor", "exports", "customer-1"];

/** The same app, feature and customer by their codes, with another limit. */
const sellIn = async (product: TestProduct, limit: number) => {
  const { call, owner } = product;
  const { newLimit, newPackage, give, publish, ...catalog } = catalogIn(product, admin as never);
  const app = await catalog.newApp();
  await owner.query("update apps set code = $2 where id = $1", [app.id, appCode]);
  const metered = { kind: "metered", reset: "month", combining: "sum", defaultValue: 0 };
  const feature = await newLimit(app.id, "Exports", { ...metered, code: featureCode });
  const pack = await newPackage();
  await give(pack.id, feature, limit);
  await publish(pack.id);
  const { newCustomer, grantTo } = grantsIn(product, admin as never);
  const customer = await newCustomer();
  await owner.query("update users set external_id = $2 where id = $1", [customer.id, externalId]);
  const grant = async () => {
    const granted = await grantTo(customer.email, { packageId: pack.id });
    expect(granted.status, granted.text).toBe(201);
  };
  await grant();
  const body = { name: "Key", kind: "server" as const, scopes: [...keyScopes] };
  const made = await call(admin, createAppKey, { params: { id: app.id }, body });
  expect(made.status, made.text).toBe(201);
  const headers = { authorization: `Bearer ${made.body.secret}` };
  const reserve = async () => {
    const body = { id: randomUUID(), user: customer.id, feature: featureCode, amount: 1 };
    const reserved = await call(null, reserveUsage, { body, headers });
    expect(reserved.status, reserved.text).toBe(200);
    return reserved.body.reservation?.id ?? "";
  };
  const records = {
    user: customer.id,
    email: customer.email,
    confirmed: await reserve(),
    released: await reserve(),
  };
  return { product, app, customer, headers, limit, grant, records, secret: made.body.secret };
};
const [liveShop, testShop] = [await sellIn(live, 50), await sellIn(testMode, 70)];

const [liveMarks, testMarks] = [await marksOf(live.owner), await marksOf(testMode.owner)];
const cases = [
  {
    name: "live",
    own: liveShop,
    other: testShop,
    base: "",
    api: "/api/v1",
    foreign: without(testMarks, liveMarks),
    refusal: "This is a test key.",
  },
  {
    name: "test mode",
    own: testShop,
    other: liveShop,
    base: "/test",
    api: "/api/test/v1",
    foreign: without(liveMarks, testMarks),
    refusal: "This is a live key.",
  },
];

type Records = (typeof liveShop)["records"];
type Given = { path?: string; query?: object; body?: object };

const ofKeys = Object.entries<Endpoint>(endpoints).filter(
  ([, { permission, keyScope, stream }]) =>
    !stream && (permission === "app key" || keyScope !== undefined),
);

const used = ({ user }: Records) => ({ id: randomUUID(), user, feature: featureCode });

/** What each call names of a customer. */
const calls: Record<string, (records: Records) => Given> = {
  checkFeature: ({ user }) => ({ query: { user, feature: featureCode } }),
  checkFeatures: ({ user }) => ({ query: { user } }),
  checkQuestions: ({ user }) => ({ body: { questions: [{ user, feature: featureCode }] } }),
  confirmReservation: ({ confirmed }) => ({ path: confirmed, body: {} }),
  consumeUsage: (records) => ({ body: used(records) }),
  createCustomerToken: ({ user }) => ({ body: { user } }),
  getCallingApp: () => ({}),
  getCustomer: ({ user }) => ({ path: user }),
  getSnapshot: ({ user }) => ({ query: { user } }),
  recordUsage: (records) => ({ body: { events: [used(records)] } }),
  releaseReservation: ({ released }) => ({ path: released, body: {} }),
  reserveUsage: (records) => ({ body: { ...used(records), amount: 1, seconds: 60 } }),
  upsertCustomer: ({ user, email }) => ({ path: `${user}-copy`, body: { email: `x-${email}` } }),
};

// They sign what they are asked about, so their answers are read below.
const signing = new Set(["createCustomerToken", "getSnapshot"]);

const urlOf = (api: string, { path }: Endpoint, { path: named = "", query = {} }: Given) => {
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return `${api}${path.replace(/:\w+/, named)}${search && `?${search}`}`;
};

const sentTo = (api: string, name: string, records: Records) => {
  const endpoint = (endpoints as Record<string, Endpoint>)[name] as Endpoint;
  const given = calls[name]?.(records) ?? {};
  return {
    method: endpoint.method,
    url: urlOf(api, endpoint, given),
    ...(given.body && { payload: given.body }),
  };
};

test("every endpoint of apps is asked", () => {
  expect(ofKeys.map(([name]) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
});

test.each(cases)(
  "apps of $name find no customer of the other mode, and its keys are refused by name",
  async ({ own, other, api, foreign, refusal }) => {
    const { app } = own.product;
    const faults: string[] = [];
    const unanswered: string[] = [];
    for (const [name] of ofKeys) {
      const sent = sentTo(api, name, own.records);
      const refused = await app.inject({ ...sent, headers: other.headers });
      expect([name, refused.statusCode, refused.body]).toEqual([
        name,
        401,
        expect.stringContaining(refusal),
      ]);
      const { headers } = own;
      const asked = await askFor({ app, headers, foreign }, sent);
      if (asked.statusCode >= 300) unanswered.push(`${name}: ${asked.body}`);
      faults.push(...asked.faults);
      if (signing.has(name)) continue;
      const ofOther = await askFor({ app, headers, foreign }, sentTo(api, name, other.records));
      faults.push(...ofOther.faults);
    }
    expect(faults).toEqual([]);
    expect(unanswered).toEqual([]);
  },
);

const check = async ({ product, headers }: typeof liveShop) => {
  const query = { user: externalId, feature: featureCode };
  return (await product.call(null, checkFeature, { query, headers })).body;
};

test("the same app, feature, customer and event are counted and remembered in each mode for itself", async () => {
  const id = randomUUID();
  const before = [await check(liveShop), await check(testShop)];
  expect(before).toMatchObject([{ limit: 50 }, { limit: 70 }]);
  for (const [{ product, headers }, amount, place] of [
    [liveShop, 2, 0],
    [testShop, 3, 1],
  ] as const) {
    const body = { id, user: externalId, feature: featureCode, amount };
    const consumed = await product.call(null, consumeUsage, { body, headers });
    expect([consumed.status, consumed.body]).toMatchObject([
      200,
      { result: "recorded", used: Number(before[place]?.used) + amount },
    ]);
  }
  await testShop.grant();
  await vi.waitFor(async () => expect((await check(testShop)).limit).toBe(140), {
    timeout: patiently(5000),
  });
  expect(await check(liveShop)).toMatchObject({ limit: 50 });
});

const snapshotOf = async ({ product, headers }: typeof liveShop, base: string) => {
  const got = await product.call(null, getSnapshot, { query: { user: externalId }, headers });
  expect(got.status, got.text).toBe(200);
  const [header = "", payload = ""] = String(got.body.token).split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { keys } = (await product.app.inject(`${base}/.well-known/jwks.json`)).json();
  return {
    signedWith: read(header).kid,
    content: JSON.stringify(read(payload)),
    keys: keys.map(({ kid }: { kid: string }) => kid),
  };
};

test("snapshots are signed with the keys of their mode, which the other one doesn't list", async () => {
  const signers: string[] = [];
  for (const { own, base, foreign } of cases) {
    const { signedWith, keys, content } = await snapshotOf(own, base);
    expect(keys).toEqual([signedWith]);
    expect([...foreign].filter((mark) => content.includes(mark))).toEqual([]);
    signers.push(signedWith);
  }
  expect(new Set(signers).size).toBe(2);
});

test.each(cases)(
  "a customer token of the other mode is refused in $name",
  async ({ own, other }) => {
    const newPublishable = async ({ product, app }: typeof own) => {
      const body = {
        name: "Page",
        kind: "publishable" as const,
        scopes: ["entitlements:read" as const],
        origins: [product.config.PUBLIC_URL],
      };
      const made = await product.call(admin, createAppKey, { params: { id: app.id }, body });
      return { authorization: `Bearer ${made.body.secret}` };
    };
    const page = await newPublishable(own);
    const tokenOf = async ({ product, headers }: typeof own) =>
      (await product.call(null, createCustomerToken, { body: { user: externalId }, headers })).body
        .token;
    const ask = (token: string) =>
      own.product.call(null, checkFeature, {
        query: { feature: featureCode },
        headers: { ...page, "purser-customer-token": token },
      });
    expect((await ask(await tokenOf(own))).status).toBe(200);
    expect((await ask(await tokenOf(other))).status).toBe(401);
  },
);

/** Follows a stream, and collects its text. */
const follow = async (url: string, headers: Record<string, string>) => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { body, status } = await fetch(url, { headers, signal: stop.signal });
  expect([url, status]).toEqual([url, 200]);
  const heard = { text: "" };
  const read = async () => {
    for await (const part of body ?? []) heard.text += Buffer.from(part).toString();
  };
  read().catch(() => undefined);
  return heard;
};

test("streams of a mode say nothing about changes in the other", async () => {
  await live.app.ready();
  const origin = await listen();
  const { cookie } = admin;
  const followIn = async ({ headers }: typeof liveShop, api: string) => [
    await follow(`${origin}${api}/events`, { cookie }),
    await follow(`${origin}${api}/v1/changes`, headers),
  ];
  const ofLive = await followIn(liveShop, "/api");
  const ofTest = await followIn(testShop, "/api/test");
  const all = [...ofLive, ...ofTest];
  const soon = { timeout: patiently(5000) };
  await vi.waitFor(() => {
    for (const { text } of all) expect(text).toContain(": connected");
  }, soon);
  // Each stream first hears of the other mode's change if it hears of it at all, and then of its own.
  for (const [shop, heard, silent] of [
    [liveShop, ofLive, ofTest],
    [testShop, ofTest, ofLive],
  ] as const) {
    const before = silent.map(({ text }) => text);
    await shop.grant();
    await vi.waitFor(() => {
      for (const { text } of heard) expect(text).toContain(shop.customer.id);
    }, soon);
    expect(silent.map(({ text }) => text)).toEqual(before);
  }
  for (const { text } of ofLive) expect(text).not.toContain(testShop.customer.id);
  for (const { text } of ofTest) expect(text).not.toContain(liveShop.customer.id);
});

test("Redis has counts of each mode under its own keys", async () => {
  const { REDIS_PREFIX: prefix, REDIS_URL: url } = live.config;
  const redis = new Redis(url);
  onTestFinished(() => redis.disconnect());
  const counted = async ({ platform }: TestProduct) => {
    await platform.keyLimits.settle();
    const keys = await redis.keys(`${platform.redisPrefix}*`);
    const counts = await Promise.all(
      keys.filter((key) => key.includes(":requests:")).map((key) => redis.hvals(key)),
    );
    return counts.flat().reduce((sum, count) => sum + Number(count), 0);
  };
  const before = [await counted(live), await counted(testMode)];
  for (let n = 0; n < 3; n += 1) await check(testShop);
  await check(liveShop);
  expect([await counted(live), await counted(testMode)]).toEqual([
    Number(before[0]) + 1,
    Number(before[1]) + 3,
  ]);
  const own = [live, testMode].map(({ platform }) => platform.redisPrefix);
  const keys = await redis.keys(`${prefix}*`);
  expect(keys.filter((key) => !own.some((start) => key.startsWith(start)))).toEqual([]);
});
