import { activateApp } from "@purser/contract/apps/endpoints";
import { changeBalance } from "@purser/contract/money/balance";
import { createUser, listUsers } from "@purser/contract/users/endpoints";
import { mergeUsers } from "@purser/contract/users/merge";
import { addUserNote } from "@purser/contract/users/notes";
import { undoImport } from "@purser/contract/workspace/importActions";
import { getImport } from "@purser/contract/workspace/imports";
import { listNotifications } from "@purser/contract/workspace/notifications";
import { expect, test } from "vitest";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { appCallsIn, keyIn } from "#modules/usage/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { moneyIn, monthly } from "../../moneyFaults/testing.ts";
import { runImport } from "./jobs.ts";
import { importing } from "./testing/importing.ts";

const product = await testProduct();
const { call, owner, platform, signIn } = product;
await owner.query("update settings set approval_rules = '{}'");
const boss = await signIn("owner");
const ada = await signIn("admin", "Ada Admin");
const ben = await signIn("admin", "Ben Admin");
const own = importing(product, ada);
const { newApp, newLimit } = catalogIn(product, ada);
const { grantTo } = grantsIn(product, ada);

const money = await moneyIn(product);
const pack = await money.putOnSale([monthly(1200)]);

const findOne = async (q: string) =>
  (await call(ada, listUsers, { query: { q } })).body.items[0] ?? { id: "", name: null };
const rowsOf = (...names: string[]) =>
  ["external id,email", ...names.map((name) => `${name},${name}@undo.example.com`)].join("\n");
const undo = (person: { cookie: string }, id: string) =>
  call(person, undoImport, { params: { id }, body: { reason: "Wrong file." } });
const read = async (id: string) => (await call(boss, getImport, { params: { id } })).body;

test("undo keeps customers who have used a feature without a package", async () => {
  const app = await newApp();
  const metered = { kind: "metered", reset: "month", combining: "sum", defaultValue: 10 };
  const feature = await newLimit(app.id, "Exports", metered);
  await call(ada, activateApp, { params: { id: app.id }, version: app.version, body: {} });
  const { consume } = appCallsIn(product, await keyIn(product, ada, app.id));
  const { id } = await own.all(rowsOf("used", "unused"));
  const customer = await findOne("used@undo.example.com");
  const used = await consume({ user: customer.id, feature: feature.code, amount: 4 });
  expect(used.body, used.text).toMatchObject({ allowed: true });
  await undo(ada, id);
  await own.undo(id);
  expect((await read(id)).undone).toBe(1);
  expect(await findOne("used@undo.example.com")).toMatchObject({ id: customer.id });
});

test("undo keeps customers with a payment, access, a balance, a note or a promotion since", async () => {
  const names = ["paying", "granted", "credited", "noted", "promoted"];
  const { id } = await own.all(rowsOf(...names, "new"));
  const emailOf = (name: string) => `${name}@undo.example.com`;
  const idOf = async (name: string) => (await findOne(emailOf(name))).id;
  await money.buy({ id: await idOf("paying"), email: emailOf("paying") }, pack);
  await grantTo(emailOf("granted"), { packageId: pack.id });
  const params = { id: await idOf("credited") };
  const change = { currency: "EUR", amount: 500, reason: "Sorry." };
  expect((await call(ada, changeBalance, { params, body: change })).status).toBe(200);
  const note = { params: { id: await idOf("noted") }, body: { text: "Called." } };
  expect((await call(ada, addUserNote, note)).status).toBe(201);
  await money.promote({ name: "For them" });
  await owner.query(
    "insert into promotion_people (promotion_id, user_id) select p.id, $1 from promotions p limit 1",
    [await idOf("promoted")],
  );
  await undo(ada, id);
  await own.undo(id);
  const { rows } = await owner.query(
    "select email from users where email like any ($1) order by email",
    [[...names, "new"].map(emailOf)],
  );
  expect(rows.map((row) => row.email)).toEqual(names.map(emailOf).toSorted());
  expect((await read(id)).undone).toBe(1);
});

test("undo keeps customers into whom one with access was merged", async () => {
  const { id } = await own.all(rowsOf("survivor"));
  const survivor = await findOne("survivor@undo.example.com");
  const body = { email: "buyer@undo.example.com", name: "Buyer" };
  const buyer = (await call(ada, createUser, { body })).body;
  await money.buy(buyer, pack);
  const merged = await call(ada, mergeUsers, {
    params: { id: survivor.id },
    body: { otherId: buyer.id, reason: "Two addresses." },
  });
  expect(merged.status, merged.text).toBe(200);
  await undo(ada, id);
  await own.undo(id);
  expect((await read(id)).undone).toBe(0);
  expect(await findOne("survivor@undo.example.com")).toMatchObject({ id: survivor.id });
});

test("an undo is in the name of who asked for it, and not of who uploaded the file", async () => {
  const { id } = await own.all(rowsOf("named"));
  await undo(ben, id);
  await own.undo(id);
  const { rows } = await owner.query(
    "select distinct actor_name as name from audit_entries where request_id = $1",
    [`undo ${id}`],
  );
  expect(rows).toEqual([{ name: "Ben Admin" }]);
  const { body } = await call(ben, listNotifications, {});
  expect(body.items[0]).toMatchObject({ path: `/import/${id}` });
});

test("an import stops when who started it loses the permission, and another team member can undo it", async () => {
  const eve = await signIn("admin", "Eve Admin");
  const theirs = importing(product, eve);
  const { id } = await theirs.all(rowsOf("lost-1"));
  const next = await theirs.upload(rowsOf("lost-2"));
  await theirs.check(next.id, next.mapping);
  const setRole = (role: string) =>
    owner.query("update users set role = $1 where name = 'Eve Admin'", [role]);
  await owner.query(
    "update imports set status = 'running', started_at = now(), position = 0 where id = $1",
    [next.id],
  );
  await undo(eve, id);
  await setRole("viewer");
  await own.runJob(runImport, next.id);
  await own.undo(id);
  expect([(await read(next.id)).status, (await read(id)).status]).toEqual(["stopped", "stopped"]);
  expect(await findOne("lost-2@undo.example.com")).toMatchObject({ id: "" });
  expect(await findOne("lost-1@undo.example.com")).toMatchObject({
    name: "lost-1@undo.example.com",
  });
  const told = await owner.query(
    "select message ->> 'code' as code from notifications where user_id = $1 order by id desc limit 1",
    [eve.id],
  );
  expect(told.rows).toEqual([{ code: "import_forbidden" }]);
  expect((await undo(ben, id)).status).toBe(200);
  await own.undo(id);
  expect(await read(id)).toMatchObject({ status: "undone", undone: 1 });
});

test("the changes of an import are announced as those of who started it", async () => {
  const { announcements } = platform;
  const heard: (string | null | undefined)[] = [];
  const stop = announcements.listen((changes) => {
    heard.push(...changes.filter(({ entity }) => entity === "users").map(({ by }) => by));
  });
  await own.all(rowsOf("announced"));
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  stop();
  expect([...new Set(heard)]).toEqual([ada.id]);
});
