import { createApp } from "@purser/contract/apps/endpoints";
import { createAppKey, getCallingApp, revokeAppKey } from "@purser/contract/apps/keys";
import { allows, roles } from "@purser/contract/auth/permissions";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { expect, test, vi } from "vitest";
import { patiently } from "#patience.testing.ts";
import { testProduct } from "../../testing.ts";

const { app, call, signIn, owner } = await testProduct();
const people = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, await signIn(role)] as const)),
);
const someId = "01a1dd06-0000-7000-8000-000000000000";
const params = {
  id: someId,
  keyId: someId,
  sessionId: someId,
  name: "seal-audit",
  externalId: "ada",
};
const table = Object.entries(endpoints);

const guarded = table.filter(
  ([, { permission }]) => permission !== "anyone" && permission !== "provider",
);

const asked = (person: { cookie: string } | null, endpoint: Endpoint) =>
  call(person, endpoint, { params: params as never });

test("serves every endpoint of the table", () => {
  const missing = table.filter(
    ([, { method, path: url }]) => !app.hasRoute({ method, url: `/api${url}` }),
  );
  expect(missing).toEqual([]);
});

test.each(guarded)("%s answers 401 without a session", async (_name, endpoint) => {
  expect((await asked(null, endpoint)).status).toBe(401);
  expect((await asked({ cookie: "__Host-purser=made-up" }, endpoint)).status).toBe(401);
});

const byRole = guarded.flatMap(([name, endpoint]) => {
  const { permission } = endpoint;
  if (permission === "anyone" || permission === "provider") return [];
  if (permission === "signed in" || permission === "app key") return [];
  return roles.map((role) => ({ name, role, endpoint, allowed: allows(role, permission) }));
});

test.each(byRole)("T1 $name by $role: allowed $allowed", async ({ role, endpoint, allowed }) => {
  const person = people[role] ?? null;
  const { status } = await asked(person, endpoint);
  if (allowed) expect([401, 403]).not.toContain(status);
  else expect(status).toBe(403);
});

test("refuses to register a route without a permission", async () => {
  const fresh = await testProduct();
  expect(fresh.app.hasRoute({ method: "GET", url: "/open" })).toBe(false);
  const { createServer } = await import("./server.ts");
  const server = await createServer(fresh.platform, fresh.app.openApprovalGate);
  expect(() => server.get("/open", async () => "everything")).toThrow("has no permission");
  await server.close();
});

test("refuses the next request of a demoted user, and the one after signing in again", async () => {
  const person = await signIn("admin");
  const body = { code: "before", name: "Before" };
  expect((await call(person, createApp, { body })).status).toBe(201);
  await owner.query("update users set role = 'viewer' where id = $1", [person.id]);
  const next = { code: "after", name: "After" };
  expect((await call(person, createApp, { body: next })).status).toBe(401);
});

test("accepts an API key only for the endpoints of sold apps, until it is revoked or expires", async () => {
  const admin = await signIn("admin");
  const { id } = (await call(admin, createApp, { body: { code: "keyed", name: "Keyed" } })).body;
  const made = await call(admin, createAppKey, {
    params: { id },
    body: { name: "Server", kind: "server", scopes: ["entitlements:read", "usage:write"] },
  });
  const headers = { authorization: `Bearer ${made.body.secret}` };
  const answer = await call(null, getCallingApp, { headers });
  expect(answer.body).toMatchObject({ app: { code: "keyed" }, key: { id: made.body.id } });
  expect((await app.inject({ url: "/api/apps", headers })).statusCode).toBe(401);

  const readKey = async () =>
    (
      await owner.query("select last_used_at, secret_hash from app_keys where id = $1", [
        made.body.id,
      ])
    ).rows[0];
  // The reply doesn't wait for it.
  await vi.waitFor(async () => expect((await readKey()).last_used_at).not.toBeNull(), {
    timeout: patiently(5000),
  });
  expect((await readKey()).secret_hash.toString()).not.toContain(made.body.secret);

  await call(admin, revokeAppKey, { params: { id, keyId: made.body.id }, body: {} });
  expect((await call(null, getCallingApp, { headers })).status).toBe(401);
});
