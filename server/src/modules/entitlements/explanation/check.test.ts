import { createAppKey } from "@purser/contract/apps/keys";
import { checkFeature, checkFeatures, testCheck } from "@purser/contract/entitlements/explanation";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);

const app = await newApp();
const seats = await newLimit(app.id, "Seats", { defaultValue: 0 });
const desks = await newLimit(app.id, "Desks", { defaultValue: 0 });
const other = await newApp("Ledgerly");
const books = await newLimit(other.id, "Books");
const studio = await newPackage({ name: "Studio" });
await give(studio.id, seats, 5);
await give(studio.id, books, 3);
await publish(studio.id);

const keyOf = async (appId: string, scopes: ("entitlements:read" | "usage:write")[]) => {
  const body = { name: "Server", kind: "server" as const, scopes };
  const made = await call(admin, createAppKey, { params: { id: appId }, body });
  return { authorization: `Bearer ${made.body.secret}` };
};
const headers = await keyOf(app.id, ["entitlements:read"]);

const check = (user: string, feature: string, more: object = {}) =>
  call(null, checkFeature, { query: { user, feature }, headers, ...more });

test("an app can identify a customer by its own ID, ours or the email address", async () => {
  const { id, email } = await newCustomer();
  const { body: given } = await grantTo(email, { packageId: studio.id });
  await owner.query("update users set external_id = 'U-77' where id = $1", [id]);
  const expected = {
    feature: { code: seats.code, kind: "limit" },
    allowed: true,
    reason: "granted",
    value: 5,
    limit: 5,
    used: 0,
    remaining: 5,
    resetsAt: null,
    grants: [{ id: given.id, source: "manual", package: "Studio", value: 5, endsAt: null }],
    enforcement: "hard",
    fallback: "last known",
    maxAgeSeconds: 4,
    staleIfErrorSeconds: 3600,
    version: expect.any(Number),
    isStale: false,
    asOf: expect.any(String),
  };
  for (const user of ["U-77", id, email, email.toUpperCase()])
    expect((await check(user, seats.code)).body, user).toEqual(expected);
});

/** The names of the statements about entitlements that are sent meanwhile. */
const statementsOf = async (work: () => Promise<unknown>) => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = sent.mock.calls.map(([asked]) =>
    String(typeof asked === "string" ? asked : (asked as unknown as pg.QueryConfig).text),
  );
  sent.mockRestore();
  return texts.flatMap((text) => /^\/\* (entitlements\.\w+) /.exec(text)?.[1] ?? []);
};

test("P7 a check is answered with one statement, and why there is no access with a second one", async () => {
  const { email } = await newCustomer();
  await grantTo(email, { packageId: studio.id });
  const one = "entitlements.findOne";
  expect(await statementsOf(() => check(email, seats.code))).toEqual([one]);
  for (const user of [email, "nobody"])
    expect(await statementsOf(() => check(user, desks.code))).toEqual([
      one,
      "entitlements.findLastGrants",
    ]);
});

test("returns all features of the app, and none of another app", async () => {
  const { email } = await newCustomer();
  await grantTo(email, { packageId: studio.id });
  const { body } = await call(null, checkFeatures, { query: { user: email }, headers });
  expect(body.items.map(({ feature, allowed, reason }) => [feature.code, allowed, reason])).toEqual(
    [
      [seats.code, true, "granted"],
      [desks.code, false, "not included"],
    ],
  );
});

test("returns the same 404 for another app's feature and an unknown feature, for every customer", async () => {
  const { email } = await newCustomer();
  await grantTo(email, { packageId: studio.id });
  const strip = ({ status, body }: Awaited<ReturnType<typeof check>>) => [status, body["detail"]];
  const unknown = strip(await check(email, "no-such-thing"));
  expect(unknown[0]).toBe(404);
  expect(strip(await check(email, books.code))).toEqual(unknown);
  expect(strip(await check("nobody@example.com", books.code))).toEqual(unknown);
  expect(strip(await check("nobody@example.com", "no-such-thing"))).toEqual(unknown);
});

test("T24 returns the default values for an unknown customer, and requires one with a server key", async () => {
  const free = await newLimit(app.id, "Free", { defaultValue: 3 });
  expect((await check("nobody@example.com", free.code)).body).toEqual({
    feature: { code: free.code, kind: "limit" },
    allowed: true,
    reason: "default",
    value: 3,
    limit: 3,
    used: 0,
    remaining: 3,
    resetsAt: null,
    grants: [],
    enforcement: "hard",
    fallback: "last known",
    maxAgeSeconds: 4,
    staleIfErrorSeconds: 3600,
    version: expect.any(Number),
    isStale: false,
    asOf: expect.any(String),
  });
  const unnamed = await call(null, checkFeature, { query: { feature: seats.code }, headers });
  expect([unnamed.status, unnamed.body["errors"]]).toMatchObject([
    400,
    [{ in: "query", pointer: "/user", code: "check_user_required" }],
  ]);
});

test("refuses a check without a key or the scope", async () => {
  const { email } = await newCustomer();
  const writing = await keyOf(app.id, ["usage:write"]);
  expect((await check(email, seats.code, { headers: writing })).status).toBe(403);
  expect((await check(email, seats.code, { headers: {} })).status).toBe(401);
});

test("denies a suspended customer and a draft app, with the reason", async () => {
  const { id, email } = await newCustomer();
  await grantTo(email, { packageId: studio.id });
  await owner.query("update users set status = 'suspended' where id = $1", [id]);
  expect((await check(email, seats.code)).body).toMatchObject({
    allowed: false,
    reason: "customer suspended",
    value: null,
    grants: [],
  });
  const draft = await newApp("Draft");
  const drafted = await newLimit(draft.id);
  const later = await newCustomer();
  const ofDraft = { headers: await keyOf(draft.id, ["entitlements:read"]) };
  expect((await check(later.email, drafted.code, ofDraft)).body).toMatchObject({
    allowed: false,
    reason: "app inactive",
  });
});

test("a test check shows the app's answer and the command for it", async () => {
  const { id, email } = await newCustomer();
  await grantTo(email, { packageId: studio.id });
  const { body } = await call(viewer, testCheck, {
    params: { id },
    query: { app: app.id, feature: seats.code },
  });
  const { body: answer } = await check(email, seats.code);
  expect({ ...body.answer, asOf: null, version: 0 }).toEqual({ ...answer, asOf: null, version: 0 });
  expect(body.command).toBe(
    `curl -H "Authorization: Bearer $PURSER_KEY" "http://localhost:3000/api/check?user=${id}&feature=${seats.code}"`,
  );
  const foreign = { params: { id }, query: { app: other.id, feature: seats.code } };
  expect((await call(viewer, testCheck, foreign)).status).toBe(404);
});
