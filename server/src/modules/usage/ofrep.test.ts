import { OFREPProvider } from "@openfeature/ofrep-provider";
import { ErrorCode, OpenFeature } from "@openfeature/server-sdk";
import { expect, test } from "vitest";
import { appKeysIn } from "#modules/entitlements/testing/appKeys.testing.ts";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { atEnd, testProduct } from "#testing.ts";
import { appCallsIn, keyIn } from "./testing/testing.ts";

const product = await testProduct();
const { app: server, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);

const app = await newApp();
const maps = await newLimit(app.id, "Maps", { kind: "switch", unit: null, defaultValue: false });
const seats = await newLimit(app.id, "Seats", { defaultValue: 0 });
const options = [
  { code: "low", name: "Low" },
  { code: "high", name: "High" },
];
const quality = await newLimit(app.id, "Quality", {
  kind: "choice",
  unit: null,
  options,
  defaultValue: "low",
});
const studio = await newPackage({ name: "Studio" });
await give(studio.id, maps, true);
await give(studio.id, seats, 5);
await give(studio.id, quality, "high");
await publish(studio.id);
const customer = await newCustomer();
await grantTo(customer.email, { packageId: studio.id });

const headers = await keyIn(product, admin, app.id);
const baseUrl = await server.listen({ port: 0, host: "127.0.0.1" });

/** The published provider, as a sold app uses it. */
const provider = new OFREPProvider({
  baseUrl,
  headers: [["Authorization", headers.authorization]],
});
await OpenFeature.setProviderAndWait(provider);
atEnd(() => OpenFeature.close());
const client = OpenFeature.getClient();
const subscriber = { targetingKey: customer.email };
const stranger = { targetingKey: "nobody@example.com" };

test("a switch is a boolean flag", async () => {
  expect(await client.getBooleanDetails(maps.code, false, subscriber)).toMatchObject({
    value: true,
    reason: "TARGETING_MATCH",
    flagMetadata: { allowed: true, reason: "granted" },
  });
  expect(await client.getBooleanDetails(maps.code, true, stranger)).toMatchObject({
    value: false,
    reason: "DISABLED",
    flagMetadata: { allowed: false, reason: "not included" },
  });
});

test("a choice is a text, a limit is what remains of it, and both have a flag for whether it is allowed", async () => {
  expect(await client.getStringValue(quality.code, "none", subscriber)).toBe("high");
  expect(await client.getStringValue(quality.code, "none", stranger)).toBe("low");
  expect(await client.getNumberValue(seats.code, -1, subscriber)).toBe(5);
  expect(await client.getNumberValue(seats.code, -1, stranger)).toBe(0);
  expect(await client.getBooleanValue(`${seats.code}.allowed`, false, subscriber)).toBe(true);
  expect(await client.getBooleanValue(`${seats.code}.allowed`, true, stranger)).toBe(false);
  await appCallsIn(product, headers).consume({
    user: customer.email,
    feature: seats.code,
    amount: 2,
  });
  expect(await client.getNumberDetails(seats.code, -1, subscriber)).toMatchObject({
    value: 3,
    flagMetadata: { limit: 5, used: 2, remaining: 3 },
  });
});

test("the provider reports what is wrong, and the default value applies", async () => {
  expect(await client.getBooleanDetails("no-such-thing", true, subscriber)).toMatchObject({
    value: true,
    errorCode: ErrorCode.FLAG_NOT_FOUND,
  });
  expect(await client.getBooleanDetails(maps.code, true, {})).toMatchObject({
    value: true,
    errorCode: ErrorCode.TARGETING_KEY_MISSING,
  });
  expect(await client.getBooleanDetails(seats.code, true, subscriber)).toMatchObject({
    value: true,
    errorCode: ErrorCode.TYPE_MISMATCH,
  });
});

const evaluate = (body: object, more: Record<string, string> = {}) =>
  server.inject({
    method: "POST",
    url: "/ofrep/v1/evaluate/flags",
    headers: { ...headers, ...more },
    payload: body,
  });

test("all flags come with an ETag, and 304 while nothing changed", async () => {
  const first = await evaluate({ context: subscriber });
  expect(first.statusCode).toBe(200);
  expect(
    first
      .json<{ flags: { key: string }[] }>()
      .flags.map(({ key }) => key)
      .toSorted(),
  ).toEqual(
    [
      maps.code,
      seats.code,
      `${seats.code}.allowed`,
      quality.code,
      `${quality.code}.allowed`,
    ].toSorted(),
  );
  const etag = String(first.headers["etag"]);
  const again = await evaluate({ context: subscriber }, { "if-none-match": etag });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  await appCallsIn(product, headers).consume({ user: customer.email, feature: seats.code });
  expect((await evaluate({ context: subscriber }, { "if-none-match": etag })).statusCode).toBe(200);
});

test("T24 requires a key, its scope and a valid context", async () => {
  expect((await evaluate({ context: subscriber }, { authorization: "Bearer no" })).statusCode).toBe(
    401,
  );
  const writing = await keyIn(product, admin, app.id, ["usage:write"]);
  expect((await evaluate({ context: subscriber }, writing)).statusCode).toBe(403);
  for (const context of [undefined, {}, { targetingKey: "" }, "me"]) {
    const refused = await evaluate({ context });
    expect([refused.statusCode, typeof refused.json<{ errorCode: string }>().errorCode]).toEqual([
      400,
      "string",
    ]);
  }
});

test("T24 with a publishable key, the customer token decides", async () => {
  const { newServerKey, newPublishableKey, newToken, withToken } = appKeysIn(product, admin);
  const own = await newServerKey(app.id);
  const { headers: publishable } = await newPublishableKey(app.id);
  const token = await newToken(own.headers, customer.email);
  const about = async (context: object, sent: Record<string, string>) => {
    const { statusCode } = await evaluate({ context }, sent);
    return statusCode;
  };
  expect(await about({}, publishable)).toBe(400);
  expect(await about({}, withToken(publishable, token))).toBe(200);
  expect(await about({ targetingKey: customer.email }, withToken(publishable, token))).toBe(200);
  expect(await about({ targetingKey: "other@example.com" }, withToken(publishable, token))).toBe(
    400,
  );
});
