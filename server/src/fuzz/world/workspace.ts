import type pg from "pg";
import { recordsOf } from "./catalog.ts";

const makeApprovals = `
  with other as (
    insert into users (email, name, role, status)
    values (gen_random_uuid() || '@example.com', 'Fuzz', 'finance', 'active') returning id
  )
  insert into approvals (rule, operation, permission, params, body, entity, summary, facts, basis, reason,
    requested_by, expires_at)
  select 'refund', 'POST /transactions/:id/refund', 'transactions:write', '{}', '{}', 'transactions', 'Fuzz', '[]',
    '', 'Fuzz', case when n % 2 = 0 then $1::uuid else other.id end, now() + interval '7 days'
  from other, generate_series(1, 12) n returning id`;

/** Draft apps, whose creation can be reverted by deleting them. */
const findEntries = `
  select e.id from audit_entries e join apps a on a.id = e.record_id
  where e.entity = 'apps' and e.action = 'insert' and a.status = 'draft' order by e.id desc limit 8`;

/** Imports in every state that a call can change. */
const makeImports = `
  with made as (
    insert into imports (kind, name, created_by, status, stage, columns, mapping, rows, progress, finished_at, started_at)
    select 'customers', 'Fuzz', $1, status, stage, '["email","name"]', '["email","name"]', 1, '{"new":1}',
      case status when 'finished' then now() end, case status when 'draft' then null else now() end
    from (values ('draft', 'uploading'), ('draft', 'uploaded'), ('draft', 'checked'), ('running', 'checked'),
      ('paused', 'checked'), ('finished', 'checked')) states (status, stage), generate_series(1, 2)
    returning id
  ), rows as (
    insert into import_rows (import_id, row, cells) select id, 2, '["fuzz@example.com","Fuzz"]' from made
  )
  insert into import_results (import_id, row, outcome, errors)
  select id, 2, 'rejected', '[{"field":"email","message":{"code":"email_invalid","text":"Fuzz"}}]' from made
  returning import_id as id`;

const makeViews = `
  insert into shared_views (list, name, f, owner_id)
  select 'apps', left(gen_random_uuid()::text, 8), '{}', $1 from generate_series(1, 4) returning id`;

const makeReports = `
  insert into saved_reports (name, search, created_by)
  select gen_random_uuid(), '{"tab":"mrr"}', $1 from generate_series(1, 4) returning id`;

const makeListJobs = `
  insert into list_jobs (user_id, list, action, query, reason, started_at, status, total, finished_at)
  select $1, 'users', 'suspend', '{}', 'Fuzz', now(), status, 0, case status when 'running' then null else now() end
  from (values ('running'), ('finished'), ('stopped')) states (status), generate_series(1, 3) returning id`;

const makeMappings = `
  insert into import_mappings (kind, name, fields, created_by)
  select 'customers', gen_random_uuid(), '[{"column":"email","field":"email"}]', $1 from generate_series(1, 4) returning id`;

const makeServiceAccount = `
  insert into users (id, email, name, role, status, is_service)
  select id, 'service:' || id, 'Fuzz', 'viewer', 'active', true from (select uuid_v7() as id) made returning id`;

const makeServiceKeys = `
  with account as (insert into service_accounts (id) values ($1) returning id)
  insert into service_keys (account_id, name, prefix, secret_hash, expires_at)
  select id, 'Fuzz', left(gen_random_uuid()::text, 8), uuid_send(gen_random_uuid()), now() + interval '90 days'
  from account, generate_series(1, 4) returning id, account_id`;

type Made = { id: string };

const makeKeys = async (owner: pg.Pool) => {
  const accounts = await owner.query<Made>(makeServiceAccount);
  const id = accounts.rows[0]?.id;
  return owner.query<Made & { account_id: string }>(makeServiceKeys, [id]);
};

/** Imports and their mappings, shared views, saved reports, jobs of lists, service keys, approval requests of the caller and of another user, and recent audit entries. */
export const makeWorkspace = async (owner: pg.Pool, userId: string) => {
  const approvals = await owner.query<Made>(makeApprovals, [userId]);
  const imports = await owner.query<Made>(makeImports, [userId]);
  const views = await owner.query<Made>(makeViews, [userId]);
  const reports = await owner.query<Made>(makeReports, [userId]);
  const jobs = await owner.query<Made>(makeListJobs, [userId]);
  const mappings = await owner.query<Made>(makeMappings, [userId]);
  const keys = await makeKeys(owner);
  const entries = await owner.query<Made>(findEntries);
  return {
    "/approvals/{id}": recordsOf(approvals.rows.map(({ id }) => id)),
    "/imports/{id}": recordsOf(imports.rows.map(({ id }) => id)),
    "/views/{id}": recordsOf(views.rows.map(({ id }) => id)),
    "/reports/saved/{id}": recordsOf(reports.rows.map(({ id }) => id)),
    "/list-jobs/{id}": recordsOf(jobs.rows.map(({ id }) => id)),
    "/imports/mappings/{id}": recordsOf(mappings.rows.map(({ id }) => id)),
    "/service-accounts/{id}/keys/{keyId}": keys.rows.map(({ id, account_id }) => ({
      params: { id: account_id, keyId: id },
      version: 1,
    })),
    "/audit/{id}": recordsOf(entries.rows.map(({ id }) => id)),
  };
};
