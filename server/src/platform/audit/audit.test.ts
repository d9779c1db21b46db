import { activateApp, archiveApp, changeApp, createApp } from "@purser/contract/apps/endpoints";
import { createAppKey } from "@purser/contract/apps/keys";
import { getAppActivity } from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { connect } from "../db/db.ts";

const { call, signIn, owner, database } = await testProduct();
const admin = await signIn("admin", "Ada Admin");

const newApp = async (code: string) =>
  (await call(admin, createApp, { body: { code, name: code } })).body;

const entriesOf = async (recordId: string) =>
  (await owner.query("select * from audit_entries where record_id = $1 order by id", [recordId]))
    .rows;

test("I14 writes one entry per change with actor, address, request, reason, before and after", async () => {
  const { id, version } = await newApp("one-entry");
  const changed = await call(admin, changeApp, {
    params: { id },
    version,
    body: { code: "one-entry", name: "Renamed", reason: "The old name was taken." },
    address: "203.0.113.7",
  });
  expect(changed.status).toBe(200);
  const [inserted, updated, ...more] = await entriesOf(id);
  expect(more).toEqual([]);
  expect(inserted).toMatchObject({ action: "insert", before: null, actor_id: admin.id });
  expect(updated).toMatchObject({
    entity: "apps",
    action: "update",
    actor_kind: "user",
    actor_id: admin.id,
    actor_name: "Ada Admin",
    address: "203.0.113.7",
    request_id: changed.headers["x-request-id"],
    reason: "The old name was taken.",
    before: { name: "one-entry", version: 1 },
    after: { name: "Renamed", version: 2 },
  });
});

test("I14 writes no entry for a refused change", async () => {
  const { id, version } = await newApp("refused");
  await call(admin, archiveApp, { params: { id }, version, body: {} });
  expect(await entriesOf(id)).toHaveLength(1);
});

test("I14 audits raw SQL, and marks it", async () => {
  const { id } = await newApp("raw-sql");
  await owner.query("update apps set name = 'By hand' where id = $1", [id]);
  const [, entry] = await entriesOf(id);
  expect(entry).toMatchObject({
    actor_kind: "database",
    actor_name: new URL(database.url).username,
    before: { name: "raw-sql" },
    after: { name: "By hand", version: 2 },
  });
});

test("I14 writes one entry for each changed row of a statement", async () => {
  await owner.query(
    "insert into apps (code, name) select 'bulk-audit-' || n, 'same' from generate_series(1, 50) n",
  );
  await owner.query("update apps set name = 'other' where code like 'bulk-audit-%'");
  await owner.query("update apps set name = 'other' where code like 'bulk-audit-%'");
  const { rows } = await owner.query(
    `select action, count(*)::int as entries from audit_entries
     where after ->> 'code' like 'bulk-audit-%' group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { action: "insert", entries: 50 },
    { action: "update", entries: 50 },
  ]);
});

test("I14 T26 refuses the application's role to write, change or delete entries and seals", async () => {
  const { id } = await newApp("append-only");
  const { db, pool } = connect({ url: database.url, poolMax: 1, name: "test" });
  const refused = "permission denied";
  const kept = [
    "audit_entries",
    "audit_seals",
    "audit_unsealed",
    "audit_redactions",
    "audit_redacted",
    "audit_removals",
    "audit_removed",
    "audit_retention",
    "audit_months",
  ];
  for (const table of [...kept, "audit_verifications"]) {
    await expect(pool.query(`delete from ${table}`)).rejects.toThrow(refused);
    await expect(pool.query(`truncate ${table}`)).rejects.toThrow(refused);
  }
  await expect(pool.query("update audit_entries set reason = 'x'")).rejects.toThrow(refused);
  await expect(pool.query("update audit_seals set hash = ''")).rejects.toThrow(refused);
  await expect(pool.query("update audit_redacted set witness = ''")).rejects.toThrow(refused);
  await expect(pool.query("update audit_redactions set digest = ''")).rejects.toThrow(refused);
  await expect(pool.query("update audit_verifications set broken_what = null")).rejects.toThrow(
    refused,
  );
  await expect(pool.query("select audit_redact_entries('{1}', null, true, true)")).rejects.toThrow(
    refused,
  );
  await expect(
    pool.query(
      "insert into audit_entries (entity, record_id, action) values ('apps', $1, 'insert')",
      [id],
    ),
  ).rejects.toThrow(refused);
  await expect(pool.query("update audit_retention set months = 1")).rejects.toThrow(refused);
  await expect(pool.query("update audit_months set first_id = 1")).rejects.toThrow(refused);
  await expect(pool.query("alter table audit_entries disable trigger all")).rejects.toThrow();
  await expect(pool.query("drop table audit_entries")).rejects.toThrow();
  await db.destroy();
});

test("I14 audits and versions every business table", async () => {
  const tables = (where: string) =>
    owner
      .query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind = 'r' and ${where} order by 1`,
      )
      .then(({ rows }) => rows.map(({ name }) => name));
  const hasTrigger = (name: string) =>
    `exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname like '${name}')`;
  // Promotion codes can't be updated, so they have a trigger that rejects updates instead.
  const coversUpdates = `(${hasTrigger("audit_update")} or ${hasTrigger("promotion_codes_keep")})`;
  const audited = await tables(
    [hasTrigger("audit_insert"), coversUpdates, hasTrigger("audit_delete")].join(" and "),
  );
  const versioned = await tables(
    "exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'version')",
  );
  const everything = await tables("true");
  // What is not business: the audit itself, sign-in's passing state, how screens look, what is still typed,
  // bookkeeping, and facts that are only ever added, each with its cause.
  const passing = [
    "app_webhooks",
    "archives",
    "audit_entries",
    "audit_months",
    "audit_redacted",
    "audit_removed",
    "audit_seals",
    "audit_unsealed",
    "audit_verifications",
    "backfills",
    "balance_entries",
    "balances",
    "challenges",
    "check_apps",
    "check_counts",
    "check_denials",
    "check_rates",
    "document_numbers",
    "documents",
    "documents_to_issue",
    "drafts",
    "feature_use",
    "usage_days",
    "usage_event_ids",
    "usage_events",
    "usage_reservations",
    "grant_changes",
    "grants",
    "idempotency_keys",
    "import_mappings",
    "import_results",
    "import_rows",
    "imported_records",
    "installation",
    "journal_entries",
    "known_devices",
    "kysely_migration",
    "line_credits",
    "links",
    "list_job_chunks",
    "list_job_rows",
    "list_jobs",
    "mrr_days",
    "mrr_movements",
    "mrr_package_days",
    "mrr_package_movements",
    "mrr_queue",
    "notifications",
    "postings",
    "preferences",
    "promotion_replays",
    "provider_events",
    "reconciliations",
    "recovery_codes",
    "redemptions",
    "report_emails",
    "report_state",
    "retention_months",
    "revenue_days",
    "revenue_queue",
    "rollout_moves",
    "saved_reports",
    "second_factor_duties",
    "sessions",
    "shared_views",
    "sign_ins",
    "storage_sizes",
    "subscriber_changes",
    "subscription_pauses",
    "subscription_periods",
    "test_clock",
    "test_team",
    "transaction_events",
    "transaction_lines",
    "transaction_references",
    "tries",
    "webhook_counters",
    "webhook_deliveries",
    "webhook_events",
    "webhook_lines",
  ];
  expect(everything.filter((name) => !passing.includes(name))).toEqual(audited);
  expect(await tables(`${hasTrigger("%_touch")}`)).toEqual(versioned);
});

test("never copies secrets into entries", async () => {
  const { id, version } = await newApp("secret-key");
  await call(admin, activateApp, { params: { id }, version, body: {} });
  const key = await call(admin, createAppKey, {
    params: { id },
    body: { name: "Server", kind: "server", scopes: ["entitlements:read"] },
  });
  const [entry] = await entriesOf(key.body.id);
  expect(entry.after).not.toHaveProperty("secret_hash");
  expect(JSON.stringify(entry)).not.toContain(key.body.secret);
});

test("I14 records a changed secret without the secret, and refuses a changed id", async () => {
  await owner.query("insert into passwords values ($1, 'first-hash', now())", [admin.id]);
  await owner.query("update passwords set hash = 'second-hash' where id = $1", [admin.id]);
  const entries = (await entriesOf(admin.id)).filter(({ entity }) => entity === "passwords");
  expect(entries.map(({ action }) => action)).toEqual(["insert", "update"]);
  expect(JSON.stringify(entries)).not.toMatch(/first-hash|second-hash/);
  const other = await signIn("viewer");
  await expect(
    owner.query("update passwords set id = $2 where id = $1", [admin.id, other.id]),
  ).rejects.toThrow("an id never changes");
});

test("shows old and new values, and addresses only with access to the audit log", async () => {
  const { id, version } = await newApp("activity");
  await call(admin, changeApp, {
    params: { id },
    version,
    body: { code: "activity", name: "New" },
  });
  const seen = await call(admin, getAppActivity, { params: { id } });
  expect(seen.body.items[0]).toMatchObject({
    action: "update",
    actor: { kind: "user", id: admin.id, name: "Ada Admin" },
    address: "127.0.0.1",
    changes: [{ field: "name", before: "activity", after: "New" }],
  });
  const viewer = await signIn("viewer");
  const limited = await call(viewer, getAppActivity, { params: { id } });
  expect(limited.body.items[0]?.address).toBeNull();
  const unknown = await call(viewer, getAppActivity, {
    params: { id: "01a1dd06-0000-7000-8000-000000000000" },
  });
  expect(unknown.status).toBe(404);
});
