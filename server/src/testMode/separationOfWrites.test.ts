import { randomUUID } from "node:crypto";
import { checkFeature } from "@purser/contract/entitlements/explanation";
import { listFailedJobs } from "@purser/contract/workspace/jobs";
import { getSystem } from "@purser/contract/workspace/system";
import { createWebhookEndpoint, webhookTypes } from "@purser/contract/workspace/webhooks";
import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readings } from "../compose.ts";
import { appKeysIn } from "../modules/entitlements/testing/appKeys.testing.ts";
import { shopIn } from "../modules/transactions/testing/testing.ts";
import { reportInstance } from "../platform/system/instances.ts";
import { createMetrics } from "../platform/system/metrics.ts";
import { bothModes } from "./bothModes.testing.ts";

const { live, test: testMode } = await bothModes();
const admin = await live.signIn("owner");
const cases = [
  { name: "live", asked: live, other: testMode },
  { name: "test mode", asked: testMode, other: live },
];

/** The number of rows of every table that isn't about sessions, also of the queues. */
const countsOf = async (owner: pg.Pool) => {
  const { rows } = await owner.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind in ('r', 'p')
       and relname not in ('sessions', 'tries', 'preferences')`,
  );
  const counts = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await owner.query<{ count: string }>(`select count(*) from ${name}`);
      return [name, Number(found.rows[0]?.count)] as const;
    }),
  );
  return Object.fromEntries(counts);
};

test.each(cases)(
  "a sale in $name writes only there, and its webhooks and jobs too",
  async ({ asked, other }) => {
    const shop = await shopIn(asked);
    const body = { url: "https://hooks.example.com/", types: [...webhookTypes] };
    const made = await asked.call(shop.admin, createWebhookEndpoint, { body });
    expect(made.status, made.text).toBe(201);
    await testMode.platform.testMode?.copies.refresh();
    const before = await countsOf(other.owner);
    const { webhook_events: eventsBefore = 0 } = await countsOf(asked.owner);
    const pack = await shop.sellPackage();
    await shop.sell(shop.saleOf(pack.id, { email: `${randomUUID()}@example.com` }));
    const { db, queues } = asked.platform;
    await queues.boss.send("send-link", { email: "nobody@example.com", purpose: "reset" });
    expect(db).not.toBe(other.platform.db);
    expect(await countsOf(other.owner)).toEqual(before);
    const { webhook_events: events = 0 } = await countsOf(asked.owner);
    expect(events).toBeGreaterThan(eventsBefore);
  },
);

const failJob = `
  update pgboss.job set state = 'failed', completed_on = now(), output = '{"message": "No."}' where id = $1`;

test.each(cases)("the System page of $name counts only its own jobs", async ({ asked, other }) => {
  const shown = async ({ call }: typeof live) => {
    const { queues } = (await call(admin, getSystem)).body;
    const { items } = (await call(admin, listFailedJobs)).body;
    return {
      failed: queues.find(({ name }) => name === "send-link")?.failed,
      listed: items.length,
    };
  };
  const before = [await shown(asked), await shown(other)];
  const payload = { email: "nobody@example.com", purpose: "reset" };
  const id = await asked.platform.queues.boss.send("send-link", payload);
  await asked.owner.query(failJob, [id]);
  expect(await shown(other)).toEqual(before[1]);
  expect(await shown(asked)).toEqual({
    failed: Number(before[0]?.failed) + 1,
    listed: Number(before[0]?.listed) + 1,
  });
});

test("the System page of test mode shows the instances, which serve both modes", async () => {
  const instance = reportInstance(live.platform, {
    role: "server",
    requests: () => 0,
    isClosing: () => false,
  });
  onTestFinished(instance.stop);
  await instance.report();
  for (const { call } of [live, testMode])
    expect((await call(admin, getSystem)).body.instances).toMatchObject([{ role: "server" }]);
});

test("metrics, which are those of live, don't count checks, sign-ins and jobs of test mode", async () => {
  const shop = await shopIn(testMode);
  const app = await shop.newApp();
  const feature = await shop.newLimit(app.id);
  const { headers } = await appKeysIn(testMode, shop.admin).newServerKey(app.id);
  const read = async () => {
    const text = await createMetrics(live.platform, readings).registry.metrics();
    return text.split("\n").filter((line) => /^purser_(checks|jobs|emails|webhook)/.test(line));
  };
  const before = await read();
  const query = { user: "nobody@example.com", feature: feature.code };
  const checked = await testMode.call(null, checkFeature, { query, headers });
  expect(checked.status, checked.text).toBe(200);
  expect(before.length).toBeGreaterThan(10);
  expect(await read()).toEqual(before);
  const { checks } = testMode.platform.counts;
  expect(checks.allowed + checks.denied).toBe(1);
});
