import { getApp, resumeApp, suspendApp } from "@purser/contract/apps/endpoints";
import { createWebhookEndpoint, type webhookTypes } from "@purser/contract/workspace/webhooks";
import { expect, test } from "vitest";
import { stepsOf } from "#platform/jobs/work.ts";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { tellSuspension } from "./suspensionJob.ts";

const product = await testProduct();
const { call, owner, platform, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, packageGiving, addSubscribers } = catalogIn(product, admin);

const subscribeTo = (url: string, types: (typeof webhookTypes)[number][]) =>
  call(admin, createWebhookEndpoint, { body: { url, types } });

const sold = async (subscribers: number) => {
  const app = await newApp();
  const feature = await newLimit(app.id);
  const other = await newLimit((await newApp("Ledgerly")).id, "Books");
  const packageId = await packageGiving("Studio", [[feature, 5]]);
  const elsewhere = await packageGiving("Other", [[other, 5]]);
  const customers = await addSubscribers(packageId, subscribers);
  await addSubscribers(elsewhere, 1);
  return { appId: app.id, feature, customers };
};

const act = async (action: typeof suspendApp | typeof resumeApp, id: string) => {
  const { version } = (await call(admin, getApp, { params: { id } })).body;
  const body = { reason: "An incident" };
  const done = await call(admin, action, { params: { id }, version, body });
  expect(done.status, done.text).toBe(200);
  return done.body;
};

/** Runs the job as a worker would. */
const tell = async (appId: string) => {
  const { db, queues, announcements } = platform;
  const step = stepsOf(queues, { db, announce: announcements.announce })("tell-suspension");
  await tellSuspension.run({ db, now: new Date(), step, enqueue: queues.enqueueIn(db) }, { appId });
};

const eventsOf = async (appId: string) =>
  (
    await owner.query<{ userId: string; state: unknown; grantId: string }>(
      `select user_id as "userId", data -> 'app' -> 'suspendedAt' as state, data -> 'grant' ->> 'id' as "grantId"
       from webhook_events where data -> 'app' ->> 'id' = $1 order by number`,
      [appId],
    )
  ).rows;

const queued = async () =>
  (
    await owner.query(
      "select data from pgboss.job where name = 'tell-suspension' order by created_on",
    )
  ).rows;

test("without a subscribed endpoint no events are created", async () => {
  const { appId } = await sold(2);
  await act(suspendApp, appId);
  expect(await queued()).toContainEqual({ data: { appId } });
  await tell(appId);
  expect(await eventsOf(appId)).toEqual([]);
});

test("M11 every customer of a suspended or resumed app gets one event per grant", async () => {
  await subscribeTo("https://example.com/hooks", ["entitlements.changed"]);
  const { appId, feature, customers } = await sold(3);
  const [first = ""] = customers;
  await owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, starts_at)
     values ($1, $2, '3', 'import', 'test', now())`,
    [first, feature.id],
  );
  await act(suspendApp, appId);
  await tell(appId);
  await tell(appId);
  const suspended = await eventsOf(appId);
  expect(suspended.map(({ userId }) => userId).toSorted()).toEqual(
    [...customers, first].toSorted(),
  );
  expect(new Set(suspended.map(({ grantId }) => grantId)).size).toBe(4);
  expect(suspended.every(({ state }) => typeof state === "string")).toBe(true);
  await act(resumeApp, appId);
  await tell(appId);
  await tell(appId);
  const all = await eventsOf(appId);
  expect(all).toHaveLength(8);
  expect(all.slice(4).every(({ state }) => state === null)).toBe(true);
});

test("a job that runs late tells the current state, and works through several batches", async () => {
  const { appId, customers } = await sold(1201);
  await act(suspendApp, appId);
  await act(resumeApp, appId);
  await tell(appId);
  const events = await eventsOf(appId);
  expect(events).toHaveLength(customers.length);
  expect(events.every(({ state }) => state === null)).toBe(true);
});
