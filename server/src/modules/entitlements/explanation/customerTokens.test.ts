import { getCallingApp, revokeAppKey } from "@purser/contract/apps/keys";
import { createCustomerToken } from "@purser/contract/entitlements/customerTokens";
import { checkFeature, checkFeatures } from "@purser/contract/entitlements/explanation";
import { expect, test } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { openCustomerTokens } from "#platform/auth/customerTokens.ts";
import { testProduct } from "#testing.ts";
import { appKeysIn } from "../testing/appKeys.testing.ts";
import { grantsIn } from "../testing/testing.ts";

const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
const product = await testProduct({ clock });
const { call, signIn, platform, config } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);
const { newServerKey, newPublishableKey, newToken, withToken } = appKeysIn(product, admin);

const app = await newApp();
const seats = await newLimit(app.id, "Seats", { defaultValue: 0 });
const other = await newApp("Other");
const studio = await newPackage({ name: "Studio" });
await give(studio.id, seats, 5);
await publish(studio.id);
const server = await newServerKey(app.id);
const page = await newPublishableKey(app.id);

const newSubscriber = async () => {
  const customer = await newCustomer();
  await grantTo(customer.email, { packageId: studio.id });
  return customer;
};
const anna = await newSubscriber();

type Headers = Record<string, string>;
const check = (headers: Headers, user?: string, address?: string) =>
  call(null, checkFeature, {
    query: { ...(user !== undefined && { user }), feature: seats.code },
    headers,
    ...(address && { address }),
  });
const checkAll = (headers: Headers, user?: string) =>
  call(null, checkFeatures, { query: { ...(user !== undefined && { user }) }, headers });

const claims = (more: object = {}) => ({
  app: app.id,
  key: server.id,
  user: anna.email,
  expires: Math.floor(clock.now() / 1000) + 600,
  ...more,
});

test("D1 a publishable key answers only about the customer of its token", async () => {
  const headers = withToken(page.headers, await newToken(server.headers, anna.email));
  expect((await check(headers)).body).toMatchObject({ allowed: true, value: 5 });
  expect((await checkAll(headers)).body.items).toMatchObject([{ allowed: true, value: 5 }]);
  for (const user of [(await newSubscriber()).email, anna.id, anna.email, "unknown"])
    for (const { status, body } of [await check(headers, user), await checkAll(headers, user)])
      expect([status, body["reason"], body["errors"]]).toMatchObject([
        400,
        "check_user_refused",
        [{ in: "query", pointer: "/user" }],
      ]);
});

test("D1 a publishable key alone returns nothing about any customer", async () => {
  const replies = [
    await check(page.headers),
    await check(page.headers, anna.email),
    await check(page.headers, anna.id),
    await check(page.headers, admin.email),
    await check(page.headers, "unknown@example.com"),
    await checkAll(page.headers, anna.email),
  ];
  for (const { status, body } of replies)
    expect([status, body["reason"]]).toEqual([401, "customer_token_required"]);
  expect((await call(null, getCallingApp, { headers: page.headers })).status).toBe(200);
});

test("D1 only a server key creates tokens, for 5 to 15 minutes", async () => {
  const create = (headers: Headers, minutes?: number) =>
    call(null, createCustomerToken, {
      headers,
      body: { user: anna.id, ...(minutes && { minutes }) },
    });
  const lasting = async (minutes?: number) => {
    const { status, body } = await create(server.headers, minutes);
    return status === 201 ? Math.ceil((Date.parse(body.expiresAt) - clock.now()) / 60_000) : status;
  };
  expect(await lasting()).toBe(10);
  expect(await lasting(5)).toBe(5);
  expect(await lasting(15)).toBe(15);
  expect([await lasting(4), await lasting(16), await lasting(7.5)]).toEqual([400, 400, 400]);
  expect((await create(page.headers)).status).toBe(403);
  expect((await create(withToken(page.headers, await newToken(server.headers, "x")))).status).toBe(
    403,
  );
  expect((await create({})).status).toBe(401);
});

test("D1 a token names a customer by the app's own ID, ours or the email address", async () => {
  await product.owner.query("update users set external_id = 'U-1' where id = $1", [anna.id]);
  for (const user of ["U-1", anna.id, anna.email.toUpperCase()]) {
    const token = await newToken(server.headers, user);
    expect((await check(withToken(page.headers, token))).body.value, user).toBe(5);
  }
});

test("D1 refuses a token that has expired", async () => {
  const headers = withToken(page.headers, await newToken(server.headers, anna.id, { minutes: 5 }));
  clock.ahead = 5 * 60_000 - 2000;
  expect((await check(headers)).status).toBe(200);
  clock.ahead = 5 * 60_000;
  const { status, body } = await check(headers);
  expect([status, body["reason"]]).toEqual([401, "customer_token_expired"]);
  clock.ahead = 0;
});

test("D1 refuses altered and foreign tokens", async () => {
  const token = await newToken(server.headers, anna.id);
  const [id = "", payload = "", mac = ""] = token.slice("purser_ct_".length).split(".");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const lastTurned = `${mac.slice(0, -1)}${mac.endsWith("A") ? "B" : "A"}`;
  // The last character of a signature has unused bits, so another one can stand for the same bytes.
  const sameBytes = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
    .map((last) => `${mac.slice(0, -1)}${last}`)
    .filter(
      (one) => one !== mac && Buffer.from(one, "base64url").equals(Buffer.from(mac, "base64url")),
    );
  expect(sameBytes.length).toBeGreaterThan(0);
  const foreign = openCustomerTokens(["another secret"]).sign(claims());
  const foreignId = foreign.slice("purser_ct_".length).split(".")[0];
  const otherServer = await newServerKey(other.id);
  const bad = {
    "another payload": `purser_ct_${id}.${encode(claims())}.${mac}`,
    "another signature": `purser_ct_${id}.${payload}.${lastTurned}`,
    "the same signature in another spelling": `purser_ct_${id}.${payload}.${sameBytes[0]}`,
    "another key ID": `purser_ct_${foreignId}.${payload}.${mac}`,
    "another secret": foreign,
    "another secret under our key ID": foreign.replace(String(foreignId), id),
    "another app": await newToken(otherServer.headers, anna.id),
    "another app's key": platform.customerTokens.sign(claims({ key: otherServer.id })),
    "no signature": `purser_ct_${id}.${payload}.`,
    "an API key": server.headers.authorization.slice("Bearer ".length),
    nothing: "",
    "too long": `purser_ct_${id}.${"A".repeat(5000)}.${mac}`,
  };
  for (const [kind, one] of Object.entries(bad)) {
    const { status, body } = await check(withToken(page.headers, one));
    expect([status, body["reason"]], kind).toEqual([401, "customer_token_invalid"]);
  }
  expect((await check(withToken(page.headers, token))).status).toBe(200);
});

test("D1 accepts tokens of an older secret and signs with the newest", async () => {
  const older = openCustomerTokens(config.SECRET_KEYS).sign(claims());
  const rotated = openCustomerTokens(["new secret", ...config.SECRET_KEYS]);
  expect(rotated.verify(older, app.id, new Date(clock.now()))).toEqual(claims());
  const { status } = await check(withToken(page.headers, rotated.sign(claims())));
  expect(status).toBe(401);
});

test("T24 D1 refuses a token after its server key or the publishable key was revoked", async () => {
  const [issuing, publishable] = [await newServerKey(app.id), await newPublishableKey(app.id)];
  const headers = withToken(publishable.headers, await newToken(issuing.headers, anna.id));
  const own = withToken(publishable.headers, await newToken(server.headers, anna.id));
  const revoke = (keyId: string) =>
    call(admin, revokeAppKey, { params: { id: app.id, keyId }, body: {} });
  expect((await check(headers)).status).toBe(200);
  await revoke(issuing.id);
  expect((await check(headers)).status).toBe(401);
  expect((await check(own)).status).toBe(200);
  await revoke(publishable.id);
  expect((await check(own)).status).toBe(401);
});

const answerFor = async (user: string) => {
  const headers = withToken(page.headers, await newToken(server.headers, user));
  const replies = [
    await check(server.headers, user),
    await checkAll(server.headers, user),
    await check(headers),
    await checkAll(headers),
  ];
  // Times differ between any two requests.
  return replies.map(({ status, text }) => [
    status,
    text.replaceAll(/"asOf":"[^"]+"|"version":\d+/g, ""),
  ]);
};

test("T24 D1 answers alike about unknown people, team members and customers without grants", async () => {
  const expected = await answerFor((await newCustomer()).email);
  expect(expected.map(([status]) => status)).toEqual([200, 200, 200, 200]);
  const support = await signIn("support");
  await product.owner.query("update users set external_id = 'staff-1' where id = $1", [support.id]);
  for (const user of [
    "unknown@example.com",
    "U-404",
    crypto.randomUUID(),
    admin.email,
    admin.id,
    support.email,
    "staff-1",
  ])
    expect(await answerFor(user), user).toEqual(expected);
});

test("D1 a customer who becomes a team member is no longer found", async () => {
  const customer = await newSubscriber();
  const granted = await check(server.headers, customer.email);
  expect(granted.body.allowed).toBe(true);
  await product.owner.query("update users set role = 'viewer' where id = $1", [customer.id]);
  expect((await check(server.headers, customer.email)).body).toMatchObject({
    allowed: false,
    reason: "not included",
    grants: [],
  });
});

test("T24 D1 600 guesses of tokens end in 429, and other networks are served", async () => {
  const address = "203.0.113.9";
  const guess = (n: number) =>
    check(withToken(page.headers, `purser_ct_${n}`.padEnd(60, "A")), undefined, address);
  const replies = [];
  for (let n = 0; n < 600; n += 1) replies.push(await guess(n));
  const last = replies.at(-1);
  expect(last?.status).toBe(429);
  expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
  expect(replies.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(120);
  const headers = withToken(page.headers, await newToken(server.headers, anna.id));
  expect((await check(headers, undefined, "198.51.100.7")).status).toBe(200);
});
