import { randomUUID } from "node:crypto";
import {
  type AttentionKind,
  assignAttention,
  listAssignees,
  listAttention,
  listAttentionRecords,
  snoozeAttention,
} from "@purser/contract/reports/attention";
import { listNotifications } from "@purser/contract/workspace/notifications";
import { beforeEach, expect, test } from "vitest";
import { loadRows, testProduct } from "../../../testing.ts";
import { forgetMarks } from "./attention.ts";
import { findSnoozeEnd } from "./queries.ts";

const product = await testProduct({ environment: { COMPANY_TIME_ZONE: "Europe/Tallinn" } });
const { call, owner, signIn, platform } = product;
const ada = await signIn("admin", "Ada Admin");
const fin = await signIn("finance", "Fin Finance");
const cat = await signIn("catalog", "Cat Catalog");
const viewer = await signIn("viewer", "Vera Viewer");

type Person = { cookie: string };

/** A webhook that is failing, which owners and admins can do something about. */
const failWebhook = async () => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into webhook_endpoints (url, description, types, status, secret, failing_since)
     values ('https://example.com/' || gen_random_uuid(), 'CRM', '{transaction.changed}', 'active', '', now()) returning id`,
  );
  return rows[0]?.id ?? "";
};

const endWebhooks = () => owner.query("update webhook_endpoints set failing_since = null");

/** Unmatched provider events, which finance can do something about. */
const loseEvents = (count: number) =>
  loadRows(
    owner,
    `insert into provider_events (provider, event_id, type, payment, body, at, outcome, words)
     select 'stripe', gen_random_uuid(), 'x', 'x', '{}', now(), 'unmatched', '' from generate_series(1, $1)`,
    [count],
  );

const rowOf = async (person: Person, kind: AttentionKind, of?: "me") =>
  (await call(person, listAttention, { query: of ? { of } : {} })).body.items.find(
    (item) => item.kind === kind,
  );

const recordsOf = async (person: Person, kind: AttentionKind = "unmatched events") =>
  (await call(person, listAttentionRecords, { query: { kind } })).body.items;

/** The events of the test, in the order of their IDs. */
const eventIds = async () => {
  const { rows } = await owner.query<{ id: string }>("select id from provider_events order by id");
  return rows.map(({ id }) => id);
};

const kind = "unmatched events" as const;

const assign = async (person: Person, assigneeId: string | null, seen: object = {}) =>
  call(person, assignAttention, {
    body: { kind, recordIds: (await eventIds()).slice(0, 1), ...seen, assigneeId },
  });

const snooze = async (person: Person, until: "tomorrow" | "week" | null, recordIds?: string[]) =>
  call(person, snoozeAttention, {
    body: { kind, recordIds: recordIds ?? (await eventIds()).slice(0, 1), until },
  });

const noticesOf = async (person: Person) =>
  (await call(person, listNotifications)).body.items.map(({ message }) => message.text);

beforeEach(async () => {
  await owner.query("delete from attention_marks");
  await owner.query("delete from notifications");
  await owner.query("delete from provider_events");
  await endWebhooks();
  await loseEvents(2);
});

test("assigns one record to a team member, who is notified once", async () => {
  const [first, second] = await eventIds();
  const { status, text, body } = await assign(ada, fin.id);
  expect(status, text).toBe(200);
  expect(body.items).toMatchObject([{ id: first, assignee: { id: fin.id, name: "Fin Finance" } }]);
  await assign(ada, fin.id);
  const records = await recordsOf(fin);
  expect(records.find(({ id }) => id === first)?.assignee).toMatchObject({ id: fin.id });
  expect(records.find(({ id }) => id === second)?.assignee).toBeNull();
  expect(await rowOf(fin, kind)).toMatchObject({ count: 2, assignedCount: 1, record: null });
  expect(await rowOf(fin, kind, "me")).toMatchObject({ count: 1, record: { id: first } });
  expect(await rowOf(ada, kind, "me")).toBeUndefined();
  expect(await noticesOf(fin)).toEqual([
    "Ada Admin assigned provider events without a transaction to you",
  ]);
  expect((await assign(fin, null)).body.items).toMatchObject([{ id: first, assignee: null }]);
  expect(await noticesOf(ada)).toEqual([]);
});

test("assigning oneself notifies no one", async () => {
  expect((await assign(fin, fin.id)).body.items[0]?.assignee).toMatchObject({ id: fin.id });
  expect(await noticesOf(fin)).toEqual([]);
});

test("several records are marked at once, without those that no longer need attention", async () => {
  const ids = await eventIds();
  const recordIds = [...ids, randomUUID()];
  const { body } = await assign(ada, fin.id, { recordIds });
  expect(body.items.map(({ id }) => id).toSorted()).toEqual(ids);
  expect(await rowOf(ada, kind)).toMatchObject({ count: 2, assignedCount: 2 });
  expect(await noticesOf(fin)).toHaveLength(1);
});

test("of several callers at the same time the last one wins, and the record has one mark", async () => {
  const other = await signIn("finance", "Otto Other");
  const replies = await Promise.all(
    [fin.id, other.id, fin.id, other.id].map((id) => assign(ada, id)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { rows } = await owner.query("select assignee_id from attention_marks");
  expect(rows).toHaveLength(1);
  expect([fin.id, other.id]).toContain(rows[0].assignee_id);
});

test("only those who see a record assign or snooze it, and only to those who can handle it", async () => {
  expect((await assign(viewer, fin.id)).status).toBe(403);
  expect((await snooze(viewer, "tomorrow")).status).toBe(403);
  expect((await call(viewer, listAssignees, { query: { kind: "disputes" } })).status).toBe(403);
  // A role that can't do anything about the records doesn't see them.
  expect(await recordsOf(cat)).toEqual([]);
  expect((await assign(cat, cat.id)).status).toBe(409);
  expect((await snooze(cat, "tomorrow")).status).toBe(409);
  const { rows } = await owner.query(
    "insert into users (email, name, status) values ($1, 'C', 'active') returning id",
    [`${randomUUID()}@example.com`],
  );
  for (const id of [cat.id, viewer.id, rows[0].id, randomUUID()])
    expect((await assign(ada, id)).body["errors"]).toMatchObject([{ pointer: "/assigneeId" }]);
  expect((await owner.query("select from attention_marks")).rowCount).toBe(0);
  const { items } = (await call(ada, listAssignees, { query: { kind } })).body;
  const names = items.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["Ada Admin", "Fin Finance"]));
  expect(names).not.toContain("Cat Catalog");
});

test("a record is unassigned once its assignee changed the role or was suspended", async () => {
  const gone = await signIn("finance", "Gone");
  for (const change of ["role = 'support'", "role = 'finance', status = 'suspended'"]) {
    await owner.query("update users set role = 'finance', status = 'active' where id = $1", [
      gone.id,
    ]);
    await assign(ada, gone.id);
    expect(await rowOf(ada, kind)).toMatchObject({ assignedCount: 1 });
    await owner.query(`update users set ${change} where id = $1`, [gone.id]);
    expect(await rowOf(ada, kind)).toMatchObject({ assignedCount: 0 });
  }
});

test("a snoozed record is marked for everyone, and others still need attention", async () => {
  const { status, text, body } = await snooze(fin, "week");
  expect(status, text).toBe(200);
  expect(body.items[0]?.snoozed).toMatchObject({ by: "Fin Finance" });
  expect(await rowOf(ada, kind)).toMatchObject({ count: 1, snoozedCount: 1 });
  await snooze(fin, "week", await eventIds());
  expect(await rowOf(ada, kind)).toMatchObject({ count: 0, snoozedCount: 2 });
  await loseEvents(1);
  expect(await rowOf(ada, kind)).toMatchObject({ count: 1, snoozedCount: 2 });
  expect((await snooze(ada, null)).body.items[0]?.snoozed).toBeNull();
  expect(await rowOf(ada, kind)).toMatchObject({ count: 2, snoozedCount: 1 });
});

test("a snoozed record comes back after its time, and stays assigned", async () => {
  await assign(ada, fin.id);
  await snooze(fin, "tomorrow");
  await owner.query("update attention_marks set snoozed_until = now()");
  const record = (await recordsOf(ada)).find(({ assignee }) => assignee);
  expect(record).toMatchObject({ snoozed: null, assignee: { id: fin.id } });
});

test.each([
  ["tomorrow", "2026-11-14T22:30:00Z", "2026-11-15T22:00:00.000Z"],
  ["tomorrow", "2026-10-24T12:00:00Z", "2026-10-24T21:00:00.000Z"],
  ["tomorrow", "2026-10-25T12:00:00Z", "2026-10-25T22:00:00.000Z"],
  ["monday", "2026-11-14T12:00:00Z", "2026-11-15T22:00:00.000Z"],
  ["monday", "2026-11-16T12:00:00Z", "2026-11-22T22:00:00.000Z"],
  ["week", "2026-10-20T12:00:00Z", "2026-10-26T22:00:00.000Z"],
] as const)(
  "%s at %s is the start of a day in the company's time zone",
  async (choice, at, end) => {
    const until = await findSnoozeEnd(platform.db, choice, new Date(at), "Europe/Tallinn");
    expect(until.toISOString()).toBe(end);
  },
);

test("a mark applies to its record and its cause only", async () => {
  const first = await failWebhook();
  const webhooks = { kind: "failing webhooks" as const, recordIds: [first] };
  await assign(ada, ada.id, webhooks);
  const second = await failWebhook();
  const assigned = async () =>
    (await recordsOf(ada, "failing webhooks")).map(({ id, assignee }) => [id, assignee?.id]);
  expect(await assigned()).toEqual(
    expect.arrayContaining([
      [first, ada.id],
      [second, undefined],
    ]),
  );
  // It recovers and fails again, for which no one has assigned it yet.
  await owner.query(
    "update webhook_endpoints set failing_since = now() + interval '1 minute' where id = $1",
    [first],
  );
  expect(await assigned()).toContainEqual([first, undefined]);
  await owner.query("update webhook_endpoints set failing_since = null where id = $1", [first]);
  const late = await assign(ada, ada.id, webhooks);
  expect([late.status, late.body["reason"]]).toEqual([409, "attention_changed"]);
  expect((await assign(fin, fin.id, { ...webhooks, recordIds: [second] })).status).toBe(409);
});

test("marks are removed once their cause is gone, and every change is in the audit log", async () => {
  const recordIds = [await failWebhook()];
  await assign(ada, ada.id, { kind: "failing webhooks", recordIds });
  await assign(ada, fin.id);
  // As earlier versions marked a whole kind.
  await owner.query("insert into attention_marks (kind) values ('disputes')");
  await endWebhooks();
  await platform.db.transaction().execute((db) => forgetMarks(db, new Date()));
  const { rows } = await owner.query("select kind from attention_marks");
  expect(rows).toEqual([{ kind: "unmatched events" }]);
  const audited = await owner.query(
    `select distinct action, actor_name from audit_entries where entity = 'attention_marks' and actor_id = $1 order by 1`,
    [ada.id],
  );
  expect(audited.rows.map(({ action }) => action)).toEqual(["insert", "update"]);
});
