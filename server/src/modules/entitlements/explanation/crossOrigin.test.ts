import { revokeAppKey } from "@purser/contract/apps/keys";
import { customerTokenHeader } from "@purser/contract/entitlements/customerTokens";
import { expect, test } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { appKeysIn } from "../testing/appKeys.testing.ts";

const product = await testProduct();
const { app: server, call, signIn, owner } = product;
const admin = await signIn("admin");
const { newApp } = catalogIn(product, admin);
const { newServerKey, newPublishableKey, newToken, withToken } = appKeysIn(product, admin);

const app = await newApp();
const other = await newApp("Other");
const listed = "https://app.example.com";
const ofOther = "https://other.example.com";
const serverKey = await newServerKey(app.id);
const page = await newPublishableKey(app.id, [listed]);
await newPublishableKey(other.id, [ofOther]);
const headers = withToken(page.headers, await newToken(serverKey.headers, "anna@example.com"));

const get = (
  origin: string | null,
  sent: Record<string, string> = headers,
  url = "/api/check/all",
) => server.inject({ url, headers: { ...sent, ...(origin !== null && { origin }) } });
const preflight = (origin: string | null, url = "/api/check/all") =>
  server.inject({
    method: "OPTIONS",
    url,
    headers: {
      ...(origin !== null && { origin }),
      "access-control-request-method": "GET",
      "access-control-request-headers": `authorization,${customerTokenHeader}`,
    },
  });
type Response = Awaited<ReturnType<typeof get>>;
const corsOf = ({ headers: sent }: Response) =>
  Object.keys(sent).filter((name) => name.startsWith("access-control-"));

const foreignOrigins = [
  "https://evil.example.com",
  "https://app.example.com.evil.example.com",
  "https://app.example.com:8443",
  "http://app.example.com",
  "https://APP.example.com",
  "https://example.com",
  "null",
  "*",
  "",
  "https://app.example.com, https://evil.example.com",
  "http://localhost:3000",
];

test("D1 a page of a listed origin can send a preflight request and read the reply", async () => {
  for (const url of ["/api/check?feature=x", "/api/check/all", "/api/calling-app"]) {
    const { statusCode, headers: sent } = await preflight(listed, url);
    expect(statusCode).toBe(204);
    expect(sent).toMatchObject({
      "access-control-allow-origin": listed,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": `authorization, content-type, if-none-match, ${customerTokenHeader}`,
      "access-control-max-age": "600",
      vary: "origin",
    });
    expect(sent["access-control-allow-credentials"]).toBeUndefined();
  }
  const reply = await get(listed);
  expect([reply.statusCode, reply.headers]).toMatchObject([
    200,
    { "access-control-allow-origin": listed, vary: "origin" },
  ]);
});

test.each(foreignOrigins)("D1 the origin %j gets no CORS headers and no answer", async (origin) => {
  for (const reply of [await preflight(origin), await get(origin)]) {
    expect([reply.statusCode, reply.headers["vary"], corsOf(reply)]).toEqual([403, "origin", []]);
    expect(reply.json()).toMatchObject({ type: "urn:purser:problem:cross_site" });
  }
});

test("D1 an origin listed only on another app's key gets no answer with this key", async () => {
  expect((await preflight(ofOther)).statusCode).toBe(204);
  const reply = await get(ofOther);
  expect([reply.statusCode, corsOf(reply)]).toEqual([403, []]);
});

test("D1 a listed page can read why its token is refused, so that it requests a new one", async () => {
  const reply = await get(listed, withToken(page.headers, "old"));
  expect([reply.statusCode, reply.headers["access-control-allow-origin"]]).toEqual([401, listed]);
});

test("D1 server keys and wrong keys get no CORS headers", async () => {
  const url = "/api/check/all?user=anna@example.com";
  const secret = await get(listed, serverKey.headers, url);
  expect([secret.statusCode, corsOf(secret), secret.headers["vary"]]).toEqual([200, [], "origin"]);
  const wrong = await get(listed, { authorization: "Bearer purser_pk_wrong" });
  expect([wrong.statusCode, corsOf(wrong)]).toEqual([401, []]);
});

test("D1 no other endpoint answers other origins", async () => {
  for (const url of ["/api/apps", "/api/customer-tokens", "/api/session", "/"])
    expect(corsOf(await preflight(listed, url)), url).toEqual([]);
  const token = await server.inject({
    method: "POST",
    url: "/api/customer-tokens",
    headers: { ...serverKey.headers, origin: listed },
    payload: { user: "anna@example.com" },
  });
  expect([token.statusCode, corsOf(token)]).toEqual([201, []]);
});

test("D1 apps without an origin, such as mobile apps, need the token all the same", async () => {
  expect((await get(null)).statusCode).toBe(200);
  expect((await get(null, page.headers)).statusCode).toBe(401);
  expect((await preflight(null)).statusCode).toBe(403);
});

test("D1 the origins of revoked and expired keys are refused immediately", async () => {
  const [revoked, expired] = ["https://revoked.example.com", "https://expired.example.com"];
  const first = await newPublishableKey(app.id, [revoked]);
  const second = await newPublishableKey(app.id, [expired]);
  expect([(await preflight(revoked)).statusCode, (await preflight(expired)).statusCode]).toEqual([
    204, 204,
  ]);
  await call(admin, revokeAppKey, { params: { id: app.id, keyId: first.id }, body: {} });
  await owner.query("update app_keys set expires_at = now() where id = $1", [second.id]);
  for (const origin of [revoked, expired]) expect((await preflight(origin)).statusCode).toBe(403);
});
