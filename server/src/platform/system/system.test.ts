import { randomUUID } from "node:crypto";
import { getVerification, startVerification } from "@purser/contract/workspace/audit";
import { listFailedJobs, retryJob, retryJobs } from "@purser/contract/workspace/jobs";
import { getStorageGrowth, getSystem } from "@purser/contract/workspace/system";
import { expect, test } from "vitest";
import { readings } from "../../compose.ts";
import { testProduct } from "../../testing.ts";
import { reportInstance } from "./instances.ts";
import { createMetrics } from "./metrics.ts";
import { measureStorage } from "./queries.ts";
import { version } from "./version.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const admin = await signIn("admin");

/** A job whose last attempt failed. */
const addFailed = async (name: string, { nextTry = false, data = {} } = {}) => {
  const { rows } = await owner.query(
    `insert into pgboss.job (name, data, state, retry_limit, retry_count, started_on, start_after, completed_on, output)
     values ($1, $2, $3::pgboss.job_state, 58, $4, now(), now() + $5::interval, case when $3::pgboss.job_state = 'failed' then now() end, '{"message":"451 try later"}')
     returning id`,
    [name, data, nextTry ? "retry" : "failed", nextTry ? 3 : 58, nextTry ? "30 minutes" : "0"],
  );
  return String(rows[0].id);
};

const forgetJobs = () => owner.query("delete from pgboss.job where state in ('failed', 'retry')");

test("R3 shows emails that weren't sent, with the next attempt, and retries them at once", async () => {
  await forgetJobs();
  const email = `${randomUUID()}@example.com`;
  const waiting = await addFailed("send-link", { nextTry: true, data: { email } });
  const ended = await addFailed("send-link");
  const other = await addFailed("seal-audit");
  const { items, total } = (await call(admin, listFailedJobs)).body;
  expect(total).toBe(3);
  expect(items.find(({ id }) => id === waiting)).toMatchObject({
    isEmail: true,
    recipient: email,
    attempts: 4,
    error: "451 try later",
    nextTryAt: expect.any(String),
  });
  expect(items.find(({ id }) => id === ended)).toMatchObject({ isEmail: true, nextTryAt: null });
  expect(items.find(({ id }) => id === other)).toMatchObject({ isEmail: false, recipient: null });

  const retried = await call(admin, retryJobs, { body: { only: "emails" } });
  expect(retried.body).toEqual({ jobs: 2 });
  const states = await owner.query(
    "select id, state, start_after <= now() as due from pgboss.job where id = any ($1) order by id",
    [[waiting, ended, other]],
  );
  expect(states.rows).toEqual(
    [
      { id: waiting, state: "retry", due: true },
      { id: ended, state: "retry", due: true },
      { id: other, state: "failed", due: true },
    ].sort((a, b) => a.id.localeCompare(b.id)),
  );
  // Twice changes nothing more.
  expect((await call(admin, retryJobs, { body: { only: "emails" } })).body).toEqual({ jobs: 0 });
  expect((await call(admin, retryJobs, { body: {} })).body).toEqual({ jobs: 1 });
  await forgetJobs();
});

test("R3 one job is retried by its name and ID, and an unknown one is not found", async () => {
  const id = await addFailed("send-document", { nextTry: true });
  const params = { name: "send-document", id };
  expect((await call(admin, retryJob, { params, body: {} })).status).toBe(202);
  const { rows } = await owner.query(
    "select start_after <= now() as due from pgboss.job where id = $1",
    [id],
  );
  expect(rows).toEqual([{ due: true }]);
  const unknown = { name: "send-document", id: randomUUID() };
  expect((await call(admin, retryJob, { params: unknown, body: {} })).status).toBe(404);
  await forgetJobs();
});

test.each(["catalog", "finance", "support", "viewer"] as const)(
  "refuses the System page to the role %s",
  async (role) => {
    const session = await signIn(role);
    expect((await call(session, getSystem)).status).toBe(403);
    expect((await call(session, retryJobs, { body: {} })).status).toBe(403);
    expect((await call(session, startVerification, { body: {} })).status).toBe(403);
  },
);

test("shows instances that report themselves, until they stop", async () => {
  let requests = 0;
  const instance = reportInstance(platform, {
    role: "server",
    requests: () => requests,
    isClosing: () => requests > 0,
  });
  await instance.report();
  const shown = async () => (await call(admin, getSystem)).body.instances;
  expect(await shown()).toMatchObject([{ role: "server", version, status: "ready" }]);
  requests = 10;
  await instance.report();
  const [closing] = (await shown()) ?? [];
  expect(closing).toMatchObject({ status: "closing" });
  expect(closing?.requestsPerSecond).toBeGreaterThan(0);
  await instance.stop();
  expect(await shown()).toEqual([]);
});

test("an instance that was killed, or has another format, is shown no longer", async () => {
  const key = `${platform.redisPrefix}instances`;
  const { redis } = platform.announcements;
  await redis.hset(key, "old", JSON.stringify({ id: "old" }), "broken", "not JSON");
  expect((await call(admin, getSystem)).body.instances).toEqual([]);
  expect(await redis.hlen(key)).toBe(0);
});

test("shows the database, its migrations and the largest tables, which add up to the size of all tables", async () => {
  const { body } = await call(admin, getSystem);
  expect(body.database).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+/),
    migrations: { last: expect.stringMatching(/^\d{4}_/), waiting: 0 },
    backfills: { waiting: 0 },
  });
  expect(body.database.connections.used).toBeGreaterThan(0);
  expect(body.storage).toHaveLength(9);
  expect(body.storage.at(-1)?.table).toBeNull();
  expect(body.storage.every(({ bytesBefore }) => bytesBefore === null)).toBe(true);
  const { rows } = await owner.query(
    `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c
     where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`,
  );
  const sum = body.storage.reduce((all, { bytes }) => all + bytes, 0);
  expect(sum).toBe(rows[0].bytes);
});

test("shows the growth since 30 days earlier, after the sizes were measured then", async () => {
  const day = 86_400_000;
  const now = platform.now().getTime();
  await measureStorage(platform.db, new Date(now - 31 * day));
  await measureStorage(platform.db, new Date(now - 31 * day));
  const { storage } = (await call(admin, getSystem)).body;
  for (const { bytes, bytesBefore } of storage)
    expect(Math.abs(bytes - (bytesBefore ?? 0))).toBeLessThan(1_000_000);
  await measureStorage(platform.db, new Date(now - 500 * day));
  await measureStorage(platform.db, new Date(now));
  const { rows } = await owner.query("select count(distinct day)::int as days from storage_sizes");
  expect(rows).toEqual([{ days: 2 }]);
});

test("shows how the largest tables grew, at equal distances and with all others together", async () => {
  await owner.query("delete from storage_sizes");
  expect((await call(admin, getStorageGrowth)).body).toEqual({ days: [], tables: [] });
  // 121 days, so that every second one is shown. The table "late" is new, and "gone" was removed.
  await owner.query(
    `insert into storage_sizes (day, name, bytes)
     select current_date - n, name, size * (200 - n) from generate_series(0, 120) n,
       (values ('one', 60), ('two', 50), ('three', 40), ('four', 30), ('five', 2), ('six', 1)) t (name, size)
     union all select current_date - n, 'late', 100000 from generate_series(0, 3) n
     union all select current_date - n, 'gone', 7 from generate_series(100, 120) n`,
  );
  const { days, tables } = (await call(admin, getStorageGrowth)).body;
  expect(days).toHaveLength(61);
  expect(days.toSorted()).toEqual(days);
  expect(tables.map(({ table }) => table)).toEqual(["late", "one", "two", "three", null]);
  expect(tables[0]?.bytes.slice(-3)).toEqual([0, 100_000, 100_000]);
  expect(tables[1]?.bytes.at(-1)).toBe(12_000);
  expect(tables.at(-1)?.bytes.at(-1)).toBe(33 * 200);
  expect(tables.at(-1)?.bytes[0]).toBe(33 * 80 + 7);
  await owner.query("delete from storage_sizes");
});

test("verifies the whole audit log on demand", async () => {
  expect((await call(admin, startVerification, { body: {} })).status).toBe(202);
  const { rows } = await owner.query(
    "select data from pgboss.job where name = 'verify-audit' and state = 'created'",
  );
  expect(rows).toEqual([{ data: { isWhole: true } }]);
  expect((await call(admin, getVerification)).body.verified).toBeNull();
});

/** The samples of a metric by its labels. */
const samplesOf = async (name: string) => {
  const text = await createMetrics(platform, readings).registry.getSingleMetricAsString(name);
  return text.split("\n").filter((line) => line.startsWith(name));
};

test.each([
  ["purser_build_info", `purser_build_info{version="${version}"} 1`],
  ["purser_checks_total", 'purser_checks_total{result="denied"} 0'],
  ["purser_emails_total", 'purser_emails_total{result="failed"} 0'],
  ["purser_page_incidents_total", 'purser_page_incidents_total{kind="error"} 0'],
  ["purser_jobs", 'purser_jobs{queue="send-link",state="failed"} 0'],
  ["purser_oldest_job_seconds", 'purser_oldest_job_seconds{queue="send-link"} 0'],
  ["purser_provider_events", 'purser_provider_events{outcome="waiting"} 0'],
  ["purser_audit_log_intact", "purser_audit_log_intact 1"],
  ["purser_audit_verified_seconds", "purser_audit_verified_seconds 0"],
  ["purser_database_connections", 'purser_database_connections{pool="reads",state="waiting"} 0'],
])("the metric %s is 0 and not absent before anything happened", async (name, sample) => {
  expect(await samplesOf(name)).toContain(sample);
});

test("counts sign-ins by result", async () => {
  const before = platform.counts.signIns.succeeded;
  await signIn("viewer");
  expect(platform.counts.signIns.succeeded).toBeGreaterThanOrEqual(before);
  expect(await samplesOf("purser_sign_ins_total")).toContain(
    `purser_sign_ins_total{result="succeeded"} ${platform.counts.signIns.succeeded}`,
  );
});
