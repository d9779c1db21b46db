import { getSession } from "@purser/contract/auth/session";
import type { Change } from "@purser/contract/workspace/liveChanges";
import { changePreferences, defaultPreferences } from "@purser/contract/workspace/preferences";
import { expect, test, vi } from "vitest";
import { testProduct } from "#testing.ts";
import { addPerson, attemptSignIn } from "../testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;

const seenBy = async (person: { cookie: string }) =>
  (await call(person, getSession)).body.preferences;
const store = (userId: string, value: unknown) =>
  owner.query(
    `insert into preferences values ($1, $2)
     on conflict (user_id) do update set value = excluded.value`,
    [userId, JSON.stringify(value)],
  );

test("returns the defaults, also in the reply to a sign-in", async () => {
  expect(await seenBy(await signIn("viewer"))).toEqual(defaultPreferences);
  const { email } = await addPerson(product);
  const { body } = await attemptSignIn(product, { email });
  expect(body).toMatchObject({ state: "signed in", me: { preferences: defaultPreferences } });
});

test("keeps omitted preferences, columns of other lists, and those of other users", async () => {
  const person = await signIn("viewer");
  const other = await signIn("viewer");
  await call(person, changePreferences, {
    body: { theme: "dark", language: "en-US", timeZone: "Europe/Lisbon" },
  });
  const apps = [
    { id: "name", width: 200, pin: "left" as const },
    { id: "code", hidden: true },
  ];
  await call(person, changePreferences, { body: { columns: { apps } } });
  const staff = [{ id: "email" }];
  const mine = { name: "Mine", f: ["status:any:active"], sort: "-name" };
  const last = await call(person, changePreferences, {
    body: {
      density: "compact",
      columns: { staff },
      views: { apps: [mine] },
      densities: { apps: "comfortable" },
      defaultViews: { apps: "Mine" },
      testModeDefaultViews: { apps: "" },
    },
  });
  const expected = {
    theme: "dark",
    density: "compact",
    language: "en-US",
    timeZone: "Europe/Lisbon",
    singleKeys: true,
    digest: "off",
    hidesSetup: false,
    columns: { apps, staff },
    views: { apps: [mine] },
    densities: { apps: "comfortable" },
    defaultViews: { apps: "Mine" },
    testModeDefaultViews: { apps: "" },
  };
  expect([last.status, last.body]).toEqual([200, expected]);
  expect(await seenBy(person)).toEqual(expected);
  expect(await seenBy(other)).toEqual(defaultPreferences);
  const cleared = await call(person, changePreferences, { body: { timeZone: null } });
  expect(cleared.body).toEqual({ ...expected, timeZone: null });
});

test("merges concurrent changes of different preferences, also the first time", async () => {
  for (let round = 0; round < 10; round += 1) {
    const person = await signIn("viewer");
    const bodies = [
      { theme: "dark" as const },
      { density: "compact" as const },
      { language: "en-US" as const },
      { singleKeys: false },
      { columns: { apps: [{ id: "name" }] } },
      { columns: { staff: [{ id: "email" }] } },
      { views: { apps: [{ name: "Mine", f: [] }] } },
      { views: { staff: [] } },
      { densities: { apps: "compact" as const } },
      { defaultViews: { apps: "Mine" } },
      { defaultViews: { staff: "" } },
      { testModeDefaultViews: { apps: "Other" } },
      { testModeDefaultViews: { staff: "" } },
    ];
    await Promise.all(bodies.map((body) => call(person, changePreferences, { body })));
    expect(await seenBy(person)).toEqual({
      theme: "dark",
      density: "compact",
      language: "en-US",
      timeZone: null,
      singleKeys: false,
      digest: "off",
      hidesSetup: false,
      columns: { apps: [{ id: "name" }], staff: [{ id: "email" }] },
      views: { apps: [{ name: "Mine", f: [] }], staff: [] },
      densities: { apps: "compact" },
      defaultViews: { apps: "Mine", staff: "" },
      testModeDefaultViews: { apps: "Other", staff: "" },
    });
  }
});

test("replaces unknown values of another release with the default", async () => {
  const person = await signIn("viewer");
  await store(person.id, {
    theme: "sepia",
    density: "compact",
    language: "tlh",
    timeZone: "Mars/Base",
    singleKeys: "yes",
    fontSize: 14,
    columns: {
      apps: [{ id: "name", width: 120 }],
      staff: [{ id: "email", colour: "red" }],
      "Not a list": [],
      jobs: 3,
    },
  });
  expect(await seenBy(person)).toEqual({
    ...defaultPreferences,
    density: "compact",
    columns: { apps: [{ id: "name", width: 120 }] },
  });
  for (const columns of [3, null, "x", [{ id: "name" }]]) {
    await store(person.id, { columns });
    expect(await seenBy(person)).toEqual(defaultPreferences);
    const changed = await call(person, changePreferences, {
      body: { columns: { apps: [{ id: "code" }] } },
    });
    expect(changed.body.columns).toEqual({ apps: [{ id: "code" }] });
  }
});

test("refuses more than 20 lists", async () => {
  const person = await signIn("viewer");
  const names = Array.from({ length: 20 }, (_, n) => `list${String.fromCharCode(97 + n)}`);
  const columns = Object.fromEntries(names.map((name) => [name, [{ id: "name" }]]));
  expect((await call(person, changePreferences, { body: { columns } })).status).toBe(200);
  const more = { columns: { another: [{ id: "name" }] } };
  const refused = await call(person, changePreferences, { body: more });
  expect([refused.status, refused.body["errors"]]).toMatchObject([400, [{ pointer: "/columns" }]]);
  const again = { columns: { lista: [{ id: "code" }] } };
  expect((await call(person, changePreferences, { body: again })).status).toBe(200);
  expect(Object.keys(await seenBy(person).then(({ columns: kept }) => kept)).sort()).toEqual(names);
});

test("are neither audited nor announced, and are deleted with the user", async () => {
  const person = await signIn("viewer");
  const { announcements } = product.platform;
  const heard: Change[] = [];
  const stop = announcements.listen((changes) => heard.push(...changes));
  await call(person, changePreferences, { body: { theme: "dark" } });
  const marker: Change = { entity: "marker", id: null, action: "update" };
  await announcements.announce([marker]);
  await vi.waitFor(() => expect(heard).toEqual([marker]), 3000);
  stop();
  const { rows } = await owner.query("select from audit_entries where entity = 'preferences'");
  expect(rows).toEqual([]);
  const kept = "select from preferences where user_id = $1";
  expect((await owner.query(kept, [person.id])).rowCount).toBe(1);
  await owner.query("delete from sessions where user_id = $1", [person.id]);
  await owner.query("delete from users where id = $1", [person.id]);
  expect((await owner.query(kept, [person.id])).rowCount).toBe(0);
});
