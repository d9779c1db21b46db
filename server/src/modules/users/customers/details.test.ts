import {
  changeUser,
  createUser,
  exportUsers,
  getUser,
  getUserActivity,
} from "@purser/contract/users/endpoints";
import { listUserNotes } from "@purser/contract/users/notes";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin", "Ada Admin");
const support = await signIn("support", "Sam Support");
const viewer = await signIn("viewer", "Vera Viewer");

const newCustomer = async (email: string, more: Record<string, unknown> = {}) =>
  (await call(support, createUser, { body: { email, name: "Jana Kowalczyk", ...more } })).body;

const typeOf = ({ body }: { body: Record<string, unknown> }) => body["type"];

test("creates an active customer with a number and a first note", async () => {
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

test("refuses a taken address or external ID at its field and names the customer", async () => {
  const { number, id } = await newCustomer("taken@example.com", { externalId: "taken-1" });
  const again = await call(support, createUser, {
    body: { email: "TAKEN@example.com", name: "Another" },
  });
  expect(again.status).toBe(409);
  expect(again.body["errors"]).toMatchObject([
    {
      pointer: "/email",
      message: `Jana Kowalczyk (${number}) already has this email address. Open that user instead.`,
    },
  ]);
  const sameId = await call(support, createUser, {
    body: { email: "other@example.com", name: "Another", externalId: "taken-1" },
  });
  expect(sameId.body["errors"]).toMatchObject([
    { pointer: "/externalId", code: "external_id_taken_by" },
  ]);
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

test("T2 doesn't name the owner of a taken address without team:read", async () => {
  const refused = await call(support, createUser, {
    body: { email: admin.email, name: "Somebody" },
  });
  expect(refused.status).toBe(409);
  expect(refused.text).not.toContain("Ada");
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/email", message: "This email address is already in use. Choose another one." },
  ]);
});

test("an external ID can be set only once, which the database enforces too", async () => {
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
  ).rejects.toMatchObject({ constraint: "problem_frozen__customer_identifiers_fixed" });
  await expect(
    owner.query("update users set number = 'US-0000-0000' where id = $1", [id]),
  ).rejects.toMatchObject({ constraint: "problem_frozen__customer_identifiers_fixed" });
});

test("a change requires the current version and is in the activity with its author", async () => {
  const { id } = await newCustomer("changed@example.com");
  const body = { email: "changed@example.com", name: "Changed", country: "DE" };
  const unseen = await call(support, changeUser, { params: { id }, body });
  expect(unseen.status).toBe(428);
  const first = await call(support, changeUser, { params: { id }, version: 1, body });
  expect(first.body).toMatchObject({ name: "Changed", country: "DE", version: 2 });
  const stale = await call(admin, changeUser, { params: { id }, version: 1, body });
  expect(stale.status).toBe(412);
  expect(stale.body["current"]).toMatchObject({ name: "Changed", version: 2 });
  const { body: activity } = await call(viewer, getUserActivity, { params: { id } });
  expect(activity.items[0]).toMatchObject({
    entity: "users",
    actor: { id: support.id, name: "Sam Support" },
    changes: expect.arrayContaining([
      { field: "name", before: "Jana Kowalczyk", after: "Changed" },
    ]),
  });
});

test("billing details are stored, exported and in the activity", async () => {
  const address = { lines: ["Kaivokatu 1", "4th floor"], postalCode: "00100", city: "Helsinki" };
  const billing = { company: "Aalto Oy", region: "Uusimaa", vatNumber: "FI12345678", address };
  const made = await newCustomer("billed@example.com", {
    ...billing,
    vatNumber: "fi 1234-5678",
    country: "FI",
  });
  expect(made).toMatchObject({ ...billing, country: "FI" });
  const moved = await call(support, changeUser, {
    params: { id: made.id },
    version: 1,
    body: {
      ...billing,
      email: "billed@example.com",
      name: "Jana",
      country: "FI",
      address: { ...address, city: "Espoo" },
    },
  });
  expect(moved.body).toMatchObject({ address: { city: "Espoo" } });
  const { body: activity } = await call(viewer, getUserActivity, { params: { id: made.id } });
  expect(activity.items[0]?.changes).toContainEqual({
    field: "address",
    before: address,
    after: { ...address, city: "Espoo" },
  });
  const { text } = await call(admin, exportUsers, {
    query: { format: "csv", q: "billed@example.com", columns: "email,company,address,vatNumber" },
  } as never);
  expect(text).toContain('"Kaivokatu 1, 4th floor, 00100, Espoo"');
  const cleared = await call(support, changeUser, {
    params: { id: made.id },
    version: 2,
    body: { email: "billed@example.com", name: "Jana" },
  });
  expect(cleared.body).toMatchObject({
    company: null,
    address: null,
    region: null,
    vatNumber: null,
  });
});

test("T3 refuses fields that are not part of the form", async () => {
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
  { company: "" },
  { region: "" },
  { vatNumber: "DE12345" },
  { vatNumber: "12345678" },
])("$0 is refused at its field", async (wrong) => {
  const answer = await call(support, createUser, {
    body: { email: "wrong@example.com", name: "Wrong", ...wrong } as never,
  });
  expect(answer.status).toBe(400);
  expect(answer.body["errors"]).toMatchObject([{ pointer: `/${Object.keys(wrong)[0]}` }]);
});
