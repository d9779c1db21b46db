import { randomUUID } from "node:crypto";
import { createApp, listApps } from "@purser/contract/apps/endpoints";
import { getCallingApp } from "@purser/contract/apps/keys";
import { allows, type Permission, permissionsOf, roles } from "@purser/contract/auth/permissions";
import { getSession, getSignedInUser } from "@purser/contract/auth/session";
import { endpoints } from "@purser/contract/endpoints";
import { type Endpoint, isForServiceAccounts } from "@purser/contract/http/endpoint";
import { beforeEach, expect, test } from "vitest";
import { serviceAccountsIn } from "#modules/users/testing/serviceAccounts.testing.ts";
import { newServiceSecret } from "#platform/auth/serviceKeys.ts";
import { addPerson, newAddress } from "#platform/auth/testing.ts";
import { testProduct } from "../testing.ts";

const product = await testProduct();
const { app, call, owner, signIn, startSession, platform } = product;
const boss = await signIn("owner");
const { newCaller } = serviceAccountsIn(product, boss);

// Wrong keys of one test don't limit the next one.
beforeEach(() => platform.keyLimits.settle());

const someId = "01a1dd06-0000-7000-8000-000000000000";
const params = { id: someId, keyId: someId, sessionId: someId, name: "seal-audit" };
const asked = (caller: { serviceKey: string }, endpoint: Endpoint) =>
  call(caller, endpoint, { params: params as never });

const permissionOf = ({ permission }: Endpoint) =>
  permission.includes(":") ? (permission as Permission) : null;

const table = Object.entries(endpoints);
const open = table.filter(
  ([, endpoint]) => permissionOf(endpoint) && isForServiceAccounts(endpoint),
);
const closed = table.filter(
  ([, endpoint]) => endpoint.permission !== "provider" && !isForServiceAccounts(endpoint),
);

const narrow = await newCaller();
const serviceRoles = roles.filter((role) => role !== "owner");
const byRole = Object.fromEntries(
  await Promise.all(serviceRoles.map(async (role) => [role, await newCaller({ role })] as const)),
);

test("service accounts can do what a backend needs, and nothing that belongs to a person", () => {
  const names = open.map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...["createUser", "quoteSale", "createTransaction", "startTrial", "previewChange"],
      ...["changeSubscription", "cancelSubscription", "keepSubscription", "resumeSubscription"],
    ]),
  );
  for (const [name, { permission, proof, stream }] of table)
    if (permission === "signed in" || proof === "recent" || stream)
      expect([name, names.includes(name)]).toEqual([name, false]);
});

test.each(
  open.flatMap(([name, endpoint]) => serviceRoles.map((role) => ({ name, endpoint, role }))),
)("T1 $name with a key of a $role account: as the role permits", async ({ endpoint, role }) => {
  const caller = byRole[role];
  if (!caller) throw new Error(role);
  const { status, text } = await asked(caller, endpoint);
  if (allows(role, permissionOf(endpoint) as Permission)) expect([401, 403]).not.toContain(status);
  else
    expect([status, text]).toEqual([403, expect.stringContaining("doesn't have the permission")]);
});

test.each(open)(
  "T1 %s is refused without its permission in the subset",
  async (_name, endpoint) => {
    const permission = permissionOf(endpoint) as Permission;
    if (!allows("admin", permission)) return;
    const without = permissionsOf("admin").filter((one) => one !== permission);
    await owner.query("update service_accounts set permissions = $2 where id = $1", [
      narrow.id,
      without,
    ]);
    expect((await asked(narrow, endpoint)).status).toBe(403);
    await owner.query("update service_accounts set permissions = $2 where id = $1", [
      narrow.id,
      [permission],
    ]);
    expect([401, 403]).not.toContain((await asked(narrow, endpoint)).status);
  },
);
test.each(
  closed.filter(([, { permission }]) => permission !== "anyone" && permission !== "app key"),
)("T1 %s refuses service accounts of every role", async (name, endpoint) => {
  if (name === "getSession") return;
  for (const caller of Object.values(byRole)) {
    const { status, text } = await asked(caller, endpoint);
    expect([status, text]).toEqual([403, expect.stringContaining("A team member has to do it")]);
  }
});

test("tells who calls, with the permissions of the account", async () => {
  const caller = await newCaller({
    name: "Checkout",
    role: "finance",
    permissions: ["transactions:read", "transactions:write"],
  });
  const { status, body } = await call(caller, getSession);
  expect([status, body]).toMatchObject([
    200,
    {
      id: caller.id,
      name: "Checkout",
      role: "finance",
      permissions: ["transactions:read", "transactions:write"],
      twoFactorRequirement: null,
    },
  ]);
  expect(Date.parse(body.endsAt) - Date.now()).toBeGreaterThan(364 * 86_400_000);
});

test("a key needs no cookie and no origin, and gets no cookie", async () => {
  const caller = await newCaller();
  const made = await call(caller, createApp, { body: { code: "by-key", name: "By key" } });
  expect([made.status, made.cookies]).toEqual([201, []]);
});

test.each([
  { origin: "http://localhost:3000" },
  { origin: "https://shop.example.com" },
  { "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "cross-site" },
])("T24 refuses a key in a browser: %o", async (headers) => {
  const { status, text, headers: replied } = await call(await newCaller(), listApps, { headers });
  expect([status, text]).toEqual([403, expect.stringContaining("only work on servers")]);
  expect(replied).not.toHaveProperty("access-control-allow-origin");
});

test("T24 answers no preflight request, so web pages of other origins can't send a key", async () => {
  const { statusCode, headers } = await app.inject({
    method: "OPTIONS",
    url: "/api/v1/apps",
    headers: {
      origin: "https://shop.example.com",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  });
  expect(statusCode).toBe(405);
  expect(headers).not.toHaveProperty("access-control-allow-origin");
});

test("a session doesn't help a key, and a key doesn't help a session", async () => {
  const viewer = await newCaller({ role: "viewer" });
  const body = { code: "two-callers", name: "Two callers" };
  const both = await call(viewer, createApp, { body, headers: { cookie: boss.cookie } });
  expect(both.status).toBe(403);
  const wrong = newServiceSecret().secret;
  const headers = { cookie: boss.cookie, authorization: `Bearer ${wrong}` };
  expect((await app.inject({ url: "/api/apps", headers })).statusCode).toBe(401);
});

test("a key is no session, no API key of an app, and no token of anything else", async () => {
  const { serviceKey } = await newCaller();
  const cookie = `__Host-purser=${serviceKey}`;
  expect((await call({ cookie }, getSession)).status).toBe(401);
  expect((await call({ serviceKey }, getCallingApp)).status).toBe(401);
  expect((await call({ serviceKey }, getSignedInUser)).body).toEqual({ user: null });
  const session = boss.cookie.replace("__Host-purser=", "");
  expect((await call({ serviceKey: session }, listApps)).status).toBe(401);
  expect((await call({ serviceKey: `purser_sa_${session}` }, listApps)).status).toBe(401);
});

test.each(["", "Basic ", "bearer", "Bearer  "])(
  "refuses a key after %j instead of the scheme",
  async (scheme) => {
    const { serviceKey } = await newCaller();
    const headers = { authorization: `${scheme}${serviceKey}` };
    expect((await app.inject({ url: "/api/apps", headers })).statusCode).toBe(401);
  },
);

test("pages and their data ignore keys", async () => {
  const { serviceKey } = await newCaller({ name: "Payload reader" });
  const headers = { authorization: `Bearer ${serviceKey}`, accept: "text/html" };
  for (const url of ["/apps", "/settings", "/api/events"]) {
    const { statusCode, body } = await app.inject({ url, headers });
    expect([url, statusCode === 403 || !body.includes("Payload reader")]).toEqual([url, true]);
  }
});

test("T13 the database refuses a session of a service account", async () => {
  const { id } = await newCaller();
  await expect(startSession(id)).rejects.toThrow("Service accounts can't sign in.");
});

test.each([
  ["a person", "update users set is_service = false where id = $1"],
  ["an owner", "update users set role = 'owner' where id = $1"],
  ["a customer", "update users set role = null where id = $1"],
  ["someone with an address", "update users set email = 'shop@example.com' where id = $1"],
  ["erased", "update users set status = 'erased' where id = $1"],
])("T1 the database refuses to make a service account %s", async (_what, text) => {
  const { id } = await newCaller();
  await expect(owner.query(text, [id])).rejects.toThrow(/service account/);
});

test("T1 the database refuses to make a person a service account", async () => {
  const { id } = await addPerson(product);
  await expect(
    owner.query("update users set is_service = true where id = $1", [id]),
  ).rejects.toThrow(/service account/);
});

test("T12 limits wrong keys of a network, and not the valid key of the same network", async () => {
  const caller = await newCaller();
  const address = newAddress();
  expect((await call(caller, listApps, { address })).status).toBe(200);
  const statuses = new Set<number>();
  for (let tried = 0; tried < 70; tried++)
    statuses.add(
      (await call({ serviceKey: newServiceSecret().secret }, listApps, { address })).status,
    );
  expect([...statuses]).toEqual([401, 429]);
  expect((await call(caller, listApps, { address })).status).toBe(200);
});

test("logs the account and the key of a request, and never the secret", async () => {
  const chatty = await testProduct({ environment: { LOG_LEVEL: "info" } });
  const caller = await serviceAccountsIn(chatty, await chatty.signIn("owner")).newCaller();
  await chatty.call(caller, listApps);
  const line = chatty.lines.findLast((one) => one.includes('"route":"/api/apps"')) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({ user: caller.id, key: caller.keyId });
  expect(chatty.lines.join("")).not.toContain(caller.serviceKey);
});

test("/api/v1 reaches the same endpoints as /api, and unknown ones get the API's 404", async () => {
  const { serviceKey } = await newCaller();
  const headers = { authorization: `Bearer ${serviceKey}`, "idempotency-key": randomUUID() };
  const at = async (url: string) => {
    const { statusCode, body, headers: replied } = await app.inject({ url, headers });
    return { statusCode, body, type: String(replied["content-type"]) };
  };
  expect(await at("/api/v1/apps?size=10")).toEqual(await at("/api/apps?size=10"));
  expect((await at("/api/v1/apps?size=10")).statusCode).toBe(200);
  for (const url of ["/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v1/v1/apps", "/api/v2/apps"]) {
    const { statusCode, type } = await at(url);
    expect([url, statusCode, type]).toEqual([
      url,
      404,
      expect.stringMatching(/^application\/problem\+json/),
    ]);
  }
  expect((await app.inject({ url: "/api/v1/apps" })).statusCode).toBe(401);
});
