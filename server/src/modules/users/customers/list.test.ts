import {
  bulkUsers,
  changeUser,
  countUsers,
  createUser,
  exportUsers,
  getUser,
  getUserActivity,
  listUsers,
  restoreUser,
  suspendUser,
} from "@purser/contract/users/endpoints";
import { addUserNote, crossOutUserNote, listUserNotes } from "@purser/contract/users/notes";
import { listActivity } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin", "Ada Admin");
const support = await signIn("support", "Sam Support");
const viewer = await signIn("viewer", "Vera Viewer");

const newCustomer = async (email: string, more: Record<string, unknown> = {}) =>
  (await call(support, createUser, { body: { email, name: "Jana Kowalczyk", ...more } })).body;

const found = async (q: string, person = support) =>
  (await call(person, listUsers, { query: { q } })).body.items.map(({ email }) => email);

test("finds users by the start of address, external ID and number, and by any part of the name", async () => {
  const { number } = await newCustomer("zofia.wisla@example.com", {
    name: "Zofia Wiśniewska",
    externalId: "NQ_ext%7",
  });
  const only = ["zofia.wisla@example.com"];
  expect(await found("zofia.w")).toEqual(only);
  expect(await found("ZOFIA.WISLA@EXAMPLE.COM")).toEqual(only);
  expect(await found("śniewsk")).toEqual(only);
  expect(await found("nq_ext%7")).toEqual(only);
  expect(await found("NQ_EXT")).toEqual(only);
  expect(await found(number)).toEqual(only);
  expect(await found(number.toLowerCase().slice(0, 8))).toEqual(only);
  expect(await found("wisla@example")).toEqual([]);
  expect(await found("_ext")).toEqual([]);
  expect(await found("%")).toEqual([]);
});

test("pages through a search with many matches without repeating a user", async () => {
  await owner.query(`
    insert into users (email, name, status, country)
    select 'many-' || n || '@example.com', 'Manifold ' || n, 'active', case when n % 50 = 0 then 'FI' end
    from generate_series(1, 2100) n`);
  const first = await call(support, listUsers, {
    query: { q: "manifold", sort: "-name", size: "100" },
  });
  expect(first.body.total).toEqual({ count: 2100, kind: "exact" });
  const second = await call(support, listUsers, {
    query: { q: "manifold", sort: "-name", size: "100", after: first.body.next ?? "" },
  });
  const names = [...first.body.items, ...second.body.items].map(({ name }) => name);
  expect(new Set(names).size).toBe(200);
  expect(names).toEqual(names.toSorted().toReversed());
  const few = await call(support, listUsers, {
    query: { q: "manifold", f: ["country:any:FI"], size: "100" },
  });
  expect(few.body.items).toHaveLength(42);
  await owner.query("delete from users where name like 'Manifold%'");
});

test("filters users by status, role and country", async () => {
  const { id } = await newCustomer("filtered@example.com", { country: "IS" });
  await call(support, suspendUser, { params: { id }, version: 1, body: {} });
  const emailsOf = async (person: typeof admin, f: string[]) =>
    (await call(person, listUsers, { query: { f, size: "100" } })).body.items.map(
      ({ email }) => email,
    );
  expect(await emailsOf(support, ["country:any:IS"])).toEqual(["filtered@example.com"]);
  expect(await emailsOf(support, ["status:any:suspended", "country:any:IS,DE"])).toEqual([
    "filtered@example.com",
  ]);
  expect(await emailsOf(admin, ["role:any:support"])).toEqual([support.email]);
  expect(await emailsOf(admin, ["role:any:customer"])).not.toContain(admin.email);
  expect(await emailsOf(support, ["role:any:support"])).toEqual([]);
});

test("T2 hides team members without team:read in lists, counts, exports, search and by id", async () => {
  const emails = async (person: typeof admin) =>
    (await call(person, listUsers, { query: { size: "100" } })).body.items.map(
      ({ email }) => email,
    );
  expect(await emails(admin)).toEqual(expect.arrayContaining([admin.email, viewer.email]));
  expect(await emails(viewer)).not.toContain(admin.email);
  expect(await found("Ada Admin")).toEqual([]);
  expect(await found("Ada Admin", admin)).toEqual([admin.email]);
  expect(await found(admin.email)).toEqual([]);

  const counts = (await call(viewer, countUsers)).body;
  const all = (await call(admin, countUsers)).body;
  expect(counts.team).toBeNull();
  expect(counts.everyone).toEqual(counts.customers);
  expect(all.team?.count).toBeGreaterThanOrEqual(3);
  expect(all.everyone.count).toBe(all.customers.count + (all.team?.count ?? 0));

  const query = { format: "csv", columns: "email,name" } as const;
  expect((await call(viewer, exportUsers, { query })).text).not.toContain("Ada Admin");
  expect((await call(admin, exportUsers, { query })).text).toContain("Ada Admin");

  const params = { id: admin.id };
  const body = { email: "x@example.com", name: "X" };
  const answers = [
    await call(support, getUser, { params }),
    await call(support, changeUser, { params, version: 1, body }),
    await call(support, suspendUser, { params, version: 1, body: {} }),
    await call(support, restoreUser, { params, version: 1, body: {} }),
    await call(support, listUserNotes, { params }),
    await call(support, addUserNote, { params, body: { text: "Seen." } }),
    await call(support, crossOutUserNote, { params: { ...params, noteId: admin.id }, body: {} }),
    await call(support, getUserActivity, { params }),
  ];
  const unknown = await call(support, getUser, {
    params: { id: "01a1dd06-0000-7000-8000-000000000000" },
  });
  for (const { status, body: problem } of answers)
    expect([status, problem["detail"]]).toEqual([404, unknown.body["detail"]]);
  const acted = await call(support, bulkUsers, {
    body: { action: "suspend", users: [{ id: admin.id, version: 1 }] },
  });
  expect(acted.body).toMatchObject({ done: [], refused: [{ name: "", code: "not_found" }] });
  const lately = (await call(support, listActivity)).body.items;
  expect(lately.filter(({ recordId }) => recordId === admin.id)).toEqual([]);
});
