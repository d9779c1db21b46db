import { grantAccess, listSubscribers, revokeAccess } from "@purser/contract/entitlements/grants";
import { archiveFeature, getFeature } from "@purser/contract/features/endpoints";
import { archivePackage } from "@purser/contract/packages/endpoints";
import { retireVersion } from "@purser/contract/packages/versions";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { grantsIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
// Grants without an end are usual here, and would require approval of the role support.
await owner.query("update settings set approval_rules = '{}'");
const admin = await signIn("admin");
const support = await signIn("support");
const { newApp, newLimit, newPackage, read, give, publish } = catalogIn(product, admin);
const { newEmail, newCustomer, grantTo, insertGrant } = grantsIn(product, support);

const onSale = async (details: object = {}) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const made = await newPackage(details);
  await give(made.id, seats, 5);
  expect((await publish(made.id)).status).toBe(200);
  return { app, seats, stored: await read(made.id) };
};

const subscribersOf = (id: string) => call(admin, listSubscribers, { params: { id } });

const revoke = (id: string) =>
  call(support, revokeAccess, { params: { id }, body: { reason: "They asked for it." } });

const entriesOf = async (id: string) =>
  (
    await owner.query(
      `select action, actor_id, reason, after ->> 'revoked_at' is not null as revoked
       from audit_entries where entity = 'grants' and record_id = $1 order by id`,
      [id],
    )
  ).rows;

test("support grants a package, whatever the case of the email address, and it is audited", async () => {
  const { stored } = await onSale();
  const customer = await newCustomer();
  const endsAt = new Date(Date.now() + 86_400_000).toISOString();
  const given = await grantTo(customer.email.toUpperCase(), { packageId: stored.id }, { endsAt });
  expect(given.status).toBe(201);
  expect(given.body).toMatchObject({
    user: customer,
    package: { id: stored.id, name: "Studio", number: 1 },
    feature: null,
    source: "manual",
    reason: "A gift for their patience.",
    endsAt,
    revokedAt: null,
  });
  const { rows } = await owner.query(
    "select source_id, promised_until = ends_at as kept from grants where id = $1",
    [given.body.id],
  );
  expect(rows).toEqual([{ source_id: support.id, kept: true }]);
  expect(await entriesOf(given.body.id)).toEqual([
    {
      action: "insert",
      actor_id: support.id,
      reason: "A gift for their patience.",
      revoked: false,
    },
  ]);
  expect((await subscribersOf(stored.id)).body.items).toEqual([given.body]);
});

test("creates a customer for an unknown address, named by its local part", async () => {
  const { stored } = await onSale();
  const given = await grantTo("grace.hopper@example.com", { packageId: stored.id });
  expect(given.body).toMatchObject({ user: { name: "grace.hopper" }, endsAt: null });
  const { rows } = await owner.query("select role, status from users where id = $1", [
    given.body.user.id,
  ]);
  expect(rows).toEqual([{ role: null, status: "active" }]);
});

test("concurrent grants to an unknown address create one customer", async () => {
  const [one, other] = [await onSale(), await onSale()];
  const email = newEmail();
  const given = await Promise.all(
    [one, other, one].map(({ stored }) => grantTo(email, { packageId: stored.id })),
  );
  expect(given.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(given.map(({ body }) => body.user.id)).size).toBe(1);
});

test("refuses a grant to a suspended or erased customer", async () => {
  const { stored } = await onSale();
  for (const status of ["suspended", "erased"]) {
    const { email } = await newCustomer({ status });
    const refused = await grantTo(email, { packageId: stored.id });
    expect([refused.status, refused.body["reason"]]).toEqual([409, `customer_${status}`]);
  }
  expect((await subscribersOf(stored.id)).body.items).toEqual([]);
});

test("grants only active packages with a version on sale", async () => {
  const email = newEmail();
  const draft = await newPackage();
  expect((await grantTo(email, { packageId: draft.id })).body["reason"]).toBe(
    "grant_package_unpublished",
  );
  const { stored } = await onSale();
  const after = async (endpoint: typeof retireVersion | typeof archivePackage) => {
    const { version } = await read(stored.id);
    await call(admin, endpoint, { params: { id: stored.id }, version, body: {} });
    return grantTo(email, { packageId: stored.id });
  };
  const retired = await after(retireVersion);
  expect(retired.body["type"]).toBe("urn:purser:problem:wrong_state");
  expect(retired.body["reason"]).toBe("grant_package_unpublished");
  expect((await after(archivePackage)).body["reason"]).toBe("grant_package_archived");
  const unknown = await grantTo(email, { packageId: crypto.randomUUID() });
  expect(unknown.status).toBe(404);
  const { rowCount } = await owner.query("select from users where email = $1", [email]);
  expect(rowCount).toBe(0);
});

test("grants a valid value of an active feature", async () => {
  const { seats } = await onSale();
  const email = newEmail();
  const wrong = await grantTo(email, { featureId: seats.id, value: true });
  expect([wrong.status, wrong.body["errors"]]).toMatchObject([400, [{ pointer: "/value" }]]);
  const given = await grantTo(email, { featureId: seats.id, value: "unlimited" });
  expect(given.body).toMatchObject({
    package: null,
    feature: { id: seats.id, name: "Seats", value: "unlimited" },
  });

  const draft = await newLimit((await newApp()).id);
  expect((await grantTo(email, { featureId: draft.id, value: 1 })).body["reason"]).toBe(
    "grant_feature_draft",
  );
  const { version } = (await call(admin, getFeature, { params: { id: seats.id } })).body;
  await call(admin, archiveFeature, { params: { id: seats.id }, version, body: {} });
  expect((await grantTo(email, { featureId: seats.id, value: 1 })).status).toBe(409);
  expect((await grantTo(email, { featureId: crypto.randomUUID(), value: 1 })).status).toBe(404);
});

test("a grant requires an end in the future and a reason", async () => {
  const { stored } = await onSale();
  const past = await grantTo(
    newEmail(),
    { packageId: stored.id },
    { endsAt: "2020-01-01T00:00:00Z" },
  );
  expect([past.status, past.body["errors"]]).toMatchObject([400, [{ pointer: "/endsAt" }]]);
  const body = { email: newEmail(), packageId: stored.id, endsAt: null, reason: " " };
  const silent = await call(support, grantAccess, { body });
  expect(silent.body["errors"]).toMatchObject([{ pointer: "/reason" }]);
});

test("refuses a second base package of a group and names the first", async () => {
  const [solo, team] = [
    await onSale({ name: "Solo", group: "plans" }),
    await onSale({ name: "Team", group: "plans" }),
  ];
  const addOn = await onSale({ name: "Storage", kind: "add-on" });
  const { id, email } = await newCustomer();
  const first = await grantTo(email, { packageId: solo.stored.id });
  expect((await grantTo(email, { packageId: solo.stored.id })).status).toBe(201);
  expect((await grantTo(email, { packageId: addOn.stored.id })).status).toBe(201);
  const refused = await grantTo(email, { packageId: team.stored.id });
  expect(refused.body["type"]).toBe("urn:purser:problem:wrong_state");
  expect(refused.body["detail"]).toContain("Revoke Solo first.");

  const { rows } = await owner.query("select id from grants where user_id = $1", [id]);
  for (const { id: grantId } of rows) await revoke(grantId);
  expect((await grantTo(email, { packageId: team.stored.id })).status).toBe(201);
  expect(first.status).toBe(201);
});

test("refuses a package only if its period overlaps another one of the group", async () => {
  const [solo, team] = [
    await onSale({ name: "Solo", group: "later" }),
    await onSale({ name: "Team", group: "later" }),
  ];
  const { id, email } = await newCustomer();
  await insertGrant(id, solo.stored.id, [10, 20]);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const until = (days: number) =>
    grantTo(email, { packageId: team.stored.id }, { endsAt: inDays(days) });
  expect((await until(11)).status).toBe(409);
  expect((await until(9)).status).toBe(201);
});

test("refuses one of two concurrent grants of packages of a group", async () => {
  const [solo, team] = [await onSale({ group: "race" }), await onSale({ group: "race" })];
  for (let round = 0; round < 5; round += 1) {
    const { email } = await newCustomer();
    const given = await Promise.all(
      [solo, team].map(({ stored }) => grantTo(email, { packageId: stored.id })),
    );
    expect(given.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  }
});
