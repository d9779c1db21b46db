import type { Change } from "@purser/contract/workspace/liveChanges";
import { getDraft, removeDraft, saveDraft } from "@purser/contract/workspace/unsavedChanges";
import { expect, test, vi } from "vitest";
import { testProduct } from "#testing.ts";
import { movableClock } from "../auth/testing.ts";
import { deleteOldDrafts } from "./queries.ts";

const clock = movableClock();
const product = await testProduct({ clock });
const { call, signIn, startSession, owner, platform } = product;

type Person = { id: string; cookie: string };
type Values = Record<string, unknown>;

const base = { name: "Harbor", platforms: ["web"], supportEmail: null };
const typed = { ...base, name: "Harbour" };

const save = (person: Person, form: string, values: Values = typed, version = 3) =>
  call(person, saveDraft, {
    params: { form },
    body: { userId: person.id, version, base, values },
  });
const read = async (person: Person, form: string) =>
  (await call(person, getDraft, { params: { form } })).body.draft;
const remove = (person: Person, form: string) => call(person, removeDraft, { params: { form } });

const formsOf = async ({ id }: Person) => {
  const { rows } = await owner.query<{ form: string }>(
    "select form from drafts where user_id = $1 order by saved_at, form",
    [id],
  );
  return rows.map(({ form }) => form);
};

test("returns the saved values with the base of the record", async () => {
  const person = await signIn("viewer");
  expect(await call(person, getDraft, { params: { form: "apps-create" } })).toMatchObject({
    status: 200,
    body: { draft: null },
  });
  const values = {
    ...base,
    description: " half a \n thought ",
    amount: 12.5,
    isFree: false,
    prices: [{ country: "PT", amounts: [1, 2] }],
    cells: { "01a1dd06-0000-7000-8000-000000000000": { limit: null } },
  };
  const savedAt = new Date(clock.now()).toISOString();
  const { status, body } = await save(person, "apps-create", values, 0);
  expect([status, body]).toEqual([200, { savedAt }]);
  expect(await read(person, "apps-create")).toEqual({
    form: "apps-create",
    version: 0,
    base,
    values,
    savedAt,
  });
});

test("keeps the last draft of a form until it is removed", async () => {
  const person = await signIn("viewer");
  await save(person, "apps-edit-1");
  clock.forward(60);
  await save(person, "apps-edit-1", { ...typed, name: "Harbour Pilot" }, 4);
  expect(await read(person, "apps-edit-1")).toMatchObject({
    version: 4,
    values: { name: "Harbour Pilot" },
    savedAt: new Date(clock.now()).toISOString(),
  });
  expect(await formsOf(person)).toEqual(["apps-edit-1"]);
  expect((await remove(person, "apps-edit-1")).status).toBe(204);
  expect(await read(person, "apps-edit-1")).toBeNull();
  expect((await remove(person, "apps-edit-1")).status).toBe(204);
});

test("hides drafts from other users of any role", async () => {
  const person = await signIn("viewer");
  const other = await signIn("owner");
  await save(person, "apps-create");
  expect(await read(other, "apps-create")).toBeNull();
  await remove(other, "apps-create");
  await save(other, "apps-create", { name: "Theirs" });
  expect(await read(person, "apps-create")).toMatchObject({ values: typed });
  expect(await read(other, "apps-create")).toMatchObject({ values: { name: "Theirs" } });
});

test("refuses a draft of another user in the same browser", async () => {
  const person = await signIn("viewer");
  const next = await signIn("viewer");
  const { status, body } = await save({ ...next, id: person.id }, "apps-create");
  expect([status, body["type"]]).toEqual([403, "urn:purser:problem:forbidden"]);
  expect(await formsOf(person)).toEqual([]);
  expect(await formsOf(next)).toEqual([]);
});

test("requires a session", async () => {
  const params = { form: "apps-create" };
  const body = { userId: (await signIn("viewer")).id, version: 0, base, values: typed };
  const answers = [
    await call(null, getDraft, { params }),
    await call(null, saveDraft, { params, body }),
    await call(null, removeDraft, { params }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});

const many = (amount: number) =>
  Object.fromEntries(Array.from({ length: amount }, (_, n) => [`field${n}`, n]));

const bad: [string, Partial<{ form: string; version: number; values: unknown }>, number][] = [
  ["a form named otherwise", { form: "Apps_Create" }, 400],
  ["a form with a long name", { form: "a".repeat(121) }, 400],
  ["a version below nothing", { version: -1 }, 400],
  ["half a version", { version: 1.5 }, 400],
  ["a version beyond all others", { version: 1_000_000_000 }, 400],
  ["a list in place of values", { values: [] }, 400],
  ["no values", { values: null }, 400],
  ["a field named otherwise", { values: { "a b": 1 } }, 400],
  ["more than 100 fields", { values: many(101) }, 400],
  ["values within values without end", { values: { name: [[[["deep"]]]] } }, 400],
  ["more than a request may hold", { values: { name: "n".repeat(66_000) } }, 413],
];

test.each(bad)("refuses %s", async (_what, wrong, status) => {
  const person = await signIn("viewer");
  const { form = "apps-create", version = 0, values = typed } = wrong;
  expect((await save(person, form, values as Values, version)).status).toBe(status);
  expect(await formsOf(person)).toEqual([]);
});

test("stores a draft of the maximum size", async () => {
  const person = await signIn("viewer");
  const form = "a".repeat(120);
  const values = { ...many(99), name: "n".repeat(60_000) };
  expect((await save(person, form, values, 999_999_999)).status).toBe(200);
  expect(await read(person, form)).toMatchObject({ form, version: 999_999_999, values });
});

test("T28 removes forbidden characters and keeps the rest", async () => {
  const person = await signIn("viewer");
  const point = String.fromCodePoint;
  const name = `Har${point(0)}bor${point(0x202e)} Cafe\u0301${"\ud83d"} 😀 `;
  await save(person, "apps-create", { name, notes: [`a${point(0xfeff)}`, { more: "\udc00b" }] });
  expect(await read(person, "apps-create")).toMatchObject({
    values: { name: "Harbor Café 😀 ", notes: ["a", { more: "b" }] },
  });
});

test("keeps at most 50 drafts per user and deletes the oldest", async () => {
  const person = await signIn("viewer");
  const other = await signIn("viewer");
  await save(other, "apps-create");
  for (let n = 0; n < 50; n += 1) {
    clock.forward(1);
    await save(person, `apps-edit-${n}`);
  }
  expect(await formsOf(person)).toHaveLength(50);
  // The first is typed into again, so the second is the oldest now.
  clock.forward(1);
  await save(person, "apps-edit-0");
  expect(await formsOf(person)).toHaveLength(50);
  clock.forward(1);
  await save(person, "apps-create");
  const forms = await formsOf(person);
  expect(forms).toHaveLength(50);
  expect(forms.slice(0, 2)).toEqual(["apps-edit-2", "apps-edit-3"]);
  expect(forms.slice(-2)).toEqual(["apps-edit-0", "apps-create"]);
  expect(await formsOf(other)).toEqual(["apps-create"]);
});

test("keeps at most 50 drafts under concurrent saves", async () => {
  const person = await signIn("viewer");
  const saveAll = (from: number, until: number) =>
    Promise.all(
      Array.from({ length: until - from }, (_, n) => save(person, `apps-edit-${from + n}`)),
    );
  // In two parts, because one user can't have this many requests in progress.
  const answers = [...(await saveAll(0, 25)), ...(await saveAll(25, 70))];
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await formsOf(person)).toHaveLength(50);
});

test("deletes a draft after 30 days", async () => {
  const person = await signIn("viewer");
  const day = 86_400;
  await save(person, "apps-edit-1");
  clock.forward(29 * day);
  await save({ ...person, cookie: await startSession(person.id) }, "apps-edit-2");
  const forget = () => deleteOldDrafts(platform.db, new Date(clock.now()));
  await forget();
  expect(await formsOf(person)).toEqual(["apps-edit-1", "apps-edit-2"]);
  clock.forward(day + 1);
  await forget();
  expect(await formsOf(person)).toEqual(["apps-edit-2"]);
});

test("are neither audited nor announced, and are deleted with the user", async () => {
  const person = await signIn("viewer");
  const { announcements } = platform;
  const heard: Change[] = [];
  const stop = announcements.listen((changes) => heard.push(...changes));
  await save(person, "apps-create");
  await remove(person, "apps-create");
  await save(person, "apps-create");
  const marker: Change = { entity: "marker", id: null, action: "update" };
  await announcements.announce([marker]);
  await vi.waitFor(() => expect(heard).toEqual([marker]), 3000);
  stop();
  const { rows } = await owner.query("select from audit_entries where entity = 'drafts'");
  expect(rows).toEqual([]);
  await owner.query("delete from sessions where user_id = $1", [person.id]);
  await owner.query("delete from users where id = $1", [person.id]);
  expect(await formsOf(person)).toEqual([]);
});
