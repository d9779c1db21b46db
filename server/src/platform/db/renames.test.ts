import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

// Rows of 0.4.0, whose last migration is 0021, and what the following migrations make of them.

const folder = new URL("../../../migrations/", import.meta.url);
const files = readdirSync(folder).sort();
const name = `purser_renames_${randomBytes(6).toString("hex")}`;
const url = new URL(inject("databaseServer"));
url.pathname = `/${name}`;
const admin = new pg.Client({ connectionString: inject("databaseServer") });
const owner = new pg.Client({ connectionString: url.href });

const apply = async (isMeant: (file: string) => boolean) => {
  await owner.query("begin");
  for (const file of files.filter(isMeant))
    await owner.query(readFileSync(new URL(file, folder), "utf8"));
  await owner.query("commit");
};

const id = "01a1dd06-0000-7000-8000-000000000001";

const rowsOf040 = `
  insert into users (id, email, name, role, status)
    values ('${id}', 'cato@example.com', 'Cato', 'catalogue', 'active');
  insert into sessions (token_hash, user_id, created_at, last_seen_at, address, device)
    values ('\\x01', '${id}', now(), now(), '', '');
  update settings set second_factor_roles = '{owner,catalogue}', sign_in_groups =
    '[{"group": "catalogue", "role": "catalogue"}, {"group": "money", "role": "finance"}]';
  insert into preferences (user_id, value) values ('${id}',
    '{"columns": {"packages": [{"id": "name"}, {"id": "holders"}], "promotions": [{"id": "uses", "hidden": true}]},
      "views": {"users": [{"name": "catalogue", "f": ["role:any:owner,catalogue,finance", "name:is:catalogue"]}],
        "promotions": [{"name": "uses", "f": ["uses:gt:3", "name:has:uses"], "sort": "-uses"}]}}');
  insert into drafts (user_id, form, record_version, base, value, saved_at) values
    ('${id}', 'settings-edit', 1, '{"secondFactorRoles": ["catalogue"], "secondFactorGraceDays": 7}',
      '{"companyName": "catalogue", "secondFactorRoles": ["owner", "catalogue"], "secondFactorGraceDays": "x",
        "signInGroups": [{"group": "catalogue", "role": "catalogue"}]}', now()),
    ('${id}', 'users-create', 0, '{}', '{"kind": "staff", "role": "catalogue", "name": "staff"}', now()),
    ('${id}', 'apps-create', 0, '{}', '{"kind": "staff"}', now()),
    ('${id}', 'promotions-create', 0, '{}', '{"name": "people", "people": ["a@example.com"], "maxUses": "5",
      "maxUsesPerUser": null, "needsCode": true, "returnsUse": false, "duration": "for ever"}', now());
  insert into approvals (id, rule, operation, permission, params, body, entity, summary, facts, basis, reason,
      requested_by, expires_at)
    values ('${id}', 'owner', 'PUT /staff/:id', 'staff:write', '{}', '{"role": "catalogue"}', 'users', 'Change', '[]',
      '\\x', 'Because', '${id}', now());
  insert into sign_ins (user_id, how, outcome, address, device, new_device, at)
    values ('${id}', 'company', 'ok', '', '', false, now());
  set session_replication_role = replica;
  insert into grants (user_id, feature_id, value, source, source_id, reason, starts_at)
    values ('${id}', '${id}', '1', 'staff', 'test', 'A gift.', now());
  insert into rollout_moves (rollout_id, grant_id, user_id, from_version_id, outcome) values
    ('${id}', gen_random_uuid(), '${id}', '${id}', 'moved'), ('${id}', gen_random_uuid(), '${id}', '${id}', 'stays');
  insert into webhook_deliveries (endpoint_id, event_id, line, seq, type, state)
    values ('${id}', '${id}', '${id}', 1, 'test', 'given up');
  insert into promotions (name, kind, basis_points, level, duration, audience, stacking, needs_code, returns_use,
      first_used_at)
    values ('Friends', 'percent', 1000, 'line', 'for ever', 'anyone', 'exclusive', true, false, now());
  insert into transaction_events (transaction_id, type, at, source) values
    ('${id}', 'created', now(), 'staff'), ('${id}', 'authorised', now(), 'provider');
  set session_replication_role = origin;`;

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${name}`);
  await owner.connect();
  await apply((file) => file < "0022");
  await owner.query(rowsOf040);
  await apply((file) => file >= "0022" && file < "0027");
});

afterAll(async () => {
  await owner.end();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

const only = async (text: string) => (await owner.query(text)).rows[0];

test("renames the catalog role without ending sessions", async () => {
  expect(await only("select role from users")).toEqual({ role: "catalog" });
  expect(await only("select count(*)::int as sessions from sessions")).toEqual({ sessions: 1 });
  expect(await only("select second_factor_roles, sign_in_groups from settings")).toEqual({
    second_factor_roles: ["owner", "catalog"],
    sign_in_groups: [
      { group: "catalogue", role: "catalog" },
      { group: "money", role: "finance" },
    ],
  });
});

test("keeps entries of the audit log, and writes its own as an update", async () => {
  const { rows } = await owner.query(
    `select actor_kind, actor_name, before ->> 'role' as before, after ->> 'role' as after from audit_entries
     where entity = 'users' order by id`,
  );
  expect(rows).toMatchObject([
    { actor_kind: "database", before: null, after: "catalogue" },
    {
      actor_kind: "system",
      actor_name: "update to 0.5.0",
      before: "catalogue",
      after: "catalog",
    },
  ]);
});

test("renames filters of saved views and values of unsaved forms", async () => {
  expect((await only("select value from preferences")).value).toEqual({
    columns: {
      packages: [{ id: "name" }, { id: "subscribers" }],
      promotions: [{ id: "redemptions", hidden: true }],
    },
    views: {
      users: [{ name: "catalogue", f: ["role:any:owner,catalog,finance", "name:is:catalogue"] }],
      promotions: [
        { name: "uses", f: ["redemptions:gt:3", "name:has:uses"], sort: "-redemptions" },
      ],
    },
  });
  const { rows } = await owner.query("select form, base, value from drafts order by form");
  expect(rows).toEqual([
    { form: "apps-create", base: {}, value: { kind: "staff" } },
    {
      form: "promotions-create",
      base: {},
      value: {
        name: "people",
        customers: ["a@example.com"],
        redemptionLimit: "5",
        redemptionLimitPerCustomer: null,
        requiresCode: true,
        restoresRedemption: false,
        duration: "forever",
      },
    },
    {
      form: "settings-edit",
      base: { twoFactorRoles: ["catalog"], twoFactorGraceDays: 7 },
      value: {
        companyName: "catalogue",
        twoFactorRoles: ["owner", "catalog"],
        twoFactorGraceDays: "x",
        signInGroups: [{ group: "catalogue", role: "catalog" }],
      },
    },
    {
      form: "users-create",
      base: {},
      value: { kind: "team", role: "catalog", name: "staff" },
    },
  ]);
});

test("renames stored calls, sign-in methods and event sources", async () => {
  expect(await only("select operation, permission, body from approvals")).toEqual({
    operation: "PUT /team/:id",
    permission: "team:write",
    body: { role: "catalog" },
  });
  expect(await only("select how from sign_ins")).toEqual({ how: "sso" });
  expect(
    (await owner.query("select type, source from transaction_events order by type")).rows,
  ).toEqual([
    { type: "authorized", source: "provider" },
    { type: "created", source: "team" },
  ]);
});

test("renames sources of grants, durations, outcomes of rollouts and states of deliveries", async () => {
  expect(await only("select source, reason from grants")).toEqual({
    source: "manual",
    reason: "A gift.",
  });
  expect(await only("select duration from promotions")).toEqual({ duration: "forever" });
  const { rows } = await owner.query("select outcome from rollout_moves order by 1");
  expect(rows).toEqual([{ outcome: "kept" }, { outcome: "migrated" }]);
  expect(await only("select state from webhook_deliveries")).toEqual({ state: "failed" });
  expect(await only("select count(*)::int as changes from grant_changes")).toEqual({ changes: 0 });
});
