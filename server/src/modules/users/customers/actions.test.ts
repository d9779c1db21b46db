import { grantAccess } from "@purser/contract/entitlements/grants";
import {
  bulkUsers,
  changeUser,
  createUser,
  getUser,
  getUserActivity,
  restoreUser,
  suspendUser,
} from "@purser/contract/users/endpoints";
import { addUserNote, crossOutUserNote } from "@purser/contract/users/notes";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin", "Ada Admin");
const support = await signIn("support", "Sam Support");
const viewer = await signIn("viewer", "Vera Viewer");

const newCustomer = async (email: string, more: Record<string, unknown> = {}) =>
  (await call(support, createUser, { body: { email, name: "Jana Kowalczyk", ...more } })).body;

const typeOf = ({ body }: { body: Record<string, unknown> }) => body["type"];

test("refuses to change or suspend a team member as a customer", async () => {
  const params = { id: viewer.id };
  const body = { email: "stolen@example.com", name: "Vera" };
  const answers = [
    await call(admin, changeUser, { params, version: 1, body }),
    await call(admin, suspendUser, { params, version: 1, body: {} }),
  ];
  for (const answer of answers)
    expect([answer.status, typeOf(answer)]).toEqual([409, "urn:purser:problem:wrong_state"]);
  expect((await call(admin, getUser, { params })).body.email).toBe(viewer.email);
});

test("suspends and restores a customer once each", async () => {
  const { id } = await newCustomer("suspended@example.com");
  const suspended = await call(support, suspendUser, {
    params: { id },
    version: 1,
    body: { reason: "Chargebacks." },
  });
  expect(suspended.body).toMatchObject({ status: "suspended", version: 2 });
  const again = await call(support, suspendUser, { params: { id }, version: 2, body: {} });
  expect(again.status).toBe(409);
  const restored = await call(support, restoreUser, { params: { id }, version: 2, body: {} });
  expect(restored.body).toMatchObject({ status: "active", version: 3 });
  const twice = await call(support, restoreUser, { params: { id }, version: 3, body: {} });
  expect(twice.status).toBe(409);
  const { body } = await call(viewer, getUserActivity, { params: { id } });
  expect(body.items[1]).toMatchObject({ reason: "Chargebacks.", action: "update" });
  expect((await call(viewer, suspendUser, { params: { id }, version: 3, body: {} })).status).toBe(
    403,
  );
});

test("suspends several customers and explains each one that is skipped", async () => {
  const first = await newCustomer("bulk-1@example.com");
  const second = await newCustomer("bulk-2@example.com");
  const answer = await call(support, bulkUsers, {
    body: {
      action: "suspend",
      users: [
        { id: first.id.toUpperCase(), version: 1 },
        { id: second.id, version: 7 },
      ],
    },
  });
  expect(answer.body.done).toMatchObject([{ id: first.id, status: "suspended" }]);
  expect(answer.body.refused).toMatchObject([{ id: second.id, code: "stale_version" }]);
  const erased = await newCustomer("erased@example.com");
  await owner.query("update users set status = 'erased' where id = $1", [erased.id]);
  const gone = await call(support, suspendUser, {
    params: { id: erased.id },
    version: 2,
    body: {},
  });
  expect(gone.status).toBe(409);
});

test("a note can't be edited, and only its author can cross it out, once", async () => {
  const { id } = await newCustomer("noted@example.com");
  const written = await call(support, addUserNote, {
    params: { id },
    body: { text: "Wants invoices by post.\nSince March." },
  });
  expect(written.status).toBe(201);
  const params = { id, noteId: written.body.id };
  const others = await call(admin, crossOutUserNote, { params, body: {} });
  expect([others.status, others.body["detail"]]).toEqual([
    403,
    "Only Sam Support can cross out this note. Add your own note instead.",
  ]);
  const crossedOut = await call(support, crossOutUserNote, { params, body: {} });
  expect(crossedOut.body.crossedOutAt).not.toBeNull();
  expect((await call(support, crossOutUserNote, { params, body: {} })).status).toBe(409);
  const other = await newCustomer("not-noted@example.com");
  const elsewhere = { id: other.id, noteId: written.body.id };
  expect((await call(support, crossOutUserNote, { params: elsewhere, body: {} })).status).toBe(404);
  await expect(
    owner.query("update user_notes set text = 'Rewritten' where id = $1", [written.body.id]),
  ).rejects.toMatchObject({ constraint: "problem_frozen__note_immutable" });
  const { body } = await call(viewer, getUserActivity, { params: { id } });
  expect(body.items.map(({ entity, action }) => `${action} ${entity}`)).toEqual([
    "update user_notes",
    "insert user_notes",
    "insert users",
  ]);
});

test("the activity of a customer lists manually granted access", async () => {
  const { id } = await newCustomer("given@example.com");
  await owner.query(`
    insert into apps (code, name, status, activated_at) values ('given', 'Given', 'active', now());
    insert into features (app_id, code, name, kind, combining, options, default_value, enforcement, fallback, status, activated_at)
    select id, 'raw', 'RAW', 'switch', 'largest', '[]', 'false', 'hard', 'deny', 'active', now() from apps where code = 'given'`);
  const { rows } = await owner.query("select id from features where code = 'raw'");
  const given = await call(support, grantAccess, {
    body: {
      email: "given@example.com",
      featureId: rows[0].id,
      value: true,
      endsAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      reason: "A broken export.",
    },
  });
  expect(given.status).toBe(201);
  const { body } = await call(viewer, getUserActivity, { params: { id } });
  expect(body.items[0]).toMatchObject({ entity: "grants", reason: "A broken export." });
});
