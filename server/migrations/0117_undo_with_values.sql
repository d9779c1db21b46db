-- What a bulk action replaced in a row, for its undo. Null if the undo needs nothing else than the row.
alter table list_job_rows add column before jsonb;
grant update (before) on list_job_rows to purser_app;
