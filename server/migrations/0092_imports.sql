-- A file that is being imported, and what became of it. Its rows are read in parts, checked and imported by jobs that
-- keep their position here, so that a job of a worker that died continues where the last committed batch ended.
create table imports (
  id uuid constraint imports_pkey primary key default uuid_v7(),
  kind text not null constraint imports_kind check (kind in ('customers')),
  name text not null constraint imports_name check (length(name) between 1 and 200),
  status text not null default 'draft' constraint imports_status check (status in
    ('draft', 'running', 'paused', 'finished', 'stopped', 'canceled', 'undoing', 'undone')),
  -- How far a draft is. No part of the audit log, because nothing is imported yet.
  stage text not null default 'uploading' constraint imports_stage check (stage in
    ('uploading', 'uploaded', 'checking', 'checked')),
  created_by uuid not null constraint imports_created_by references users (id),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Set when the rows of the file are deleted.
  emptied_at timestamptz,
  -- The header of the file, and the field of each column or null.
  columns jsonb,
  mapping jsonb,
  -- Values that are read as others, by field.
  replacements jsonb not null default '{}',
  parts integer not null default 0,
  bytes bigint not null default 0,
  rows integer not null default 0,
  -- The end of the last part, up to where its next record begins, and the character between cells.
  rest text not null default '',
  delimiter text not null default ',',
  -- The last row that the current job has finished, what checking found, and what the import has done so far.
  position integer not null default 0,
  checked jsonb not null default '{}',
  progress jsonb not null default '{}',
  -- The result, once there is one.
  imported integer,
  rejected integer,
  undone integer
);
create index imports_open on imports (id) where emptied_at is null;
create index imports_created_by_idx on imports (created_by);
-- Progress alone is no change. The result is part of the entry that finishes the import.
select audit_table('imports', '{}',
  '{stage,columns,mapping,replacements,parts,bytes,rows,rest,delimiter,position,checked,progress,emptied_at}');
grant select, insert, update on imports to purser_app;

-- The rows of a file. Not audited: they are deleted after some days, and what they change is audited.
create table import_rows (
  import_id uuid not null constraint import_rows_import references imports (id),
  row integer not null,
  cells jsonb not null,
  constraint import_rows_pkey primary key (import_id, row)
);
grant select, insert, delete on import_rows to purser_app;

-- What checking a row found. Not audited, for the same reason.
create table import_results (
  import_id uuid not null constraint import_results_import references imports (id),
  row integer not null,
  outcome text not null constraint import_results_outcome check (outcome in ('new', 'update', 'unchanged', 'rejected')),
  -- What recognizes the record in the file and in the database.
  key text,
  email text,
  -- The record that the row creates or changes. Not a reference, because a new record does not exist yet.
  record_id uuid,
  fields jsonb,
  errors jsonb,
  constraint import_results_pkey primary key (import_id, row)
);
create index import_results_key on import_results (import_id, key) where key is not null;
create index import_results_email on import_results (import_id, email) where email is not null;
create index import_results_rejected on import_results (import_id, row) where outcome = 'rejected';
create index import_results_record on import_results (record_id) where record_id is not null;
grant select, insert, update, delete on import_results to purser_app;
