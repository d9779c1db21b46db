import { createCipheriv, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { listApps } from "@purser/contract/apps/endpoints";
import { getCallingApp } from "@purser/contract/apps/keys";
import { roles } from "@purser/contract/auth/permissions";
import { getSession } from "@purser/contract/auth/session";
import { signInWithCode } from "@purser/contract/auth/signIn";
import { confirmTotp, startTotp } from "@purser/contract/auth/twoFactor";
import { endpoints } from "@purser/contract/endpoints";
import { createCustomerToken } from "@purser/contract/entitlements/customerTokens";
import { checkFeature } from "@purser/contract/entitlements/explanation";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { newKeySecret } from "#platform/auth/apiKeys.ts";
import { hashPassword } from "#platform/auth/passwords/passwords.ts";
import { derive } from "#platform/auth/secrets.ts";
import {
  attemptSignIn,
  codeAt,
  confirmPassword,
  cookieOf,
  newAddress,
  password,
} from "#platform/auth/testing.ts";
import { migrate } from "#platform/db/migrate.ts";
import { readMigrations } from "#platform/db/migrations/files.ts";
import { testProduct } from "./testing.ts";

// An installation of 0.5.0 as it was: no two-factor authentication, no approvals, publishable keys without origins and
// one secret key. Then the update, and everyone goes on working.

// 0.5.0 ends with 0024. The next one only adds the table of backfills, which the runner reads.
const lastOf050 = "0025_backfills";
const secretKey = randomBytes(32).toString("base64");
const url = new URL(inject("databaseServer"));
url.pathname = `/purser_upgrade_${randomBytes(6).toString("hex")}`;

const migrations = await readMigrations();
await migrate(url.href, { migrations: migrations.filter(({ name }) => name <= lastOf050) });
const owner = new pg.Pool({ connectionString: url.href, max: 2 });

/** As 0.5.0 encrypted secrets: without the key's ID and the row. */
const sealed = (value: string) => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derive(secretKey, "purser sealed value", 32), nonce);
  const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
};

const hash = await hashPassword(password);
const addMember = async (role: string) => {
  const email = `${randomUUID()}@example.com`;
  const { rows } = await owner.query(
    "insert into users (email, name, role, status) values ($1, $2, $2, 'active') returning id",
    [email, role],
  );
  const { id } = rows[0];
  await owner.query("insert into passwords values ($1, $2, now())", [id, hash]);
  return { id: id as string, email };
};
const team = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, await addMember(role)] as const)),
);
const withPasskey = await addMember("viewer");
await owner.query(
  `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
   values ($1, 'Key', $2, '', 0, '{}', now())`,
  [withPasskey.id, randomUUID()],
);
const withCode = await addMember("admin");
const totpSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
await owner.query("insert into authenticators (id, secret, confirmed_at) values ($1, $2, now())", [
  withCode.id,
  sealed(totpSecret),
]);

const sold = await owner.query(
  "insert into apps (code, name, status, activated_at) values ('harbor', 'Harbor', 'active', now()) returning id",
);
const appId = sold.rows[0].id;
await owner.query(
  `insert into features (app_id, code, name, kind, combining, options, default_value, status, activated_at,
     enforcement, fallback)
   values ($1, 'seats', 'Seats', 'limit', 'sum', '[]', '3', 'active', now(), 'hard', 'allow')`,
  [appId],
);
const addKey = async (kind: "server" | "publishable") => {
  const { secret, prefix, secretHash } = newKeySecret(kind);
  await owner.query(
    `insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
     values ($1, 'Key', $2, '{entitlements:read}', $3, $4, now())`,
    [appId, kind, prefix, secretHash],
  );
  return { authorization: `Bearer ${secret}` };
};
const [serverKey, pageKey] = [await addKey("server"), await addKey("publishable")];

await migrate(url.href);
const product = await testProduct({
  environment: { DATABASE_URL: url.href, SECRET_KEYS: "", SECRET_KEY: secretKey },
});
const { call } = product;

afterAll(async () => {
  await owner.end();
  const admin = new pg.Client({ connectionString: inject("databaseServer") });
  await admin.connect();
  await admin.query(`drop database if exists ${url.pathname.slice(1)} with (force)`);
  await admin.end();
});

const enter = async ({ email }: { email: string }) => {
  const entered = await attemptSignIn(product, { email });
  expect(entered.status, entered.text).toBe(200);
  return { cookie: cookieOf(entered), entered };
};

test.each(roles)("R6 D7 a %s of 0.5.0 signs in with the password and can work", async (role) => {
  const { cookie, entered } = await enter(team[role] ?? { email: "" });
  expect(entered.body).toMatchObject({
    state: "signed in",
    me: { role, twoFactor: false, twoFactorRequirement: null, passkeyRequiredFrom: null },
  });
  expect((await call({ cookie }, listApps)).status).toBe(200);
});

test("R6 D7 an authenticator app of 0.5.0 still works, encrypted with SECRET_KEY", async () => {
  const { entered } = await enter(withCode);
  expect(entered.body.state).toBe("second factor");
  const { challenge = "" } = entered.body as { challenge?: string };
  const body = { challenge, code: codeAt(totpSecret, Date.now()) };
  const done = await call(null, signInWithCode, { body, address: newAddress() });
  expect(done.status, done.text).toBe(200);
});

test("R6 D7 a user with a passkey is told from when the password alone isn't enough", async () => {
  const { entered } = await enter(withPasskey);
  const { me } = entered.body as unknown as { me: { passkeyRequiredFrom: string } };
  const days = (Date.parse(me.passkeyRequiredFrom) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(13.9);
  expect(days).toBeLessThanOrEqual(14);
});

test("R6 D7 an owner can require two-factor authentication, and everyone is led through the setup", async () => {
  const boss = await enter(team["owner"] ?? { email: "" });
  await confirmPassword(product, boss);
  const { version, updatedAt: _, ...details } = (await call(boss, getSettings)).body;
  expect(details).toMatchObject({ approvalRules: ["grant"], twoFactorRoles: [], waitingHours: 48 });
  const body = { ...details, twoFactorRoles: [...roles], twoFactorGraceDays: 0 };
  const saved = await call(boss, changeSettings, { version, body });
  expect(saved.status, saved.text).toBe(200);

  const person = await enter(team["viewer"] ?? { email: "" });
  expect((await call(person, listApps)).body["type"]).toBe(
    "urn:purser:problem:two_factor_required",
  );
  const me = (await call(person, getSession)).body;
  expect(me.twoFactorRequirement).toMatchObject({ isDue: true });
  await confirmPassword(product, person);
  const { secret } = (await call(person, startTotp, { body: {} })).body;
  const code = codeAt(secret, Date.now());
  const confirmed = await call(person, confirmTotp, { body: { code } });
  expect(confirmed.status, confirmed.text).toBe(200);
  expect((await call(person, listApps)).status).toBe(200);
  await owner.query("update settings set second_factor_roles = '{}'");
});

test("R6 D1 a server key still answers, and a publishable key only with a token", async () => {
  const check = (headers: Record<string, string>, user?: string) =>
    call(null, checkFeature, { query: { feature: "seats", ...(user && { user }) }, headers });
  expect((await check(serverKey, "nobody@example.com")).body).toMatchObject({ value: 3 });
  expect((await check(pageKey, "nobody@example.com")).body["reason"]).toBe("origin_not_listed");
  // Apps on phones and desktops send no origin.
  const withoutOrigin = async (headers: Record<string, string>) =>
    product.app.inject({ url: "/api/check?feature=seats", headers });
  expect((await withoutOrigin(pageKey)).json().reason).toBe("customer_token_required");
  const made = await call(null, createCustomerToken, {
    headers: serverKey,
    body: { user: "nobody@example.com" },
  });
  const answer = await withoutOrigin({ ...pageKey, "purser-customer-token": made.body.token });
  expect(answer.json()).toMatchObject({ value: 3 });
  expect((await call(null, getCallingApp, { headers: serverKey })).status).toBe(200);
});

test("R6 no read of an owner fails after the update", async () => {
  const { cookie } = await enter(team["owner"] ?? { email: "" });
  const params = {
    id: appId,
    keyId: appId,
    sessionId: appId,
    noteId: appId,
    exportId: appId,
    number: 1,
    form: "x",
  };
  const reads = Object.entries(endpoints as Record<string, Endpoint>).filter(
    ([, { method, stream, permission }]) => method === "GET" && !stream && permission !== "app key",
  );
  expect(reads.length).toBeGreaterThan(50);
  const failed: unknown[] = [];
  for (const [name, endpoint] of reads) {
    const { status, text } = await call({ cookie }, endpoint, { params: params as never });
    if (status >= 500) failed.push([name, status, text]);
  }
  expect(failed).toEqual([]);
});

test("R6 the changelog says what changes for existing installations", () => {
  const text = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  const [unreleased = ""] = text.split(/^## 0\.5\.0/m);
  for (const said of [
    "Existing installations keep their setting",
    "14 days after the update",
    "Existing publishable keys have none after the update",
    "`SECRET_KEY` still works",
    "The new rule for grants is on",
    "Purser doesn't start if the login",
  ])
    expect(unreleased).toContain(said);
});
