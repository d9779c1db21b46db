import { randomUUID } from "node:crypto";
import { createApp } from "@purser/contract/apps/endpoints";
import {
  addAppComment,
  type CommentedEntity,
  commentEndpoints,
  crossOutAppComment,
  listAppComments,
  listColleagues,
} from "@purser/contract/workspace/comments";
import { listActions } from "@purser/contract/workspace/history";
import { listNotifications, readNotifications } from "@purser/contract/workspace/notifications";
import { countUnread } from "@purser/contract/workspace/unread";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin", "Ada Admin");
const support = await signIn("support", "Sam Support");
const viewer = await signIn("viewer", "Vera Viewer");

const newApp = async () =>
  (
    await call(admin, createApp, {
      body: { code: `c-${randomUUID().slice(0, 8)}`, name: "Harbor" },
    })
  ).body.id;

const noticesOf = async (person: { cookie: string }) =>
  (await call(person, listNotifications)).body;

test("comments on every kind of record, newest first, and finds no comments of a missing record", async () => {
  const id = await newApp();
  for (const text of ["First", "Second"])
    expect((await call(support, addAppComment, { params: { id }, body: { text } })).status).toBe(
      201,
    );
  const { items } = (await call(viewer, listAppComments, { params: { id } })).body;
  expect(items.map(({ text, author }) => [text, author.name])).toEqual([
    ["Second", "Sam Support"],
    ["First", "Sam Support"],
  ]);
  for (const entity of Object.keys(commentEndpoints) as CommentedEntity[]) {
    const missing = { id: randomUUID() };
    const { list, add } = commentEndpoints[entity];
    expect((await call(admin, list, { params: missing })).status, entity).toBe(404);
    const added = await call(admin, add, { params: missing, body: { text: "x" } });
    expect(added.status, entity).toBe(404);
  }
});

test("the history names the record of a comment", async () => {
  const id = await newApp();
  await call(support, addAppComment, { params: { id }, body: { text: "Look" } });
  const { items, names } = (
    await call(admin, listActions, { query: { f: ["entity:any:user_notes"], size: "1" } })
  ).body;
  expect(items[0]?.entries[0]?.facts).toMatchObject({ entity: "apps", recordId: id });
  expect(names[id]).toMatchObject({ entity: "apps", name: "Harbor" });
});

test("a viewer reads comments and can't write any", async () => {
  const id = await newApp();
  const refused = await call(viewer, addAppComment, { params: { id }, body: { text: "x" } });
  expect(refused.status).toBe(403);
});

test("notifies mentioned team members once, but not the author", async () => {
  const id = await newApp();
  const { body } = await call(admin, addAppComment, {
    params: { id },
    body: { text: "@Sam Support, look. @Ada Admin", mentions: [support.id, support.id, admin.id] },
  });
  expect(body.mentions.map(({ name }) => name)).toEqual(["Ada Admin", "Sam Support"]);
  const { items, unread } = await noticesOf(support);
  expect(unread).toBe(1);
  expect(items[0]).toMatchObject({
    kind: "mention",
    message: { text: "Ada Admin mentioned you in a comment on Harbor" },
    path: `/apps/view/${id}?tab=activity#${body.id}`,
    readAt: null,
  });
  expect((await noticesOf(admin)).items).toEqual([]);
  expect((await noticesOf(viewer)).items).toEqual([]);
});

test("refuses to mention a customer, a suspended team member or an unknown id", async () => {
  const id = await newApp();
  const suspended = await signIn("support");
  await owner.query("update users set status = 'suspended' where id = $1", [suspended.id]);
  const { rows } = await owner.query(
    "insert into users (email, name, status) values ('c@example.com', 'C', 'active') returning id",
  );
  for (const mentioned of [suspended.id, rows[0].id, randomUUID()]) {
    const refused = await call(admin, addAppComment, {
      params: { id },
      body: { text: "@x", mentions: [mentioned] },
    });
    expect(refused.body["errors"]).toMatchObject([{ pointer: "/mentions" }]);
  }
  expect((await call(admin, listAppComments, { params: { id } })).body.items).toEqual([]);
});

test("marks one, then all notifications up to one as read, only one's own", async () => {
  const reader = await signIn("finance");
  const id = await newApp();
  const mention = (text: string) =>
    call(admin, addAppComment, { params: { id }, body: { text, mentions: [reader.id] } });
  for (const text of ["1", "2", "3"]) await mention(text);
  const [third, second, first] = (await noticesOf(reader)).items;
  const read = (person: { cookie: string }, body: { until?: string; only?: string }) =>
    call(person, readNotifications, { body });
  await read(support, { only: third?.id ?? "" });
  expect((await noticesOf(reader)).unread).toBe(3);
  expect((await read(reader, { only: second?.id ?? "" })).body).toEqual({ unread: 2 });
  expect((await read(reader, { until: first?.id ?? "" })).body).toEqual({ unread: 1 });
  expect((await read(reader, {})).body).toEqual({ unread: 0 });
});

test("counts no more than 10 unread notifications", async () => {
  const reader = await signIn("finance");
  await owner.query(
    `insert into notifications (user_id, kind, message, path)
     select $1, 'job', '{"code":"x","text":"x"}', '/' from generate_series(1, 60)`,
    [reader.id],
  );
  const { items, unread } = await noticesOf(reader);
  expect([items.length, unread]).toEqual([50, 10]);
  expect((await call(reader, countUnread)).body).toEqual({ unread: 10 });
});

test("only the author crosses out a comment, once, and only on its record", async () => {
  const [id, other] = [await newApp(), await newApp()];
  const { body } = await call(support, addAppComment, { params: { id }, body: { text: "x" } });
  const cross = (person: { cookie: string }, at = id) =>
    call(person, crossOutAppComment, { params: { id: at, commentId: body.id }, body: {} });
  expect((await cross(admin)).status).toBe(403);
  expect((await cross(support, other)).status).toBe(404);
  expect((await cross(support)).body.crossedOutAt).not.toBeNull();
  expect((await cross(support)).status).toBe(409);
});

test("finds colleagues by part of their name, without wildcards", async () => {
  const find = async (q: string) =>
    (await call(viewer, listColleagues, { query: { q } })).body.items.map(({ name }) => name);
  expect(await find("SUPP")).toContain("Sam Support");
  expect(await find("%")).toEqual([]);
});
