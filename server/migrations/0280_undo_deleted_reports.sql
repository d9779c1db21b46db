-- Deleting a saved report keeps it for a while with everyone's emails, so that an undo restores both. Its name is free.
alter table saved_reports add column deleted_at timestamptz;
drop index saved_reports_name_taken;
create unique index saved_reports_name_taken on saved_reports (lower(name)) where deleted_at is null;
grant update (deleted_at) on saved_reports to purser_app;
