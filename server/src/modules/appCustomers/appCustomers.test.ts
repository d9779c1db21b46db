import { randomUUID } from "node:crypto";
import { getCustomer, upsertCustomer } from "@purser/contract/users/appCustomers";
import { createUser, getUser, suspendUser } from "@purser/contract/users/endpoints";
import { mergeUsers } from "@purser/contract/users/merge";
import { eraseCustomer } from "@purser/contract/users/privacy";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { keyIn } from "../usage/testing/testing.ts";
import { serviceAccountsIn } from "../users/testing/serviceAccounts.testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const { admin, newApp, newLimit, saleOf, sell } = await shopIn(product);
const { newCaller } = serviceAccountsIn(product, admin);
const backend = await newCaller();
const activate = (id: string) =>
  owner.query("update apps set status = 'active', activated_at = now() where id = $1", [id]);
const harbor = await newApp("Harbor");
await activate(harbor.id);
const headers = await keyIn(product, admin, harbor.id, ["customers:read", "customers:write"]);

type Details = { email: string; name?: string; country?: string | null; locale?: string | null };

const newEmail = () => `${randomUUID()}@example.com`;
const newId = () => `user-${randomUUID()}`;

const put = (externalId: string, body: Details, by = headers) =>
  call(null, upsertCustomer, { params: { externalId }, body, headers: by });
const read = (externalId: string, app?: string) =>
  call(null, getCustomer, { params: { externalId }, query: app ? { app } : {}, headers });
const readAsBackend = (externalId: string, query: { app?: string } = {}) =>
  call(backend, getCustomer, { params: { externalId }, query });

const entriesOf = async (id: string) =>
  (
    await owner.query(
      `select action, actor_kind as kind, actor_id as actor from audit_entries
       where entity = 'users' and record_id = $1 order by id`,
      [id],
    )
  ).rows;

const versionOf = async (id: string) =>
  (await call(admin, getUser, { params: { id } })).body.version;

test("an app creates a customer, repeats the request and changes single fields", async () => {
  const [externalId, email] = [newId(), newEmail()];
  const details = { email, name: "Ada Lovelace", country: "GB", locale: "en-GB" };
  const made = await put(externalId, details);
  expect([made.status, made.body], made.text).toMatchObject([
    200,
    { externalId, ...details, status: "active" },
  ]);
  const { id } = made.body;
  expect((await put(externalId, details)).body).toEqual(made.body);
  expect(await entriesOf(id), "the repetition changed nothing").toMatchObject([
    { action: "insert", kind: "key" },
  ]);

  const moved = newEmail();
  const changed = await put(externalId, { email: moved, country: null });
  expect(changed.body).toMatchObject({ id, email: moved, country: null, name: "Ada Lovelace" });
  const [, entry] = await entriesOf(id);
  const { rows } = await owner.query("select id from app_keys where app_id = $1", [harbor.id]);
  expect(entry).toEqual({ action: "update", kind: "key", actor: rows[0].id });
});

test.each([
  ["en-GB", "en-GB"],
  ["de-AT", "de"],
  ["pt-br", "pt-BR"],
  ["zh-Hans-CN", "zh"],
  ["nn-NO", "nb"],
  ["hi-IN", null],
])("the language %s of a device is stored as %s", async (locale, stored) => {
  const [externalId, email] = [newId(), newEmail()];
  const made = await put(externalId, { email, locale });
  expect([made.status, made.body.locale], made.text).toEqual([200, stored]);
  expect((await put(externalId, { email, locale })).body).toEqual(made.body);
});

test.each(["de_DE", "x", "deutsch!", "de-a-a"])("%s is no language", async (locale) => {
  const refused = await put(newId(), { email: newEmail(), locale });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: "/locale" }] } });
});

test("a new customer is named after the email address, and a backend is the actor of its changes", async () => {
  const externalId = newId();
  const made = await call(backend, upsertCustomer, {
    params: { externalId },
    body: { email: `Grace.${externalId}@Example.com` },
  });
  expect(made.body).toMatchObject({
    name: `grace.${externalId}`,
    email: `grace.${externalId}@example.com`,
  });
  expect(await entriesOf(made.body.id)).toEqual([
    { action: "insert", kind: "user", actor: backend.id },
  ]);
});

test("parallel requests create one customer", async () => {
  const [externalId, email] = [newId(), newEmail()];
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, place) => put(externalId, { email, name: `Ada ${place}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const { rows } = await owner.query("select from users where external_id = $1 or email = $2", [
    externalId,
    email,
  ]);
  expect(rows).toHaveLength(1);
});

test("parallel requests for one address and different IDs create one customer and refuse the others", async () => {
  const email = newEmail();
  const answers = await Promise.all(Array.from({ length: 6 }, () => put(newId(), { email })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
});

test("a customer who bought before registering gets the external ID", async () => {
  const email = newEmail();
  const known = await call(admin, createUser, { body: { email, name: "Ada" } });
  const externalId = newId();
  const linked = await put(externalId, { email });
  expect(linked.body).toMatchObject({ id: known.body.id, externalId, name: "Ada" });
});

test("refuses the address of another customer and says what to do", async () => {
  const [first, second] = [newId(), newId()];
  const [email, other] = [newEmail(), newEmail()];
  await put(first, { email });
  const refused = await put(second, { email });
  expect([refused.status, refused.body["code"] ?? refused.body["type"]]).toMatchObject([
    409,
    expect.stringContaining("taken"),
  ]);
  expect(refused.text).toContain(`The customer with the external ID ${first} has this email`);
  expect(refused.body["errors"]).toMatchObject([{ pointer: "/email" }]);
  await put(second, { email: other });
  expect((await put(second, { email })).status, "also for a change").toBe(409);
  await call(admin, createUser, { body: { email: `x${other}`, name: "Ada" } });
  const unlinked = await put(second, { email: `x${other}` });
  expect(unlinked.text).toContain("Merge the two customers");
  expect(product.lines.join("")).not.toContain(first);
});

test("refuses the address of a team member and doesn't say whose it is", async () => {
  const member = await signIn("support", "Sam Support");
  const refused = await put(newId(), { email: member.email });
  expect([refused.status, refused.body["errors"]]).toMatchObject([400, [{ pointer: "/email" }]]);
  expect(refused.text).not.toContain("Sam");
  const { rows } = await owner.query("select external_id from users where id = $1", [member.id]);
  expect(rows).toEqual([{ external_id: null }]);
});

test("a suspended customer is updated and stays suspended", async () => {
  const [externalId, email] = [newId(), newEmail()];
  const { id } = (await put(externalId, { email })).body;
  const version = await versionOf(id);
  await call(admin, suspendUser, { params: { id }, version, body: {} });
  const changed = await put(externalId, { email, name: "Renamed" });
  expect(changed.body).toMatchObject({ id, name: "Renamed", status: "suspended" });
});

test("both IDs of a merged customer lead to the one that is left", async () => {
  const [kept, gone] = [newId(), newId()];
  const [email, former] = [newEmail(), newEmail()];
  const { id } = (await put(kept, { email, name: "Ada" })).body;
  const other = (await put(gone, { email: former })).body;
  const body = { otherId: other.id, reason: "The same person." };
  expect((await call(admin, mergeUsers, { params: { id }, body })).status).toBe(200);
  expect((await put(gone, { email: former, name: "Ada King" })).body).toMatchObject({
    id,
    externalId: kept,
    email,
    name: "Ada King",
  });
  expect((await read(gone)).body).toMatchObject({ externalId: gone, customer: { id } });
});

test("an erased customer is unknown, and their external ID can be used again", async () => {
  const [externalId, email] = [newId(), newEmail()];
  const { id } = (await put(externalId, { email })).body;
  const erased = await call(admin, eraseCustomer, {
    params: { id },
    version: await versionOf(id),
    body: { reason: "By letter." },
  });
  expect(erased.status, erased.text).toBe(200);
  expect((await read(externalId)).body.customer).toBeNull();
  const { rows } = await owner.query("select email from users where id = $1", [id]);
  expect((await put(newId(), { email: rows[0].email })).status, "their placeholder").toBe(409);
  const again = await put(externalId, { email });
  expect(again.status).toBe(200);
  expect(again.body.id).not.toBe(id);
});

test("an unknown customer is answered with the defaults of the app", async () => {
  const seats = await newLimit(harbor.id, "Seats", { defaultValue: 3 });
  const unknown = newEmail();
  const { status, body } = await read(unknown);
  expect([status, body]).toMatchObject([
    200,
    { externalId: unknown, customer: null, subscriptions: [], balance: null, documents: null },
  ]);
  const own = body.entitlements.find(({ feature }) => feature.code === seats.code);
  expect(own).toMatchObject({
    allowed: true,
    reason: "default",
    limit: 3,
    app: { name: "Harbor" },
  });
  await call(admin, createUser, { body: { email: unknown, name: "Ada" } });
  expect((await read(unknown)).body.customer, "an email address isn't an external ID").toBeNull();
});

test("an app sees only itself and no money, a backend sees all apps, the balance and documents", async () => {
  const other = await newApp("Beacon");
  await newLimit(other.id);
  await newLimit(harbor.id, "Exports");
  await activate(other.id);
  const [externalId, email] = [newId(), newEmail()];
  const { id } = (await put(externalId, { email })).body;
  await owner.query(
    `insert into balances (user_id, currency, amount) values ($1, 'EUR', 250)
     on conflict (user_id, currency) do update set amount = 250`,
    [id],
  );
  const own = (await read(externalId)).body;
  expect([own.balance, own.documents, own.hasOtherApps]).toEqual([null, null, false]);
  expect(new Set(own.entitlements.map(({ app }) => app.code))).toEqual(new Set([harbor.code]));
  expect((await read(externalId, other.code)).status).toBe(404);
  expect((await read(externalId, harbor.code)).status).toBe(200);

  const all = (await readAsBackend(externalId)).body;
  expect(all.balance).toEqual([{ currency: "EUR", amount: 250 }]);
  expect(all.documents).toEqual([]);
  const codes = all.entitlements.map(({ app }) => app.code);
  expect(codes).toEqual(expect.arrayContaining([harbor.code, other.code]));
  const one = (await readAsBackend(externalId, { app: other.code })).body;
  expect(new Set(one.entitlements.map(({ app }) => app.code))).toEqual(new Set([other.code]));
  expect((await readAsBackend(externalId, { app: "no-such-app" })).status).toBe(404);
});

test("the record of a buyer has subscriptions only of packages that include the app", async () => {
  const shop = await shopIn(product);
  const sold = await shop.sellPackage();
  const [externalId, email] = [newId(), newEmail()];
  await put(externalId, { email });
  await sell(saleOf(sold.id, { email }));
  expect((await read(externalId)).body.subscriptions, "a package without Harbor").toEqual([]);
  const { body } = await readAsBackend(externalId);
  expect(body.subscriptions).toMatchObject([
    { package: { id: sold.id }, status: "active", quantity: 1, version: 1 },
  ]);
  const { rows } = await owner.query(
    `select f.app_id as id from version_values v join features f on f.id = v.feature_id
     join package_versions p on p.id = v.version_id where p.package_id = $1`,
    [sold.id],
  );
  const appKey = await keyIn(product, admin, rows[0].id, ["customers:read"]);
  const seen = await call(null, getCustomer, { params: { externalId }, headers: appKey });
  expect(seen.body.subscriptions).toEqual(body.subscriptions);
  for (const { id, url } of body.documents ?? [])
    expect(url).toBe(`http://localhost:3000/api/v1/documents/${id}`);
});

test("keys need their scope, and service accounts their permission", async () => {
  const [externalId, email] = [newId(), newEmail()];
  const only = (scope: "customers:read" | "customers:write" | "usage:write") =>
    keyIn(product, admin, harbor.id, [scope]);
  const reader = await only("customers:read");
  const refused = await put(externalId, { email }, reader);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("customers:write")]);
  for (const scope of ["customers:write", "usage:write"] as const) {
    const denied = await call(null, getCustomer, {
      params: { externalId },
      headers: await only(scope),
    });
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining("customers:read")]);
  }
  const viewer = await newCaller({ role: "viewer" });
  const sent = { params: { externalId }, body: { email } };
  expect((await call(viewer, upsertCustomer, sent)).status).toBe(403);
  const narrow = await newCaller({ permissions: ["users:read"] });
  const seen = await call(narrow, getCustomer, { params: { externalId } });
  expect([seen.status, seen.body.balance, seen.body.documents]).toEqual([200, null, null]);
  expect((await put(externalId, { email }, { authorization: "Bearer purser_sk_x" })).status).toBe(
    401,
  );
  const { rows } = await owner.query("select from users where external_id = $1", [externalId]);
  expect(rows).toEqual([]);
});

test.each([
  ["an ID that is too long", "x".repeat(201), { email: "ada@example.com" }],
  ["no address", "user-1", {}],
  ["an unknown country", "user-1", { email: "ada@example.com", country: "XX" }],
  ["an unknown field", "user-1", { email: "ada@example.com", status: "active" }],
])("refuses %s", async (_what, externalId, body) => {
  expect((await put(externalId, body as never)).status).toBe(400);
});
