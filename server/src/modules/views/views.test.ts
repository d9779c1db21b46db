import { randomUUID } from "node:crypto";
import {
  changeSharedView,
  deleteSharedView,
  listSharedViews,
  sharedViewsMax,
  shareView,
} from "@purser/contract/workspace/sharedViews";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const head = await signIn("owner", "Olga Owner");
const finance = await signIn("finance", "Fin Finance");
const support = await signIn("support", "Sam Support");
const viewer = await signIn("viewer", "Vera Viewer");

const failed = { name: "Failed", f: ["state:any:failed"], sort: "-occurredAt" };
const share = (person: { cookie: string }, details: object = {}) =>
  call(person, shareView, {
    body: { list: "transactions", ...failed, name: randomUUID().slice(0, 8), ...details },
  });
const seenBy = async (person: { cookie: string }) =>
  (await call(person, listSharedViews)).body.items;

test("everyone sees who shared a view, and a viewer can't share one", async () => {
  const { status, body } = await share(finance, { cols: ["number", "total"], q: "card" });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    f: ["state:any:failed"],
    q: "card",
    cols: ["number", "total"],
    owner: { name: "Fin Finance" },
    isDefault: false,
  });
  expect(await seenBy(viewer)).toContainEqual(body);
  expect((await share(viewer)).status).toBe(403);
});

test("only its owner and the Owner role change or delete a view", async () => {
  const { id } = (await share(finance)).body;
  const rename = (person: { cookie: string }, name: string) =>
    call(person, changeSharedView, { params: { id }, body: { ...failed, name } });
  expect((await rename(support, "Theirs")).status).toBe(403);
  expect((await rename(viewer, "Theirs")).status).toBe(403);
  expect((await rename(finance, "Mine")).body.name).toBe("Mine");
  expect((await rename(head, "Ours")).body).toMatchObject({
    name: "Ours",
    owner: { id: finance.id },
  });
  const remove = (person: { cookie: string }) => call(person, deleteSharedView, { params: { id } });
  expect((await remove(support)).status).toBe(403);
  expect((await remove(finance)).status).toBe(204);
  expect((await remove(finance)).status).toBe(404);
});

test("a name is used once per list, in any case, also at the same time", async () => {
  const name = `Name ${randomUUID().slice(0, 8)}`;
  const shared = await Promise.all([
    share(finance, { name }),
    share(support, { name: name.toUpperCase() }),
    share(support, { name, list: "users" }),
  ]);
  expect(shared.map(({ status }) => status).toSorted()).toEqual([201, 201, 409]);
});

test("an owner chooses one default view of a list for the team", async () => {
  expect((await share(finance, { isDefault: true })).status).toBe(403);
  const { id } = (await share(finance)).body;
  const set = (person: { cookie: string }, which: string) =>
    call(person, changeSharedView, {
      params: { id: which },
      body: { ...failed, name: which.slice(-8), isDefault: true },
    });
  expect((await set(finance, id)).status).toBe(403);
  expect((await set(head, id)).body.isDefault).toBe(true);
  const next = (await share(head, { isDefault: true })).body;
  const defaults = (await seenBy(viewer)).filter(({ isDefault }) => isDefault);
  expect(defaults.map((view) => view.id)).toEqual([next.id]);
});

test("a list has a limited number of shared views", async () => {
  const statuses = [];
  for (let n = 0; n <= sharedViewsMax; n += 1)
    statuses.push((await share(support, { list: "apps" })).status);
  expect(statuses.slice(-2)).toEqual([201, 409]);
});

test("a shared view that searches for a customer is removed when the customer is erased", async () => {
  const email = `${randomUUID()}@example.com`;
  const { rows } = await owner.query(
    "insert into users (email, name, status) values ($1, 'Zofia', 'active') returning id",
    [email],
  );
  const { id } = (await share(finance, { list: "users", q: email })).body;
  const other = (await share(finance, { list: "users" })).body;
  await owner.query(
    "update users set status = 'erased', email = 'erased@erased.invalid' where id = $1",
    [rows[0].id],
  );
  const left = (await seenBy(viewer)).map((view) => view.id);
  expect(left).toContain(other.id);
  expect(left).not.toContain(id);
});
