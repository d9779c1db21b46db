import { listApps } from "@purser/contract/apps/endpoints";
import {
  changeServiceAccount,
  createServiceAccount,
  createServiceKey,
  listServiceAccounts,
  restoreServiceAccount,
  revokeServiceKey,
  rotateServiceKey,
  suspendServiceAccount,
  validKeysMax,
} from "@purser/contract/users/serviceAccounts";
import { expect, test, vi } from "vitest";
import { hour, movableClock } from "#platform/auth/testing.ts";
import { testProduct } from "../../../testing.ts";
import { serviceAccountsIn } from "../testing/serviceAccounts.testing.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, owner, signIn, startSession } = product;
const boss = await signIn("owner", "Olga");
const { newAccount, newKey, newCaller, read } = serviceAccountsIn(product, boss);

type Key = { serviceKey: string };

const statusWith = async (key: Key) => (await call(key, listApps)).status;

const entriesOf = async (id: string) =>
  (
    await owner.query(
      "select entity, action, actor_name, before, after from audit_entries where record_id = $1 order by id",
      [id],
    )
  ).rows;

test("shows a key once, stores it hashed, and records its last use", async () => {
  const { id } = await newAccount();
  const { serviceKey, ...shown } = await newKey(id);
  expect(serviceKey).toMatch(/^purser_sa_[\w-]{43}$/);
  expect(serviceKey.startsWith(shown.prefix)).toBe(true);
  expect((await read(id)).keys).toEqual([shown]);
  expect(await statusWith({ serviceKey })).toBe(200);
  // Written beside the request.
  await vi.waitFor(async () => expect((await read(id)).keys[0]?.lastUsedAt).not.toBeNull());
  const { text } = await call(boss, listServiceAccounts);
  const { rows } = await owner.query("select k::text as row from service_keys k");
  for (const stored of [text, JSON.stringify(rows), JSON.stringify(await entriesOf(shown.id))])
    expect(stored).not.toContain(serviceKey.slice(shown.prefix.length));
});

test("T24 refuses a revoked key at the next request", async () => {
  const { id, serviceKey, keyId } = await newCaller();
  expect(await statusWith({ serviceKey })).toBe(200);
  const params = { id, keyId };
  const revoked = await call(boss, revokeServiceKey, { params, body: {} });
  expect(revoked.status, revoked.text).toBe(200);
  expect(await statusWith({ serviceKey })).toBe(401);
  expect((await call(boss, revokeServiceKey, { params, body: {} })).status).toBe(409);
  expect((await call(boss, rotateServiceKey, { params, body: {} })).status).toBe(409);
});

test("T24 refuses an expired key, after a year unless another time was chosen", async () => {
  const { id } = await newAccount();
  const [long, short] = [
    await newKey(id),
    (await call(boss, createServiceKey, { params: { id }, body: { name: "CI", days: 1 } })).body,
  ];
  expect(Date.parse(long.expiresAt) - clock.now()).toBe(365 * 24 * hour * 1000);
  expect(await statusWith({ serviceKey: short.secret })).toBe(200);
  await owner.query("update service_keys set expires_at = $2 where id = $1", [
    short.id,
    new Date(clock.now()),
  ]);
  expect(await statusWith({ serviceKey: short.secret })).toBe(401);
  expect(await statusWith(long)).toBe(200);
});

test("T24 a suspension refuses all keys at once, and reactivating accepts them again", async () => {
  const { id, serviceKey, version } = await newCaller();
  const second = await newKey(id);
  const suspended = await call(boss, suspendServiceAccount, { params: { id }, version, body: {} });
  expect([suspended.status, suspended.body.status]).toEqual([200, "suspended"]);
  expect([await statusWith({ serviceKey }), await statusWith(second)]).toEqual([401, 401]);
  const key = await call(boss, createServiceKey, { params: { id }, body: { name: "More" } });
  expect(key.status).toBe(409);
  const restored = await call(boss, restoreServiceAccount, {
    params: { id },
    version: suspended.body.version,
    body: {},
  });
  expect(restored.status, restored.text).toBe(200);
  expect(await statusWith({ serviceKey })).toBe(200);
});

test("T24 fewer permissions and another role apply to the next request", async () => {
  const { id, serviceKey, version } = await newCaller();
  const change = async (body: object, seen: number) => {
    const saved = await call(boss, changeServiceAccount, {
      params: { id },
      version: seen,
      body: { name: "Shop backend", role: "admin", ...body } as never,
    });
    expect(saved.status, saved.text).toBe(200);
    return saved.body.version;
  };
  expect(await statusWith({ serviceKey })).toBe(200);
  const next = await change({ permissions: ["users:read"] }, version);
  expect(next).toBeGreaterThan(version);
  expect(await statusWith({ serviceKey })).toBe(403);
  const last = await change({ role: "viewer", permissions: null }, next);
  expect(await statusWith({ serviceKey })).toBe(200);
  const stale = await call(boss, changeServiceAccount, {
    params: { id },
    version: next,
    body: { name: "Late", role: "viewer" },
  });
  expect([stale.status, (await read(id)).version]).toEqual([412, last]);
});

test("rotating a key keeps the replaced one for the chosen time only", async () => {
  const { id, serviceKey, keyId } = await newCaller();
  const rotate = (rotated: string, overlapHours: number) =>
    call(boss, rotateServiceKey, { params: { id, keyId: rotated }, body: { overlapHours } });
  const next = await rotate(keyId, 2);
  expect(next.status, next.text).toBe(201);
  expect(next.body.name).toBe("Production");
  const successor = { serviceKey: next.body.secret };
  expect([await statusWith({ serviceKey }), await statusWith(successor)]).toEqual([200, 200]);
  clock.forward(2 * hour + 1);
  const later = { cookie: await startSession(boss.id) };
  expect([await statusWith({ serviceKey }), await statusWith(successor)]).toEqual([401, 200]);
  const params = { id, keyId: next.body.id };
  const last = await call(later, rotateServiceKey, { params, body: { overlapHours: 0 } });
  expect([await statusWith(successor), await statusWith({ serviceKey: last.body.secret })]).toEqual(
    [401, 200],
  );
  boss.cookie = later.cookie;
});

test("rotating never extends a key, and doesn't exceed the number of valid keys", async () => {
  const { id, keyId } = await newCaller();
  const soon = new Date(clock.now() + 60_000);
  await owner.query("update service_keys set expires_at = $2 where id = $1", [keyId, soon]);
  const rotated = await call(boss, rotateServiceKey, {
    params: { id, keyId },
    body: { overlapHours: 24 },
  });
  expect(rotated.status).toBe(201);
  const ended = (await read(id)).keys.find((key) => key.id === keyId);
  expect(ended?.expiresAt).toBe(soon.toISOString());
  for (let count = 2; count < validKeysMax; count++) await newKey(id);
  const body = { name: "One more" };
  expect((await call(boss, createServiceKey, { params: { id }, body })).status).toBe(409);
  const params = { id, keyId: rotated.body.id };
  expect((await call(boss, rotateServiceKey, { params, body: {} })).status).toBe(409);
  const atOnce = await call(boss, rotateServiceKey, { params, body: { overlapHours: 0 } });
  expect(atOnce.status, atOnce.text).toBe(201);
});

test("many new keys at once don't exceed the number of valid keys", async () => {
  const { id } = await newAccount();
  const answers = await Promise.all(
    Array.from({ length: validKeysMax + 3 }, (_, place) =>
      call(boss, createServiceKey, { params: { id }, body: { name: `Key ${place}` } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(validKeysMax);
});

test("T1 an account never has the owner role, or permissions that its role lacks", async () => {
  const create = (body: object) => call(boss, createServiceAccount, { body: body as never });
  const refused = [
    [await create({ name: "Root", role: "owner" }), "/role"],
    [
      await create({ name: "Shop", role: "viewer", permissions: ["apps:read", "users:write"] }),
      "/permissions/1",
    ],
    [await create({ name: "Shop", role: "admin", permissions: ["team:write"] }), "/permissions/0"],
    [await create({ name: "Shop", role: "admin", permissions: ["all"] }), "/permissions/0"],
    [await create({ name: "Shop", role: "admin", permissions: [] }), "/permissions"],
  ] as const;
  for (const [{ status, body }, pointer] of refused)
    expect([status, body["errors"]]).toMatchObject([400, [{ pointer }]]);
});

test("T1 only owners and admins manage accounts, and only with a recent proof if it gives power", async () => {
  const body = { name: "Shop", role: "viewer" as const };
  for (const role of ["catalog", "finance", "support", "viewer"] as const) {
    const person = await signIn(role);
    expect((await call(person, createServiceAccount, { body })).status).toBe(403);
    expect((await call(person, listServiceAccounts)).status).toBe(403);
  }
  const { id, keyId, version } = await newCaller();
  const stale = await signIn("admin", "Ada", "stale");
  const params = { id, keyId };
  const answers = [
    await call(stale, createServiceAccount, { body }),
    await call(stale, changeServiceAccount, { params: { id }, version, body }),
    await call(stale, createServiceKey, { params: { id }, body: { name: "Key" } }),
    await call(stale, rotateServiceKey, { params, body: {} }),
  ];
  for (const answer of answers)
    expect(answer.body["type"]).toBe("urn:purser:problem:proof_required");
  // Stopping a leaked key must not wait.
  expect((await call(stale, revokeServiceKey, { params, body: {} })).status).toBe(200);
});

test("audits accounts and keys without their secret", async () => {
  const { id, keyId } = await newCaller({ name: "Audited", permissions: ["users:read"] });
  expect(await entriesOf(id)).toMatchObject([
    { entity: "users", action: "insert", actor_name: "Olga", after: { is_service: true } },
    { entity: "service_accounts", action: "insert", after: { permissions: ["users:read"] } },
  ]);
  const [entry] = await entriesOf(keyId);
  expect(entry).toMatchObject({ entity: "service_keys", after: { account_id: id } });
  expect(entry.after).not.toHaveProperty("secret_hash");
});
