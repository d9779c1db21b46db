-- Bulk actions and exports that are too large for one request. Not audited: the changed records and the exports are,
-- and everything is deleted a week after the end.
create table list_jobs (
  id uuid constraint list_jobs_pkey primary key default uuid_v7(),
  user_id uuid not null constraint list_jobs_user references users (id),
  list text not null,
  action text not null,
  -- The search and filters, and the columns and format of an export.
  query jsonb not null,
  reason text,
  address text,
  -- The moment of the selection, which relative filters such as "last 7 days" refer to.
  started_at timestamptz not null,
  undoes uuid constraint list_jobs_undoes references list_jobs (id) on delete set null,
  -- The entry of an export in the export log.
  export_id uuid constraint list_jobs_export references exports (id),
  status text not null default 'running' constraint list_jobs_status
    check (status in ('running', 'finished', 'stopped', 'failed')),
  -- Why it failed, as a message with a code.
  error jsonb,
  -- The number of rows of a bulk action. An export doesn't know it.
  total integer,
  done integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  bytes bigint not null default 0,
  -- The position of the next row or chunk, and the id of the last exported row.
  position integer not null default 1,
  last_id uuid,
  finished_at timestamptz,
  dismissed_at timestamptz,
  constraint list_jobs_end check ((status = 'running') = (finished_at is null))
);
create index list_jobs_of_user on list_jobs (user_id, list, id desc);
create index list_jobs_running on list_jobs (id) where status = 'running';
create index list_jobs_finished on list_jobs (finished_at) where finished_at is not null;
create unique index list_jobs_undone_once on list_jobs (undoes) where undoes is not null;
create index list_jobs_of_export on list_jobs (export_id) where export_id is not null;
grant select, insert, delete on list_jobs to purser_app;
grant update (status, error, total, done, unchanged, failed, bytes, position, last_id, finished_at, dismissed_at)
  on list_jobs to purser_app;

-- The rows of a bulk action, with the version at the moment of the selection and the result.
create table list_job_rows (
  job_id uuid not null constraint list_job_rows_job references list_jobs (id) on delete cascade,
  position integer not null,
  record_id uuid not null,
  record_version integer not null,
  outcome text constraint list_job_rows_outcome check (outcome in ('done', 'unchanged', 'failed')),
  -- Why it failed, as a message with a code.
  detail jsonb,
  version_after integer,
  constraint list_job_rows_pkey primary key (job_id, position)
) with (fillfactor = 70);
grant select, insert, delete on list_job_rows to purser_app;
grant update (outcome, detail, version_after) on list_job_rows to purser_app;

-- The parts of an exported file, each compressed.
create table list_job_chunks (
  job_id uuid not null constraint list_job_chunks_job references list_jobs (id) on delete cascade,
  position integer not null,
  content bytea not null,
  constraint list_job_chunks_pkey primary key (job_id, position)
);
alter table list_job_chunks alter column content set storage external;
grant select, insert, delete on list_job_chunks to purser_app;
