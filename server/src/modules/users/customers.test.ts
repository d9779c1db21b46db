import { giveAccess } from "@purser/contract/entitlements/grants";
import {
  actOnUsers,
  changeUser,
  createUser,
  getUser,
  getUserActivity,
  restoreUser,
  suspendUser,
} from "@purser/contract/users/endpoints";
import { addUserNote, listUserNotes, strikeUserNote } from "@purser/contract/users/notes";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin", "Ada Admin");
const support = await signIn("support", "Sam Support");
const viewer = await signIn("viewer", "Vera Viewer");

const newCustomer = async (email: string, more: Record<string, unknown> = {}) =>
  (await call(support, createUser, { body: { email, name: "Jana Kowalczyk", ...more } })).body;

const typeOf = ({ body }: { body: Record<string, unknown> }) => body["type"];

test("a customer is created active, with a number to read out and a first note", async () => {
  const made = await call(support, createUser, {
    body: {
      email: "Jana@Example.com",
      name: " Jana Kowalczyk ",
      externalId: "nq-1",
      country: "PL",
      locale: "pl",
      timeZone: "Europe/Warsaw",
      note: "Met at the boat show.",
    },
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    number: expect.stringMatching(/^US-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
    email: "jana@example.com",
    name: "Jana Kowalczyk",
    role: null,
    status: "active",
    externalId: "nq-1",
    country: "PL",
    locale: "pl",
    timeZone: "Europe/Warsaw",
    packages: [],
    renewsAt: null,
    spent: [],
    version: 1,
  });
  const { id } = made.body;
  expect((await call(viewer, getUser, { params: { id } })).text).toBe(made.text);
  const notes = await call(viewer, listUserNotes, { params: { id } });
  expect(notes.body.items).toMatchObject([
    { text: "Met at the boat show.", author: { id: support.id, name: "Sam Support" } },
  ]);
});

test("an address and an external id that are taken are refused at the field, with who has them", async () => {
  const { number, id } = await newCustomer("taken@example.com", { externalId: "taken-1" });
  const again = await call(support, createUser, {
    body: { email: "TAKEN@example.com", name: "Another" },
  });
  expect(again.status).toBe(409);
  expect(again.body["errors"]).toMatchObject([
    {
      pointer: "/email",
      message: `Jana Kowalczyk (${number}) already has this address. Open that person instead.`,
    },
  ]);
  const sameId = await call(support, createUser, {
    body: { email: "other@example.com", name: "Another", externalId: "taken-1" },
  });
  expect(sameId.body["errors"]).toMatchObject([{ pointer: "/externalId", code: "taken" }]);
  const other = await newCustomer("free@example.com");
  const moved = await call(support, changeUser, {
    params: { id: other.id },
    version: 1,
    body: { email: "taken@example.com", name: "Another" },
  });
  expect([moved.status, typeOf(moved)]).toEqual([409, "urn:purser:problem:taken"]);
  const own = await call(support, changeUser, {
    params: { id },
    version: 1,
    body: { email: "taken@example.com", name: "Jana K", externalId: "taken-1" },
  });
  expect(own.body).toMatchObject({ name: "Jana K", version: 2 });
});

test("T2 whoever may not read staff is not told whose address it is", async () => {
  const refused = await call(support, createUser, {
    body: { email: admin.email, name: "Somebody" },
  });
  expect(refused.status).toBe(409);
  expect(refused.text).not.toContain("Ada");
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/email", message: "Somebody already has this address. Choose another." },
  ]);
});

test("an external id is set once, by the database too", async () => {
  const { id } = await newCustomer("once@example.com");
  const body = { email: "once@example.com", name: "Once", externalId: "first" };
  const set = await call(support, changeUser, { params: { id }, version: 1, body });
  expect(set.body.externalId).toBe("first");
  for (const externalId of ["second", null]) {
    const refused = await call(support, changeUser, {
      params: { id },
      version: 2,
      body: { ...body, externalId },
    });
    expect([refused.status, typeOf(refused)]).toEqual([409, "urn:purser:problem:frozen"]);
  }
  await expect(
    owner.query("update users set external_id = 'third' where id = $1", [id]),
  ).rejects.toMatchObject({ constraint: "problem_frozen" });
  await expect(
    owner.query("update users set number = 'US-0000-0000' where id = $1", [id]),
  ).rejects.toMatchObject({ constraint: "problem_frozen" });
});

test("a change needs the version that was seen, and is told with who made it", async () => {
  const { id } = await newCustomer("changed@example.com");
  const body = { email: "changed@example.com", name: "Changed", country: "DE" };
  const unseen = await call(support, changeUser, { params: { id }, body });
  expect(unseen.status).toBe(428);
  const first = await call(support, changeUser, { params: { id }, version: 1, body });
  expect(first.body).toMatchObject({ name: "Changed", country: "DE", version: 2 });
  const stale = await call(admin, changeUser, { params: { id }, version: 1, body });
  expect(stale.status).toBe(412);
  expect(stale.body["current"]).toMatchObject({ name: "Changed", version: 2 });
  const { body: told } = await call(viewer, getUserActivity, { params: { id } });
  expect(told.items[0]).toMatchObject({
    entity: "users",
    actor: { id: support.id, name: "Sam Support" },
    changes: expect.arrayContaining([
      { field: "name", before: "Jana Kowalczyk", after: "Changed" },
    ]),
  });
});

test("T3 what is not part of the form is refused, whoever sends it", async () => {
  const { id } = await newCustomer("columns@example.com");
  const body = { email: "columns@example.com", name: "Columns" };
  for (const extra of [
    { role: "owner" },
    { status: "erased" },
    { number: "US-0000-0000" },
    { id },
    { version: 9 },
    { mergedIntoId: null },
    { mergedIntoId: support.id },
    { createdAt: "2020-01-01T00:00:00Z" },
  ]) {
    const created = await call(admin, createUser, {
      body: { ...body, email: "new@example.com", ...extra } as never,
    });
    const changed = await call(admin, changeUser, {
      params: { id },
      version: 1,
      body: { ...body, ...extra } as never,
    });
    expect([created.status, changed.status], JSON.stringify(extra)).toEqual([400, 400]);
  }
  const { body: stored } = await call(admin, getUser, { params: { id } });
  expect(stored).toMatchObject({ role: null, status: "active", version: 1 });
});

test.each([
  { country: "XX" },
  { country: "pl" },
  { locale: "tlh" },
  { timeZone: "Mars/Olympus" },
  { name: "" },
  { email: "nowhere" },
  { externalId: "" },
])("$0 is refused at its field", async (wrong) => {
  const answer = await call(support, createUser, {
    body: { email: "wrong@example.com", name: "Wrong", ...wrong } as never,
  });
  expect(answer.status).toBe(400);
  expect(answer.body["errors"]).toMatchObject([{ pointer: `/${Object.keys(wrong)[0]}` }]);
});

test("staff are changed and suspended among the staff, and not as customers", async () => {
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

test("a customer is suspended and restored, each once", async () => {
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

test("many are suspended at once: those that cannot be say why and stay", async () => {
  const first = await newCustomer("bulk-1@example.com");
  const second = await newCustomer("bulk-2@example.com");
  const answer = await call(support, actOnUsers, {
    body: {
      act: "suspend",
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

test("a note is never rewritten: whoever wrote it may strike it, once", async () => {
  const { id } = await newCustomer("noted@example.com");
  const written = await call(support, addUserNote, {
    params: { id },
    body: { text: "Wants invoices by post.\nSince March." },
  });
  expect(written.status).toBe(201);
  const params = { id, noteId: written.body.id };
  const others = await call(admin, strikeUserNote, { params, body: {} });
  expect([others.status, others.body["detail"]]).toEqual([
    403,
    "Sam Support wrote this note, and nobody else may strike it. Write one beside it.",
  ]);
  const struck = await call(support, strikeUserNote, { params, body: {} });
  expect(struck.body.struckAt).not.toBeNull();
  expect((await call(support, strikeUserNote, { params, body: {} })).status).toBe(409);
  const other = await newCustomer("not-noted@example.com");
  const elsewhere = { id: other.id, noteId: written.body.id };
  expect((await call(support, strikeUserNote, { params: elsewhere, body: {} })).status).toBe(404);
  await expect(
    owner.query("update user_notes set text = 'Rewritten' where id = $1", [written.body.id]),
  ).rejects.toMatchObject({ constraint: "problem_frozen" });
  const { body } = await call(viewer, getUserActivity, { params: { id } });
  expect(body.items.map(({ entity, action }) => `${action} ${entity}`)).toEqual([
    "update user_notes",
    "insert user_notes",
    "insert users",
  ]);
});

test("a person's history tells what they were given by hand", async () => {
  const { id } = await newCustomer("given@example.com");
  await owner.query(`
    insert into apps (code, name, status, activated_at) values ('given', 'Given', 'active', now());
    insert into features (app_id, code, name, kind, combining, options, default_value, enforcement, fallback, status, activated_at)
    select id, 'raw', 'RAW', 'switch', 'largest', '[]', 'false', 'hard', 'deny', 'active', now() from apps where code = 'given'`);
  const { rows } = await owner.query("select id from features where code = 'raw'");
  const given = await call(support, giveAccess, {
    body: {
      email: "given@example.com",
      featureId: rows[0].id,
      value: true,
      endsAt: null,
      reason: "A broken export.",
    },
  });
  expect(given.status).toBe(201);
  const { body } = await call(viewer, getUserActivity, { params: { id } });
  expect(body.items[0]).toMatchObject({ entity: "grants", reason: "A broken export." });
});
