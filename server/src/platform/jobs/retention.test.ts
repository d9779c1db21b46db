import type { Retention } from "@purser/contract/workspace/retention";
import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { expect, test } from "vitest";
import { jobsOf } from "../../compose.ts";
import { testProduct } from "../../testing.ts";
import { endFirstMonth } from "../db/partitions.testing.ts";

const product = await testProduct({ environment: { WEBHOOK_DELIVERY_DAYS: "45" } });
const { call, signIn, owner, config, platform } = product;
const { db, now } = platform;
const boss = await signIn("owner");
const { jobs } = jobsOf(config, undefined as never);

const runJob = async (name: string) => {
  const step = <T>(work: (given: typeof db) => Promise<T>) =>
    db.transaction().execute((transaction) => work(transaction));
  const own = jobs.find((job) => job.name === name);
  expect(own, name).toBeDefined();
  await own?.run({ db, now: now(), step, enqueue: undefined as never } as never, {});
};

const keep = async (changes: Partial<Retention>) => {
  const { version, updatedAt: _, ...settings } = (await call(boss, getSettings)).body;
  const retention = { ...settings.retention, ...changes };
  return call(boss, changeSettings, { body: { ...settings, retention }, version });
};

test("the defaults are those of the environment, and only what differs is stored", async () => {
  const { retention } = (await call(boss, getSettings)).body;
  expect(retention).toMatchObject({ webhookDeliveryDays: 45, webhookEventDays: 30, jobDays: 7 });
  const saved = await keep({ notificationDays: 30 });
  expect(saved, saved.text).toMatchObject({
    status: 200,
    body: { retention: { ...retention, notificationDays: 30 } },
  });
  const { rows } = await owner.query("select retention from settings");
  expect(rows).toEqual([{ retention: { notificationDays: 30 } }]);
});

test.each([
  { signInDays: 89 },
  { notificationDays: 6 },
  { exportDays: 0 },
  { importDays: 91 },
  { providerEventDays: 89 },
  { usageEventDays: 89 },
])("refuses %j", async (changes) => {
  const refused = await keep(changes);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(`/retention/${Object.keys(changes)[0]}`);
});

test("R6 pages of 0.6.0 save the settings without usage events", async () => {
  const { version, updatedAt: _, ...settings } = (await call(boss, getSettings)).body;
  const { usageEventDays: __, ...retention } = settings.retention;
  const saved = await call(boss, changeSettings, { body: { ...settings, retention }, version });
  expect([saved.status, saved.body.retention.usageEventDays]).toEqual([200, null]);
});

test("a shorter sign-in log loosens a safeguard, a longer one doesn't", async () => {
  expect((await keep({ signInDays: 500 })).status).toBe(200);
  const waiting = await keep({ signInDays: 100 });
  expect([waiting.status, waiting.body["type"]]).toEqual([
    409,
    "urn:purser:problem:approval_required",
  ]);
  expect((await call(boss, getSettings)).body.retention.signInDays).toBe(500);
});

test("notifications are removed after the days of the settings, in batches", async () => {
  await keep({ notificationDays: 30 });
  await owner.query(
    `insert into notifications (id, user_id, kind, message, path)
     select uuid_v7(now() - make_interval(days => days)), $1, 'job', '{}', '/' || days
     from (select 31 as days from generate_series(1, 5001) union all select 29) given`,
    [boss.id],
  );
  await runJob("forget-old-notifications");
  const { rows } = await owner.query("select path from notifications");
  expect(rows).toEqual([{ path: "/29" }]);
});

test("settled provider events are kept forever by default, others always", async () => {
  const addEvent = (days: number, outcome: string) =>
    owner.query(
      `insert into provider_events (id, provider, event_id, type, body, at, outcome)
       values (uuid_v7(now() - make_interval(days => $1)), 'bank', $2, 'payment', '{}', now(), $3)`,
      [days, `${days} ${outcome}`, outcome],
    );
  for (const days of [89, 101])
    for (const outcome of ["applied", "unmatched"]) await addEvent(days, outcome);
  const left = async () =>
    (await owner.query("select event_id as name from provider_events order by 1")).rows.map(
      ({ name }) => name,
    );
  await runJob("forget-provider-events");
  expect(await left()).toHaveLength(4);
  await keep({ providerEventDays: 100 });
  await runJob("forget-provider-events");
  expect(await left()).toEqual(["101 unmatched", "89 applied", "89 unmatched"]);
});

test("usage events are kept forever by default, and removed by whole months", async () => {
  await endFirstMonth(owner, "usage_events", 4);
  await owner.query(
    `insert into usage_events (id, app_id, event_id, user_id, feature_id, window_start, amount, occurred_at)
     select uuid_v7(now() - make_interval(days => days)), uuid_v7(), 'event ' || days, uuid_v7(), uuid_v7(), now(), 1, now()
     from unnest(array[0, 100, 200, 300]) days`,
  );
  const left = async () =>
    (await owner.query("select event_id as name from usage_events order by id")).rows.map(
      ({ name }) => name,
    );
  await runJob("forget-usage-events");
  expect(await left()).toHaveLength(4);
  await keep({ usageEventDays: 3650 });
  await runJob("forget-usage-events");
  expect(await left()).toHaveLength(4);
  await keep({ usageEventDays: 90 });
  await runJob("forget-usage-events");
  expect(await left()).toEqual(["event 100", "event 0"]);
  await keep({ usageEventDays: null });
});

test("exports and results of bulk actions are removed after the days of the settings", async () => {
  await owner.query(
    `insert into list_jobs (user_id, list, action, query, started_at, finished_at, status)
     select $1, 'apps', 'export', '{}', now(), now() - make_interval(days => days), 'finished'
     from unnest(array[2, 4]) days`,
    [boss.id],
  );
  await runJob("forget-list-jobs");
  const count = async () => (await owner.query("select from list_jobs")).rowCount;
  expect(await count()).toBe(2);
  await keep({ exportDays: 3 });
  await runJob("forget-list-jobs");
  expect(await count()).toBe(1);
});

test("queues keep jobs as long as the settings say", async () => {
  await keep({ jobDays: 2 });
  await runJob("keep-jobs");
  const { rows } = await owner.query(
    "select distinct deletion_seconds as seconds from pgboss.queue",
  );
  expect(rows).toEqual([{ seconds: 2 * 86_400 }]);
});
