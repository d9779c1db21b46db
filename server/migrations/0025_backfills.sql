-- Conversions of existing rows that a migration starts and workers finish in batches. A row is added by the migration
-- that has the directive `-- backfill: <name>`.
create table backfills (
  name text constraint backfills_pkey primary key,
  migration text not null,
  -- The key of the last row that was converted. Null before the first batch.
  last_key text,
  rows_done bigint not null default 0,
  started_at timestamptz,
  updated_at timestamptz,
  finished_at timestamptz
);
grant select, update (last_key, rows_done, started_at, updated_at, finished_at) on backfills to purser_app;
