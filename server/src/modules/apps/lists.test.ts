import { bulkApps, countApps, createApp, getApp } from "@purser/contract/apps/endpoints";
import { getAppActivity } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { loadRows, testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
const admin = await signIn("admin");

const draft = async (code: string) =>
  (await call(admin, createApp, { body: { code, name: `App ${code}` } })).body;
const gone = "01a1dd06-0000-7000-8000-000000000000";
const chosen = ({ id, version }: { id: string; version: number }) => ({ id, version });

test("counts apps by status, exactly up to 10,000 and as a minimum above", async () => {
  const none = { count: 0, kind: "exact" };
  const before = await call(admin, countApps);
  expect(before.body).toEqual({ draft: none, active: none, archived: none });
  await loadRows(
    owner,
    `
    insert into apps (code, name, status, activated_at)
    select 'counted-' || n, 'C', status, case when status <> 'draft' then now() end
    from (select n, case when n <= 10001 then 'active' when n <= 20001 then 'archived' else 'draft' end as status
          from generate_series(1, 20004) n) made`,
  );
  const after = await call(await signIn("viewer"), countApps);
  expect(after.body).toEqual({
    draft: { count: 3, kind: "exact" },
    active: { count: 10_000, kind: "at least" },
    archived: { count: 10_000, kind: "exact" },
  });
  await loadRows(owner, "delete from apps where code like 'counted-%'");
});

test("applies a bulk action to the apps that allow it and says why the others refuse", async () => {
  const [first, second, stale, active] = await Promise.all(
    ["bulk-1", "bulk-2", "bulk-stale", "bulk-active"].map(draft),
  );
  if (!first || !second || !stale || !active) throw new Error("Four were made.");
  await call(admin, bulkApps, { body: { action: "activate", apps: [chosen(active)] } });
  const answer = await call(admin, bulkApps, {
    body: {
      action: "activate",
      reason: "The season starts.",
      apps: [
        chosen(second),
        { id: gone, version: 1 },
        { id: stale.id, version: 7 },
        { id: active.id, version: 2 },
        { id: first.id.toUpperCase(), version: 1 },
      ],
    },
  });
  expect(answer.status).toBe(200);
  expect(answer.body.done).toMatchObject([
    { id: second.id, status: "active", version: 2, codeFrozen: true },
    { id: first.id, status: "active", version: 2 },
  ]);
  expect(answer.body.refused).toMatchObject([
    {
      id: gone,
      name: "",
      code: "not_found",
      detail: { text: expect.stringMatching(/^[A-Z].*\.$/) },
    },
    {
      id: stale.id,
      name: "App bulk-stale",
      code: "stale_version",
      detail: { text: expect.stringMatching(/^[A-Z].*\.$/) },
    },
    {
      id: active.id,
      name: "App bulk-active",
      code: "wrong_state",
      detail: { code: "app_already_active" },
    },
  ]);
  const untouched = await call(admin, getApp, { params: { id: stale.id } });
  expect(untouched.body).toMatchObject({ status: "draft", version: 1 });
  const { body } = await call(admin, getAppActivity, { params: { id: first.id } });
  expect(body.items[0]).toMatchObject({
    action: "update",
    reason: "The season starts.",
    actor: { id: admin.id },
    changes: expect.arrayContaining([{ field: "status", before: "draft", after: "active" }]),
  });
});

test("does not repeat a bulk action with the same idempotency key", async () => {
  const made = await draft("bulk-once");
  const sent = { key: "bulk-key-1", body: { action: "activate" as const, apps: [chosen(made)] } };
  const first = await call(admin, bulkApps, sent);
  const second = await call(admin, bulkApps, sent);
  expect(second.text).toBe(first.text);
  expect(second.body.done).toMatchObject([{ version: 2 }]);
});

test.each([
  ["none", []],
  ["more than 100", Array.from({ length: 101 }, () => ({ id: crypto.randomUUID(), version: 1 }))],
  ["one twice", Array.from({ length: 2 }, () => ({ id: gone, version: 1 }))],
])("refuses a bulk action for %s", async (_what, apps) => {
  const answer = await call(admin, bulkApps, { body: { action: "archive", apps } });
  expect([answer.status, answer.body["errors"]]).toMatchObject([400, [{ pointer: "/apps" }]]);
});

test("runs concurrent bulk actions on the same apps without a deadlock", async () => {
  const made = await Promise.all(Array.from({ length: 30 }, (_, n) => draft(`circle-${n}`)));
  const shuffled = () =>
    made
      .map((one) => ({ one, place: Math.random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ one }) => chosen(one));
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      call(admin, bulkApps, { body: { action: "activate", apps: shuffled() } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const done = answers.flatMap(({ body }) => body.done.map(({ id }) => id));
  expect(done.toSorted()).toEqual(made.map(({ id }) => id).sort());
  const refused = answers.flatMap(({ body }) => body.refused.map(({ code }) => code));
  expect(refused).toEqual(Array(7 * 30).fill("stale_version"));
});
