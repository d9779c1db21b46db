import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createApp } from "@purser/contract/apps/endpoints";
import { changeSettings, getSettings } from "@purser/contract/workspace/settings";
import { expect, test } from "vitest";
import { dropOldEvents as dropOldUsage } from "../modules/usage/queries.ts";
import { dropOldEvents } from "../modules/webhooks/cleanupQueries.ts";
import { removeMonths, setRetention } from "../platform/audit/retention.ts";
import { sealAudit } from "../platform/audit/verification/seals.ts";
import {
  beginVerifying,
  recordVerification,
  verifyOn,
} from "../platform/audit/verification/verify.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { endFirstMonth, rowsByPartition } from "../platform/db/partitions.testing.ts";
import { createPartitions } from "../platform/db/partitions.ts";
import { atEnd, testProduct } from "../testing.ts";
import { archive } from "./archive.ts";
import { runHere } from "./testing.ts";

const product = await testProduct();
const { call, signIn, owner, config, platform } = product;
const { db } = platform;
const boss = await signIn("owner");
const folder = mkdtempSync(join(tmpdir(), "purser-archives-"));
atEnd(async () => rmSync(folder, { recursive: true, force: true }));

const { version, updatedAt: _, ...settings } = (await call(boss, getSettings)).body;
const saved = await call(boss, changeSettings, {
  body: { ...settings, retention: { ...settings.retention, archiveMonths: true } },
  version,
});
expect(saved.status, saved.text).toBe(200);

const linesIn = (file: string) =>
  gunzipSync(readFileSync(join(folder, file)))
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const addEvents = (days: number, count: number) =>
  owner.query(
    `insert into webhook_events (id, type, user_id, seq, data, created_at)
     select uuid_v7(now() - make_interval(days => $1)), 'entitlements.changed', $2, n, '{}', now()
     from generate_series(1, $3::int) n`,
    [days, randomUUID(), count],
  );

test("a month is kept until it is archived, and its file has all rows and their hash", async () => {
  await endFirstMonth(owner, "webhook_events");
  await addEvents(120, 6000);
  await addEvents(0, 1);
  expect(await dropOldEvents(db, new Date())).toBe(0);
  expect(await rowsByPartition(owner, "webhook_events")).toEqual({ current: 1, first: 6000 });

  const said = await runHere(config, archive, folder);
  expect(said, said.stderr).toMatchObject({ code: 0 });
  expect(said.stdout).toContain("webhook_events_first.jsonl.gz: 6,000 rows");
  const file = join(folder, "webhook_events_first.jsonl.gz");
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
  expect(said.stdout).toContain(`SHA-256 ${sha256}.`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = linesIn("webhook_events_first.jsonl.gz");
  expect(new Set(lines.map(({ id }) => id)).size).toBe(6000);
  expect(new Set(lines.map(({ seq }) => seq)).size).toBe(6000);
  expect(lines[0]).toMatchObject({ type: "entitlements.changed", data: {} });

  expect((await runHere(config, archive, folder)).stdout).toBe("There is no month to archive.\n");
  await dropOldEvents(db, new Date());
  expect(await rowsByPartition(owner, "webhook_events")).toEqual({ current: 1 });
});

test("a month of usage is kept until it is archived, and then removed", async () => {
  const old = new Date();
  await endFirstMonth(owner, "usage_events");
  await owner.query(
    `insert into usage_events (id, app_id, event_id, user_id, feature_id, window_start, amount, occurred_at)
     select uuid_v7(now() - make_interval(days => days)), uuid_v7(), 'event ' || days, uuid_v7(), uuid_v7(), now(), 1, now()
     from unnest(array[0, 120]) days`,
  );
  expect(await dropOldUsage(db, old)).toBe(0);
  const said = await runHere(config, archive, folder);
  expect(said.stdout).toContain("usage_events_first.jsonl.gz: 1 rows");
  expect(linesIn("usage_events_first.jsonl.gz")[0]).toMatchObject({
    event_id: "event 120",
    amount: 1,
  });
  expect(await dropOldUsage(db, old)).toBe(1);
  const { rows } = await owner.query("select event_id as event from usage_events");
  expect(rows).toEqual([{ event: "event 0" }]);
});

test("rows that come later into a dropped month are archived again before they are removed", async () => {
  await addEvents(120, 2);
  await dropOldEvents(db, new Date());
  expect(await rowsByPartition(owner, "webhook_events")).toMatchObject({ first: 2 });
  const refused = await runHere(config, archive, folder);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
  expect((await runHere(config, archive, join(folder, "more"))).code).toBe(0);
  expect(linesIn("more/webhook_events_first.jsonl.gz")).toHaveLength(2);
  await dropOldEvents(db, new Date());
  expect(await rowsByPartition(owner, "webhook_events")).toEqual({ current: 1 });
});

test("the audit log is removed only after it is archived, and what is left verifies", async () => {
  const { db: ownerDb } = connectAsOwner(config.DATABASE_URL);
  atEnd(() => ownerDb.destroy());
  await setRetention(ownerDb, 1);
  const made = await call(boss, createApp, { body: { code: "old-one", name: "Old" } });
  expect(made.status).toBe(201);
  await owner.query(`
    set session_replication_role = replica;
    update audit_entries set at = at - interval '120 days' where id in (select entry_id from audit_unsealed);
    update audit_entries e set hash = audit_digest(e) where id in (select entry_id from audit_unsealed);
    reset session_replication_role`);
  await sealAudit(db);
  await owner.query("update audit_months set starts_at = starts_at - interval '120 days'");
  while ((await createPartitions(db)) > 0);
  const recent = await call(boss, createApp, { body: { code: "new-one", name: "New" } });
  expect(recent.status).toBe(201);
  await sealAudit(db);
  const verify = async () => {
    const { place, broken } = await verifyOn(db, await beginVerifying(db, new Date()));
    await recordVerification(db, place, broken);
    return broken;
  };
  expect(await verify()).toBeNull();
  expect(await removeMonths(db)).toBeNull();

  const { first = 0 } = await rowsByPartition(owner, "audit_entries");
  expect((await runHere(config, archive, folder)).code).toBe(0);
  const lines = linesIn("audit_entries_first.jsonl.gz");
  expect(lines).toHaveLength(first);
  expect(lines.some(({ entity }) => entity === "apps")).toBe(true);
  expect(await removeMonths(db)).not.toBeNull();
  await sealAudit(db);
  expect(await verify()).toBeNull();
});

test("without a directory the command explains itself", async () => {
  expect(await runHere(config, archive)).toMatchObject({
    code: 1,
    stderr: "Usage: purser archive <directory>.\n",
  });
});
